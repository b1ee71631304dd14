// What the kernels of search do, asked from here: the same as search/searcher.py.
const INFINITE = 1 << 30;
const MAX_PLY = 192;
const SKIPS = 8192;
const REMEMBERED = 4000;
const KEPT_WORDS = 3; // of a record in the tree
const KEPT_LEGS = 192;
const ENDLESS = 1;

export class Searcher {
  /** `facts.search` of the game: what was measured before. */
  constructor(engine) {
    this.engine = engine;
    this.facts = engine.game.search;
    this.skipped = [];
    this.learned = null;
  }

  get(name) { return Number(this.#search[this.engine.fields.Search.at[name]]); }

  set(name, value) { this.#search[this.engine.fields.Search.at[name]] = BigInt(value); }

  /** The numbers of a record by their names: of row `number` of an array of such records. */
  #row(name, record, number) {
    const { length, at } = this.engine.fields[record];
    const row = this.engine.array(name, 64, (number + 1) * length).subarray(number * length);
    return Object.fromEntries(Object.entries(at).map(([field, place]) => [field, Number(row[place])]));
  }

  get #search() { return this.engine.array("search", 64, this.engine.fields.Search.length); }

  /** Set the worths that depend on how far the game has gone: who is too late somewhere pays. */
  weigh(position) {
    const { deadlines, late, step } = this.facts;
    if (!deadlines.length) return;
    const { players, types, places } = this.engine.game;
    const values = this.engine.array("piece_square", 32, (players.length + 1) * (types.length + 1) * places.length);
    this.learned ??= values.slice();
    values.set(this.learned);
    const made = position.stores.length - players.length;
    for (const { player, kinds, squares, turns } of deadlines) {
      const left = Math.max(0, turns - position.stores[made + player]);
      const cost = rounded(step * late * (1 - left / (turns + 1)));
      for (const kind of kinds) for (const square of squares) values[((player + 1) * (types.length + 1) + kind + 1) * places.length + square] -= cost;
    }
  }

  /** Begin with a position; `past` are earlier ones that could come again, 1 << bits the size of the table. */
  prepare(position, past, bits) {
    this.engine.allot("table_key", 64, 1 << bits);
    this.engine.allot("table_data", 64, 1 << bits);
    this.#remember(past);
    this.set("table_mask", (1 << bits) - 1);
    this.engine.call.search_clear();
    this.skip([]);
    this.restart(position);
  }

  restart(position) {
    this.engine.load(position);
    this.engine.call.sum_up();
  }

  #remember(past) {
    const known = this.keys ?? new Map();
    this.keys = new Map();
    const recent = past.slice(-REMEMBERED);
    for (const before of recent) {
      if (!known.has(before)) { this.restart(before); known.set(before, this.engine.call.position_key()); }
      this.keys.set(before, known.get(before));
    }
    this.set("past", recent.length);
    this.engine.array("past", 64, recent.length).set(recent.map((before) => this.keys.get(before)));
  }

  /** Add a random number to every estimate, always the same for the same position and seed. */
  noise(width, seed) {
    this.set("noise", width);
    this.set("noise_seed", (BigInt(seed) * 0x9E3779B97F4A7C15n + 1n) % (1n << 63n));
  }

  /** Leave out these moves of the root. */
  skip(numbers) {
    const skipped = this.engine.array("root_skip", 8, SKIPS);
    for (const number of this.skipped) skipped[number] = 0;
    this.skipped = numbers.filter((number) => number < SKIPS);
    for (const number of this.skipped) skipped[number] = 1;
    this.set("skipped", this.skipped.length);
  }

  /** Search the root to a depth; `slices` is asked how many more positions may be visited, 0 ends it. */
  async deepen(position, depth, alpha, beta, slices) {
    const { call } = this.engine;
    call.search_begin(BigInt(depth), BigInt(alpha), BigInt(beta));
    let done = 0n;
    while (!done && !this.engine.get("error")) {
      const budget = await slices(this.get("visited"));
      if (budget <= 0) break;
      done = call.search_go(BigInt(budget));
    }
    const error = this.engine.get("error");
    if (error === ENDLESS) throw new Error("a move of these rules never ends");
    const root = this.engine.array("ply", 64, this.engine.fields.Ply.length);
    const { at } = this.engine.fields.Ply;
    const found = { value: Number(root[at.best]), line: this.#line(), visited: this.get("visited"), complete: Boolean(done) && !error, proven: Boolean(root[at.proven]) };
    if (!found.complete) this.restart(position);
    return found;
  }

  #line() {
    const row = this.engine.array("pv_table", 16, MAX_PLY);
    const end = row.indexOf(0);
    return Array.from(row.subarray(0, end < 0 ? MAX_PLY : end), (number) => number - 1);
  }

  // ---- the tree ----

  plant(position, past, room, seed, manner) {
    this.engine.allot("tree", 64, room * this.engine.fields.TreeNode.length);
    this.engine.allot("node_record", 64, room * KEPT_WORDS);
    this.engine.allot("node_reward", 64, room * this.engine.game.players.length);
    this.#remember(past);
    for (const [name, value] of Object.entries({ ...manner, nodes_room: room })) this.set(name, value);
    this.restart(position);
    this.engine.call.mcts_begin(BigInt(seed));
  }

  /** Follow lines for about so many positions: whether the root is proven, positions visited in all. */
  follow(budget) {
    const done = this.engine.call.mcts_go(BigInt(budget));
    if (this.engine.get("error")) throw new Error("these rules can't be searched here");
    return [Boolean(done), this.get("visited")];
  }

  nodesBelow(node, player) {
    const players = this.engine.game.players.length;
    const { first, mover, count } = this.#row("tree", "TreeNode", node);
    const rewards = this.engine.array("node_reward", 64, (first + count) * players);
    return Array.from({ length: count }, (_, i) => {
      const number = first + i;
      const { visits, proven, distance } = this.#row("tree", "TreeNode", number);
      const share = (p) => (visits ? Number(rewards[number * players + p]) / visits / 65536 : 0);
      return { number, visits, reward: share(mover), asked: share(player ?? mover), proven, far: distance, mover };
    });
  }

  // ---- the beam ----

  get widest() { return Math.max(8, Math.min(1024, Math.floor((1 << 21) / this.engine.game.places.length / 2))); }

  widen(position, width) {
    const room = this.widest;
    const slots = 2 * room + 2;
    const { squares, stores, keeps } = this.facts.rows;
    this.engine.allot("beam", 64, slots * this.engine.fields.BeamSlot.length);
    for (const name of ["beam_heap", "beam_list"]) this.engine.allot(name, 32, slots);
    const rows = { beam_cell: [32, squares], beam_attributes: [64, squares], beam_stores: [32, stores], beam_state: [64, keeps], beam_way: [16, KEPT_LEGS] };
    for (const [name, [bits, each]] of Object.entries(rows)) this.engine.allot(name, bits, slots * each);
    this.set("beam_room", room);
    this.set("beam_end", 2 * room);
    this.restart(position);
    this.engine.call.beam_begin(BigInt(Math.min(width, room)));
  }

  nextGeneration(slots, width) {
    this.engine.array("beam_list", 32, slots.length).set(slots);
    this.set("beam_count", slots.length);
    this.engine.call.beam_next(BigInt(Math.min(width, this.widest)));
  }

  async grow(isAnswered, limit, slices) {
    this.set("beam_limit", limit ?? 2 ** 50);
    this.set("beam_answered", isAnswered ? 1 : 0);
    let done = 0n;
    while (!done && !this.engine.get("error")) {
      const budget = await slices(this.get("visited"));
      if (budget <= 0) break;
      done = this.engine.call.beam_go(BigInt(budget));
    }
    return Boolean(done) && !this.engine.get("error");
  }

  ways() {
    const slots = [...this.engine.array("beam_heap", 32, this.get("beam_next"))];
    return slots.map((slot) => this.#way(slot)).filter((way) => way.value > -INFINITE).sort((a, b) => b.value - a.value);
  }

  #way(slot) {
    const { value, lead, debt, legs, first } = this.#row("beam", "BeamSlot", slot);
    const at = slot * KEPT_LEGS;
    return { slot, value, lead: lead - debt, legs: [...this.engine.array("beam_way", 16, at + legs).subarray(at)], first };
  }

  wayToWin() { return this.get("beam_won") ? this.#way(this.get("beam_end")) : null; }

  wayToDraw() { return this.get("beam_draw") ? this.#way(this.get("beam_end") + 1) : null; }
}

/** To the nearest whole number, of two the even one, as Python rounds. */
export function rounded(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}
