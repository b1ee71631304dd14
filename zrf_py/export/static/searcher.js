// Interface to the search kernels: the same as search/searcher.py.
const MAX_PLY = 192;
const REMEMBERED = 4000;
const KEPT_WORDS = 3; // words of each move's record in the tree
const KEPT_LEGS = 192;
const ENDLESS = 1;

export class Searcher {
  /** `facts.search` of the game holds the measurements. */
  constructor(engine) {
    this.engine = engine;
    this.facts = engine.game.search;
    this.learned = null;
  }

  get(name) { return Number(this.#search[this.engine.fields.Search.at[name]]); }

  set(name, value) { this.#search[this.engine.fields.Search.at[name]] = BigInt(value); }

  /** The fields of a record by name, in row `number` of an array of such records. */
  #row(name, record, number) {
    const { length, at } = this.engine.fields[record];
    const row = this.engine.array(name, 64, (number + 1) * length).subarray(number * length);
    return Object.fromEntries(Object.entries(at).map(([field, place]) => [field, Number(row[place])]));
  }

  get #search() { return this.engine.array("search", 64, this.engine.fields.Search.length); }

  /** Set the weights that depend on deadlines: a piece on a square that it must leave costs more, the nearer the deadline is. */
  weigh(position) {
    const { deadlines, late, step } = this.facts;
    if (!deadlines.length) return;
    const { players, types, places } = this.engine.game;
    const values = this.engine.array("piece_square", 32, (players.length + 1) * (types.length + 1) * places.length);
    this.learned ??= values.slice();
    values.set(this.learned);
    const madeAt = position.stores.length - players.length;
    for (const { player, kinds, squares, turns } of deadlines) {
      const left = Math.max(0, turns - position.stores[madeAt + player]);
      const cost = rounded(step * late * (1 - left / (turns + 1)));
      for (const kind of kinds) for (const square of squares) values[((player + 1) * (types.length + 1) + kind + 1) * places.length + square] -= cost;
    }
  }

  /** Prepare a position; `past` are earlier positions that may recur, 1 << bits is the size of the table. */
  prepare(position, past, bits) {
    this.engine.allot("table_key", 64, 1 << bits);
    this.engine.allot("table_data", 64, 1 << bits);
    this.#remember(past);
    this.set("table_mask", (1 << bits) - 1);
    this.engine.call.search_clear();
    this.restart(position);
  }

  restart(position) {
    this.engine.load(position);
    this.engine.call.sum_up();
  }

  #remember(past) {
    const keys = this.keys ?? new Map();
    this.keys = new Map();
    const recent = past.slice(-REMEMBERED);
    for (const before of recent) {
      if (!keys.has(before)) { this.restart(before); keys.set(before, this.engine.call.position_key()); }
      this.keys.set(before, keys.get(before));
    }
    this.set("past", recent.length);
    this.engine.array("past", 64, recent.length).set(recent.map((before) => this.keys.get(before)));
  }

  /** Add noise to every estimate, the same for equal positions and seeds. */
  noise(width, seed) {
    this.set("noise", width);
    this.set("noise_seed", (BigInt(seed) * 0x9E3779B97F4A7C15n + 1n) % (1n << 63n));
  }

  /** Start alpha-beta at the prepared position, for `count` lines, to a maximum depth. */
  deepen(count, depth = 0) {
    this.#makeRoom(count);
    this.engine.call.alphabeta_begin(BigInt(count), BigInt(depth));
  }

  #makeRoom(lines) {
    this.engine.allot("pv_line", 64, 2 * lines * this.engine.fields.PvLine.length);
    this.engine.allot("pv_moves", 16, 2 * lines * MAX_PLY);
  }

  /** Continue for about `budget` of the `left` positions that may still be visited; return whether the search is over. */
  go(budget, left) {
    this.set("beam_left", Math.floor(left));
    const done = this.engine.call[`${this.facts.kind}_go`](BigInt(budget));
    const error = this.engine.get("error");
    if (error === ENDLESS) throw new Error("these rules loop forever");
    return Boolean(done || error);
  }

  /** The result so far, {lines: [{value, moves, depth}], nodes, proven}; where chance is to move, also the position's `value` for a `player`. */
  result(position) {
    this.engine.call[`${this.facts.kind}_lines`]();
    const moves = this.engine.array("pv_moves", 16, Math.max(1, this.get("lines")) * MAX_PLY);
    const lines = Array.from({ length: moves.length / MAX_PLY }, (_, i) => {
      const { value, depth } = this.#row("pv_line", "PvLine", i);
      const row = moves.subarray(i * MAX_PLY, (i + 1) * MAX_PLY);
      return { value, depth, moves: this.movesOf(position, Array.from(row.subarray(0, row.indexOf(0)), (number) => number - 1)) };
    });
    const analysis = { lines, nodes: this.get("visited"), proven: Boolean(this.get("settled")) };
    return this.get("worth_to") < 0 ? analysis : { ...analysis, value: this.get("value"), player: this.get("worth_to") };
  }

  /** The moves of a line from their indexes in generation order; afterwards the root, `position`, is in memory again. */
  movesOf(position, numbers) {
    const line = [];
    let at = position;
    for (const number of numbers) {
      const moves = this.engine.legal(at);
      if (number >= moves.length) break;
      line.push(moves[number]);
      at = this.engine.after(at, moves[number]);
    }
    this.restart(position);
    return line;
  }

  // ---- the tree ----

  plant(position, past, room, seed, count, worthTo) {
    this.#makeRoom(count);
    this.engine.allot("tree", 64, room * this.engine.fields.TreeNode.length);
    this.engine.allot("node_record", 64, room * KEPT_WORDS);
    this.engine.allot("node_reward", 64, room * this.engine.game.players.length);
    this.#remember(past);
    for (const [name, value] of Object.entries({ ...this.facts.manner, nodes_room: room })) this.set(name, value);
    this.restart(position);
    this.engine.call.mcts_begin(...[count, seed + 1, worthTo].map(BigInt));
  }

  // ---- the beam ----

  widen(count, depth = 0, nodes, isForced) {
    this.#makeRoom(count);
    const room = Math.max(8, Math.min(1024, Math.floor((1 << 21) / this.engine.game.places.length / 2)));
    const slots = 2 * room + 3;
    const { squares, stores, keeps } = this.facts.rows;
    this.engine.allot("beam", 64, slots * this.engine.fields.BeamSlot.length);
    for (const name of ["beam_heap", "beam_list"]) this.engine.allot(name, 32, slots);
    const rows = { beam_cell: [32, squares], beam_attributes: [64, squares], beam_stores: [32, stores], beam_state: [64, keeps], beam_way: [16, KEPT_LEGS] };
    for (const [name, [bits, each]] of Object.entries(rows)) this.engine.allot(name, bits, slots * each);
    for (const [name, value] of Object.entries({ beam_room: room, beam_end: 2 * room, beam_limit: nodes })) this.set(name, value);
    this.engine.call.beam_begin(...[count, depth, isForced && !depth ? 1 : room].map(BigInt));
  }
}

/** Round to the nearest integer, halves to even, as Python does. */
export function rounded(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}
