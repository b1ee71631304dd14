// A position of a game with its history, and moves by their texts: the same as play/game.py, turn_text.py and edits.py.
import { NEW, moveDiff } from "./diff.js";
import { NOT_PARTIAL, keyOf, kindAt, ownerAt } from "./engine.js";
import { moveText, parts, recorded } from "./notation.js";
import { readPosition } from "./position-text.js";
import { reasonOf, royalPlaces } from "./reasons.js";

class Move {
  written; changes; // computed when needed

  constructor(game, state, raw) { this.game = game; this.before = state; this.raw = raw; }

  get text() { return this.written ??= moveText(this.game, this.before, this.raw); }

  /** What the move changes on the board: see diff.js. */
  get diff() { return this.changes ??= moveDiff(this.game, this.before, this.raw); }

  parts() { return parts(this.game, this.before, this.raw); }

  /** A copy of the move that ends its turn. */
  last() {
    const record = this.raw.record.slice();
    record[0] &= ~(0xffffn << 36n);
    return new Move(this.game, this.before, { ...this.raw, record, partial: NOT_PARTIAL });
  }
}

export class Position {
  known; shorts; keyed; ending; // computed when needed

  constructor(world, state, previous = null, move = null, change = "") {
    this.world = world; this.game = world.game; this.state = state;
    this.previous = previous; this.move = move; this.change = change;
  }

  static start(world) { return new Position(world, world.engine.start()); }

  get player() { return this.game.turns.length ? this.game.players[this.game.turns[this.state.turn][0]].name : ""; }

  get side() { return this.game.turns.length ? this.game.turns[this.state.turn][1] : -1; }

  get inTurn() { return this.state.chain >= 0; }

  /** All legal moves or legs. */
  get moves() {
    this.known ??= this.world.engine.legal(this.state).map((raw) => new Move(this.game, this.state, raw));
    return this.known;
  }

  short(move) {
    if (!this.shorts) {
      const written = this.world.writer.write(this.moves);
      this.shorts = new Map(this.moves.map(({ text }, i) => [text, written[i]]));
    }
    return this.shorts.get(move.text) ?? move.text;
  }

  /** Drop the legal moves of a past position: they take much memory, and little time to generate again. */
  forget() { this.known = this.shorts = null; }

  play(move) { return new Position(this.world, this.world.engine.after(this.state, move.raw), this, move); }

  /** The position after one entry of a record; throws with the reason if it does not fit. */
  follow(text) {
    if (text.startsWith("(")) return new Position(this.world, this.#edited(text), this, null, text.split(/\s+/).join(" "));
    const position = this.state.outcome ? new Position(this.world, { ...this.state, outcome: null }, this.previous, this.move, this.change) : this;
    const { move, why, endsTurn } = recorded(position, text);
    if (!move) throw new Error(why);
    return position.play(endsTurn ? move.last() : move);
  }

  #edited(text) {
    const whole = /^\(position\s+(.*)\)$/.exec(text.trim());
    return whole ? readPosition(this.game, this.world.engine.start(), whole[1]) : edited(this.game, this.state, text);
  }

  *line() { for (let position = this; position; position = position.previous) yield position; }

  /** The earlier states of the game, oldest first. */
  earlier() { return [...this.line()].slice(1).reverse().map((p) => p.state); }

  get key() {
    this.keyed ??= this.world.engine.key(this.state);
    return this.keyed;
  }

  /** The number of occurrences of this position in the game, this one included. */
  get repetitions() {
    if (this.inTurn) return 1;
    return [...this.line()].filter(({ key }) => key === this.key).length;
  }

  outcome() {
    if (this.ending !== undefined) return this.ending;
    const ending = this.world.engine.outcome(this.state, this.moves, this.repetitions);
    this.ending = ending && { ...ending, why: reasonOf(this.world.engine, this.state, ending) };
    return this.ending;
  }

  /** [player, number, words, target, name of a counter] for players with numbers to show: as in play/standing.py. @returns {State["scores"]} */
  scores() {
    const { players, types, standing } = this.game;
    const { cell, stores } = this.state;
    return standing.filter(({ player, turn }) => !turn || (players[player].name === this.player && !this.outcome())).map(({ player, words, of, score, kind, off, squares, counters, name }) => {
      const men = (squares ?? [...cell.keys()]).filter((s) => ownerAt(this.state, s) === player && (kind < 0 || kindAt(this.state, s) === kind)).length;
      const held = types.map((_, k) => (off && (kind < 0 || k === kind) ? stores[player * types.length + k] : 0));
      const count = counters ? counters.reduce((sum, [factor, at]) => sum + factor * (at < 0 ? 1 : stores[at]), 0) : score < 0 ? held.reduce((sum, more) => sum + more, men) : this.world.engine.number(this.state, score, player);
      return [players[player].name, count, words, of, ...name];
    });
  }

  /** [player, type, number] of the players' pieces off the board. @returns {State["held"]} */
  held() {
    const { players, types, dummies } = this.game;
    return [...this.state.stores.subarray(0, players.length * types.length).entries()]
      .filter(([i, count]) => count > 0 && players[Math.floor(i / types.length)].kind === "player" && !dummies.includes(i % types.length))
      .map(([i, count]) => [Math.floor(i / types.length), i % types.length, count]);
  }

  /** [captor, player, type, number] of the pieces that have left the board for good: the same as play/prisoners.py. @returns {State["taken"]} */
  taken() {
    const { players, types, prisoners } = this.game;
    const held = players.length * types.length;
    const counts = new Map();
    for (const { state, move, previous: before } of this.line()) {
      if (!before || !move || !state.taken.length) continue;
      if (state.stores.some((count, i) => i < held && count > before.state.stores[i])) continue; // the store shows them
      for (const man of state.taken.slice(before.inTurn ? before.state.taken.length : 0)) {
        const [player, kind] = [(man & 255) - 1, (man >> 8) - 1];
        const key = (move.raw.side * players.length + player) * types.length + kind;
        if (prisoners.kinds.includes(kind) && (prisoners.ownToo || player !== move.raw.side)) counts.set(key, [move.raw.side, player, kind, (counts.get(key)?.[3] ?? 0) + 1]);
      }
    }
    return [...counts].sort(([a], [b]) => a - b).map(([, row]) => row);
  }

  /** The squares of the royal pieces of the player to move, if one of them is attacked; none within a turn. */
  checked() {
    if (!this.game.royals.some((kinds) => kinds.length) || this.inTurn || this.side < 0 || !this.world.engine.isAttacked(this.state, this.side)) return [];
    return royalPlaces(this.game, this.state, [this.side]);
  }

  /** The turn, or part of one, that led here, in short notation; "" if no move did. */
  playedTurn() {
    if (!this.move) return "";
    const steps = [this];
    while (steps[0].previous?.inTurn && steps[0].previous.move) steps.unshift(steps[0].previous);
    return this.turnOf(steps);
  }

  /** The short notation of a turn, given the positions after each of its legs; the last of them is this one. */
  turnOf(steps) { return this.world.writer.join(steps.map((after) => [after.move, after.previous.short(after.move)])) + this.#mark(); }

  #mark() {
    if (!this.world.writer.marksCheck || !this.checked().length) return "";
    return this.outcome()?.reason === "checkmated" ? "#" : "+";
  }

  /** The entry of the list of moves for the move that led here. @returns {Ply} */
  ply() {
    if (!this.move) return [this.change, "", false, true, false, this.change];
    return [this.move.text, this.previous.player, this.inTurn, false, !this.inTurn && this.state.turn === this.game.repeat, this.playedTurn()];
  }

  /** (from, to) of each leg of the turn that led here, as in view/scene.py. */
  lastTurn() {
    const legs = [];
    for (let position = this; position.move && position.previous; position = position.previous) {
      if (position !== this && !position.inTurn) break;
      const { raw: { movements, side }, diff: { start, end, men, isDrop } } = position.move;
      const main = movements.length ? [[start, end]] : [];
      const others = men.filter(([square, origin, player]) => origin !== square && (!main.length || (player === side && (origin === NEW ? isDrop && square !== end : origin !== start))));
      legs.unshift(...main, ...others.map(([square, origin]) => [origin, square]));
    }
    return legs;
  }
}

const MAX_STORE = 1000000;

/** The position after one edit: `(x a1)`, `(White King a1)`, `(store White Pawn 3)`, `(turn Black)`. */
function edited(game, state, line) {
  const words = line.trim().replace(/^[()]+|[()]+$/g, "").split(/\s+/).filter(Boolean);
  const player = (name) => game.players.findIndex((p) => p.name === name);
  const [squares, types] = [game.places.map((name) => name.split(/\s+/).filter(Boolean).join(" ")), game.types];
  const put = (at, held, attributes) => {
    const cell = state.cell.slice();
    cell[at] = held;
    const masks = state.attributes?.slice() ?? null;
    if (masks) masks[at] = BigInt(attributes);
    return { ...state, cell, attributes: masks };
  };
  const [a, b, c] = words;
  const [removed, placed] = [1, 2].map((from) => squares.indexOf(words.slice(from).join(" ")));
  if (words.length > 1 && a === "x" && removed >= 0) return put(removed, 0, 0);
  if (words.length > 2 && player(a) >= 0 && types.includes(b) && placed >= 0) {
    const kind = types.indexOf(b);
    return put(placed, (player(a) + 1) | ((kind + 1) << 8), game.startAttributes[kind]);
  }
  if (words.length === 4 && a === "store" && player(b) >= 0 && types.includes(c) && /^\d+$/.test(words[3]) && Number(words[3]) <= MAX_STORE) {
    const stores = state.stores.slice();
    stores[player(b) * types.length + types.indexOf(c)] = Number(words[3]);
    return { ...state, stores };
  }
  const turn = words.length === 2 && a === "turn" ? game.turnOf[player(b)] ?? -1 : -1;
  if (turn >= 0) return { ...state, turn, lastFrom: -1, lastTo: -1, chain: -1, chainType: 0, taken: [], outcome: null, legs: 0, must: 0, step: 1, origin: null };
  throw new Error(`\`${line.trim()}\` is not a valid change to the board`);
}

/** The edits that turn a position into another one: `men` {place: [player, type]}, `stores` [player, type, number], the player to move. */
export function edits({ game, state }, men, stores, player) {
  const words = ([owner, kind]) => `${game.players[owner].name} ${game.types[kind]}`;
  const changes = [];
  for (const [at, place] of game.places.entries()) {
    const man = men.get(at);
    const held = man ? (man[0] + 1) | ((man[1] + 1) << 8) : 0;
    if (held !== state.cell[at]) changes.push(man ? `(${words(man)} ${place})` : `(x ${place})`);
  }
  for (const [owner, kind, number] of stores) {
    if (state.stores[owner * game.types.length + kind] !== number) changes.push(`(store ${words([owner, kind])} ${number})`);
  }
  if (player >= 0 && game.turns.length && game.turns[state.turn][1] !== player && game.turnOf[player] >= 0) changes.push(`(turn ${game.players[player].name})`);
  return changes;
}

export const MAX_LEGS = 20000;

/** Legal legs for pages: the same as view/describe.py. @returns {Leg[]} */
export function legs(position) {
  const rows = new Map();
  for (const move of position.moves.slice(0, MAX_LEGS)) if (!rows.has(move.text)) rows.set(move.text, leg(position, move));
  return [...rows.values()];
}

function leg(position, move) {
  const { start, end, piece, becomes, taken, men, isDrop } = move.diff;
  const placed = men.filter(([square, origin]) => square !== origin && square !== end).map(([square]) => square);
  return [move.text, start, end, isDrop ? piece : -1, position.short(move), becomes, taken.filter((square) => square !== start && square !== end), placed];
}

const MOST = 250;

/** The places that a piece reaches by several legs, with the texts of the legs, as in view/describe.py. */
export function ways(position, start) {
  const paths = new Map();
  const near = new Set(position.moves.filter((m) => keyOf(m.raw)[0] === start).map((m) => keyOf(m.raw)[1]));
  const queue = [[position, start, []]];
  for (let looked = 0; queue.length && looked < MOST; looked += 1) {
    const [reached, square, texts] = queue.shift();
    for (const move of reached.moves) {
      const [origin, end] = keyOf(move.raw);
      if (move.raw.isPass || origin !== square || paths.has(end) || (texts.length && (near.has(end) || end === start))) continue;
      const after = reached.play(move);
      if (texts.length) paths.set(end, [...texts, move.text]);
      if (after.inTurn) queue.push([after, end, [...texts, move.text]]);
    }
  }
  return [...paths];
}
