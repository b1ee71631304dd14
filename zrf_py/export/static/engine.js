// The engine: converts positions and moves to and from the memory of the WebAssembly module, which applies the rules.
// Counterpart of native/engine.py.

const DEFAULTS = 1000000; // results from this number on come from no end condition: see native/kernel/goals.py
const [SMALL, SQUARE, WIDE] = [0xfffn, 0xfffffn, 0xffffn];
const REPETITION = 1n; // the kernel's number of the goal `repetition`
const PAGE = 65536;
const MOST = 1 << 30; // bytes of memory
const SIZES = { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array };
const MISTAKES = { 1: "these rules loop forever in this position", 2: "this position is too large for the page", 3: "this turn can go on forever" };

export const MOVE = 0;
export const COPY = 1;
export const DROP = 2;
export const KEEP = -1;
export const NOBODY = -1;
export const NOT_PARTIAL = -2;

export class RulesFault extends Error {}

/** The two squares of a move's first movement, which a player clicks; -1 where there is none. */
export const keyOf = (move) => (move.movements.length ? [Math.max(move.movements[0][1], -1), move.movements[0][2]] : move.end < 0 ? [-1, -1] : [move.start, move.end]);
/** Return whether a player has won: is among the winners or, if there are only losers, not among them. */
export const isWonBy = ({ winners, losers }, player) => (winners.length ? winners.includes(player) : losers.length > 0 && !losers.includes(player));
export const ownerAt = (state, square) => (state.cell[square] & 255) - 1;
export const kindAt = (state, square) => (state.cell[square] ? (state.cell[square] >> 8) - 1 : 0);

export class Engine {
  /** `instance` is that of the module; `image` describes the contents of its memory, `fields` the layout of its records. */
  constructor(instance, image, fields, game) {
    this.call = instance.exports;
    this.memory = instance.exports.memory;
    this.image = image;
    this.fields = fields;
    this.game = game;
    this.end = image.end;
    this.rooms = {}; // arrays allocated late: name → [address, size in bytes]
    this.#reach(this.end);
    const bytes = new Uint8Array(this.memory.buffer);
    for (const [address, data] of image.writes) bytes.set(data, address);
    for (const [number, address] of image.binds) this.call.bind(BigInt(number), address);
    this.view();
  }

  /** Grow the memory up to an address. */
  #reach(end) {
    if (!(end <= MOST)) throw new RulesFault(MISTAKES[2]);
    const missing = Math.ceil(end / PAGE) - this.memory.buffer.byteLength / PAGE;
    if (missing > 0) this.memory.grow(missing);
  }

  /** Create the views of the memory; they become invalid when it grows. */
  view() {
    const { buffer } = this.memory;
    const squares = this.game.places.length;
    this.state = new BigInt64Array(buffer, this.image.at.state, this.fields.PositionFields.length);
    this.cell = new Int32Array(buffer, this.image.at.cell, squares);
    this.attributes = this.game.attributes.length ? new BigInt64Array(buffer, this.image.at.attributes, squares) : null;
    this.stores = new Int32Array(buffer, this.image.at.stores, this.game.start.stores.length);
    this.taken = new Int32Array(buffer, this.image.at.taken, 1 << 15);
    this.moves = new BigInt64Array(buffer, this.image.at.moves, 1 << 19);
    if (this.image.at.tally) this.tally = new BigInt64Array(buffer, this.image.at.tally, 257);
  }

  /** A view of a named array in the memory. */
  array(name, bits, length) { return new SIZES[bits](this.memory.buffer, this.rooms[name]?.[0] ?? this.image.at[name], length); }

  /** Allocate an array whose size is chosen late; it never shrinks. */
  allot(name, bits, length) {
    const size = (bits / 8) * length;
    if ((this.rooms[name]?.[1] ?? 0) >= size) return;
    const address = Math.ceil(this.end / 64) * 64;
    this.end = address + size;
    this.#reach(this.end);
    this.rooms[name] = [address, size];
    this.call.bind(BigInt(this.image.late[name]), address);
    this.view();
  }

  get(name) { return Number(this.state[this.fields.PositionFields.at[name]]); }

  set(name, value) { this.state[this.fields.PositionFields.at[name]] = BigInt(value); }

  // ---- positions ----

  start() {
    const { cell, attributes, stores, turn } = this.game.start;
    return {
      cell: Int32Array.from(cell), attributes: attributes && BigInt64Array.from(attributes, BigInt), stores: Int32Array.from(stores), turn, lastFrom: -1, lastTo: -1,
      chain: -1, chainType: 0, mover: -1, outcome: null, taken: [], legs: 0, must: 0, step: 1, out: 0, origin: null,
    };
  }

  /** Load a position into memory. */
  load(position) {
    const { state, fields: { PositionFields: { at }, stamps } } = this;
    const stamped = stamps.map((i) => [i, state[i]]);
    state.fill(0n);
    for (const [i, value] of stamped) state[i] = value;
    if (this.attributes) this.attributes.set(position.attributes);
    this.stores.set(position.stores);
    const numbers = { turn: position.turn, last_from: position.lastFrom, last_to: position.lastTo, chain: position.chain, chain_type: position.chainType,
      mover: position.mover, result: -1, legs: position.legs, must: position.must, step: position.step, out: position.out, taken_to: position.taken.length };
    for (const [name, value] of Object.entries(numbers)) state[at[name]] = BigInt(value);
    this.taken.set(position.taken);
    if (position.chain >= 0 && position.origin && !this.game.nullTurns) {
      this.cell.set(position.origin);
      state[at.origin] = this.call.of_cells();
    }
    this.cell.set(position.cell);
    this.call.recount();
  }

  /** Read the position in memory, which follows from `before`. */
  #read(before) {
    const madeAt = this.stores.length - this.game.players.length;
    const goesOn = this.get("chain") >= 0;
    const mover = this.get("mover");
    const stores = this.stores.slice();
    stores.set(before.stores.subarray(madeAt), madeAt);
    if (!goesOn && mover >= 0) stores[madeAt + mover] += 1;
    const result = this.get("result");
    const next = {
      cell: this.cell.slice(), attributes: this.attributes?.slice() ?? null, stores, turn: this.get("turn"), lastFrom: this.get("last_from"), lastTo: this.get("last_to"),
      chain: -1, chainType: 0, mover, outcome: null, taken: [...this.taken.subarray(this.get("taken_from"), this.get("taken_to"))], legs: 0, must: 0,
      step: this.get("step"), out: goesOn ? before.out : this.get("out") || before.out, origin: null,
    };
    if (goesOn) {
      return { ...next, chain: this.get("chain"), chainType: this.get("chain_type"), legs: before.legs + 1, must: this.get("must"),
        origin: before.chain >= 0 ? before.origin : before.cell };
    }
    if (result >= 0) next.outcome = this.#outcomeOf(result);
    return next;
  }

  #check() {
    const error = this.get("error");
    if (error) throw new RulesFault(MISTAKES[error] ?? "these rules can't be played in this position");
  }

  /** A key that is equal for positions that count as repetitions. */
  key(p) {
    const held = this.game.storesTell ? 0 : this.game.players.length * this.game.types.length;
    const counters = p.stores.subarray(held, p.stores.length - this.game.players.length);
    return [p.cell.join(), p.attributes?.join() ?? "", p.turn, p.chain, p.chain >= 0 ? p.chainType : 0, counters.join(), p.must, p.step, p.out].join(";");
  }

  // ---- moves ----

  legal(position) {
    if (position.outcome || !this.game.turns.length) return [];
    this.load(position);
    const base = Number(this.call.legal());
    this.#check();
    return this.#decode(base, this.get("top"), this.game.turns[position.turn][1]);
  }

  #decode(from, end, side) {
    const moves = [];
    for (let at = from; at < end;) {
      const [head, ends] = [this.moves[at], this.moves[at + 1]];
      const [movements, effects, captures] = [Number(head & SMALL), Number((head >> 12n) & SMALL), Number((head >> 24n) & SMALL)];
      const length = 2 + movements + effects + captures;
      const record = this.moves.slice(at, at + length);
      const parts = record.subarray(2);
      at += length;
      moves.push({
        side, record, isPass: parts.length === 0, movements: Array.from(parts.subarray(0, movements), movement),
        effects: Array.from(parts.subarray(movements, movements + effects), (part) => effect(part, this.game.effects)), captures: Array.from(parts.subarray(movements + effects), Number),
        partial: parts.length ? Number((head >> 36n) & WIDE) - 2 : NOT_PARTIAL, start: parts.length ? Number(ends & SQUARE) - 1 : -1,
        end: parts.length ? Number((ends >> 20n) & SQUARE) - 1 : -1,
      });
    }
    return moves;
  }

  after(position, move) {
    this.load(position);
    this.moves.set(move.record);
    this.set("top", move.record.length);
    this.call.after(0n);
    this.#check();
    return this.#read(position);
  }

  // ---- ends ----

  /** The outcome of a position that has occurred `repetitions` times; null while the game goes on. */
  outcome(position, moves, repetitions) {
    if (position.outcome || !this.game.turns.length) return position.outcome;
    if (!moves.length) return this.#stuck(position);
    const { repetition } = this.game;
    if (!repetition || repetitions < repetition || position.chain >= 0) return null;
    this.load(position);
    const result = Number(this.call.state_result(BigInt(position.mover), REPETITION));
    return result >= 0 ? this.#outcomeOf(result, "repetition") : { winners: [], losers: [], reason: "repetition" };
  }

  #stuck(position) {
    this.load(position);
    const result = Number(this.call.final_result());
    this.#check();
    if (result >= 2 * DEFAULTS) {
      const isAlone = new Set(this.game.turns.map(([mover]) => mover)).size === 1;
      return { winners: [], losers: isAlone ? [result - 2 * DEFAULTS] : [], reason: "stalemated" };
    }
    if (result >= DEFAULTS) return { winners: [], losers: [result - DEFAULTS], reason: "checkmated" };
    const isAttacked = this.game.royals.some((kinds) => kinds.length) && this.call.is_attacked(BigInt(result % this.game.players.length)) !== 0n;
    return this.#outcomeOf(result, isAttacked ? "checkmated" : "stalemated");
  }

  /** Convert a result of the kernel, for the position in memory, to an outcome. */
  #outcomeOf(result, word = "") {
    const players = this.game.players.map((p, i) => [p, i]).filter(([p]) => p.kind === "player").map(([, i]) => i);
    const mask = this.call.winners(BigInt(result));
    const winners = players.filter((p) => (mask >> BigInt(p)) & 1n);
    const others = (own) => players.filter((p) => !own.includes(p));
    if (result >= 3 * DEFAULTS) return { winners, losers: others(winners), reason: "last-left" };
    const end = this.game.ends[Math.floor(result / this.game.players.length)];
    const reason = word || end.word;
    const own = this.game.teams[result % this.game.players.length];
    if (end.result === "win") return { winners: own, losers: others(own), reason };
    if (end.result === "loss") return { winners, losers: own, reason };
    return { winners, losers: winners.length ? others(winners) : [], reason };
  }

  isAttacked(position, player) {
    this.load(position);
    return this.call.is_attacked(BigInt(player)) !== 0n;
  }

  /** Return whether a goal on the board holds, given its index in the table of goals. */
  holds(position, tree, player) {
    this.load(position);
    return this.call.goal_holds(BigInt(tree), BigInt(player)) !== 0n;
  }

  number(position, tree, player) {
    this.load(position);
    return Number(this.call.number_told(BigInt(tree), BigInt(player)));
  }
}

function movement(part) {
  const action = Number(part & 255n);
  const start = Number((part >> 8n) & SQUARE) - 1;
  return [action, action === DROP && start >= 0 ? -2 - start : start, Number((part >> 28n) & SQUARE), Number((part >> 48n) & WIDE) - 1];
}

/** Decode an effect from its part of a record; `effects`: the operands of each effect by its name, in the order of numbers. */
function effect(part, effects) {
  const [name, [first]] = Object.entries(effects)[Number(part & 255n)];
  if (name === "next-turn") return [name, Number(part >> 28n), 0, 0];
  if (first === "counter") return [name, Number((part >> 8n) & 1023n), Number(part >> 28n), Number((part >> 18n) & 1023n)];
  return [name, Number((part >> 8n) & SQUARE), Number((part >> 28n) & 262143n), Number(part >> 46n) - 1];
}
