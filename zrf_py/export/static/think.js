// Searches of every kind, and complete turns: hands out budgets and reads lines, as search/driver.py does.
import { Searcher } from "./searcher.js";

const LARGEST_TABLE = 18; // as a power of two; enough for the strongest level
const LARGEST_TREE = 1 << 18; // nodes; as many as fit into a phone's memory
const MOST_LEGS = 500;
const MANY = 2 ** 50; // number of positions that means no limit

/** Divides a search into slices, between which other tasks run; `slice` returns the number of positions to visit next, 0 at the end. */
class Pace {
  constructor(limits, facts, pause) {
    this.limits = limits; this.known = facts; this.pause = pause; this.speed = facts.speeds.first;
    this.began = performance.now();
    this.last = [0, this.began];
  }

  get left() { return this.limits.time === undefined ? Infinity : 1000 * (this.limits.time - this.known.reserve) - (performance.now() - this.began); }

  /** Estimate of the positions that may still be visited. */
  get nodesLeft() { return Math.min((this.limits.nodes ?? MANY) - this.last[0], Math.max(0, (this.left * this.speed) / 1000)); }

  async slice(visited) {
    const [before, then] = this.last;
    if (visited - before > 200 && performance.now() > then) this.speed = (visited - before) / ((performance.now() - then) / 1000);
    if (visited > before) await this.pause();
    this.last = [visited, performance.now()];
    let budget = this.speed * this.known.slice;
    if (this.left <= 0) return visited ? 0 : this.known.glance;
    if (this.left < Infinity) budget = Math.min(budget, (0.7 * this.left * this.speed) / 1000 + 1);
    if (this.limits.nodes !== undefined) budget = Math.min(budget, this.limits.nodes - visited);
    return Math.max(0, Math.trunc(budget)) || (this.limits.nodes === undefined ? 1 : 0);
  }
}

export class GameSearch {
  constructor(engine) {
    this.engine = engine;
    this.pause = async () => {}; // replaced by a function that lets other tasks run between two slices, and may throw to end the search
    this.searcher = new Searcher(engine);
    this.kind = engine.game.search?.kind ?? "";
  }

  /** The limits of a level from 1 to 10. */
  limitsOf(level) {
    const { nodes, noise } = this.engine.fields.limits;
    return { nodes: nodes[level - 1], noise: noise[level - 1] };
  }

  /** Search a position that has a legal move: {lines: [{value, moves, depth}], nodes, proven}, with the engine's moves. */
  async analyse(position, past, limits, seed = 0, count = 1) {
    const { searcher, engine } = this;
    const pace = new Pace(limits, engine.fields.limits, this.pause);
    this.#begin(position, mayReturn(position, past), limits, seed, count);
    for (let budget; (budget = await pace.slice(searcher.get("visited"))) > 0;) if (searcher.go(budget, pace.nodesLeft)) break;
    return searcher.result(position);
  }

  #begin(position, past, limits, seed, lines) {
    const { searcher, engine } = this;
    const { speeds, unlimited, smallest_table, smallest_tree, per_node } = engine.fields.limits;
    const moves = engine.legal(position).length;
    const count = Math.min(lines, moves);
    const time = limits.time ?? unlimited;
    searcher.weigh(position);
    if (this.kind === "mcts") {
      const positions = Math.min(limits.nodes ?? Infinity, Math.floor(time * speeds.tree));
      const room = Math.min(LARGEST_TREE, Math.max(smallest_tree, per_node * positions));
      searcher.plant(position, past, room, seed, count, this.#isDrawn(position) ? this.#nextPlayer(position) : -1);
      return;
    }
    const bits = Math.floor(2 * (limits.nodes ?? time * speeds.table)).toString(2).length;
    searcher.prepare(position, past, Math.max(smallest_table, Math.min(LARGEST_TABLE, bits)));
    searcher.noise(limits.noise ?? 0, seed);
    if (this.kind === "beam") searcher.widen(count, limits.depth, limits.nodes ?? MANY, moves === 1);
    else searcher.deepen(count, limits.depth);
  }

  #isDrawn(state) { return this.engine.game.players[this.engine.game.turns[state.turn][0]].kind === "random"; }

  #nextPlayer(position) {
    const { turns, players } = this.engine.game;
    let at = position;
    for (let i = 0; i < 100; i += 1) {
      if (!this.#isDrawn(at)) return turns[at.turn][0];
      const [move] = this.engine.legal(at);
      if (!move) break;
      at = this.engine.after(at, move);
    }
    const next = [...turns.slice(position.turn), ...turns].map(([mover]) => mover).find((mover) => players[mover].kind === "player");
    return next ?? turns[position.turn][0];
  }

  /** The legs of the best complete turn, without repeating a position within it. */
  async turn(position, past, limits, seed) {
    const legs = [];
    const seen = new Set([this.engine.key(position)]);
    for (;;) {
      const { lines: [line] } = await this.analyse(position, past, limits, seed);
      for (const best of line.moves) {
        let leg = best;
        let after = this.engine.after(position, leg);
        const isCircle = after.chain >= 0 && seen.has(this.engine.key(after));
        if (isCircle) [leg, after] = this.#wayOut(position, seen);
        position = after;
        legs.push(leg);
        seen.add(this.engine.key(position));
        if (position.chain < 0 || legs.length >= MOST_LEGS) return legs;
        if (isCircle) break;
      }
    }
  }

  #wayOut(position, seen) {
    const pairs = this.engine.legal(position).map((move) => [move, this.engine.after(position, move)]);
    const merit = ([move, after]) => [!move.isPass, after.chain >= 0, seen.has(this.engine.key(after))];
    return pairs.sort((a, b) => compared(merit(a), merit(b)))[0];
  }
}

function compared(a, b) {
  for (const [i, x] of a.entries()) if (x !== b[i]) return x - b[i];
  return 0;
}

/** The earlier positions that may recur: those since the last change in the number of pieces, without a turn in progress. */
function mayReturn(position, past) {
  const pieces = ({ cell }) => cell.filter(Boolean).length;
  return past.slice(past.findLastIndex((before) => pieces(before) !== pieces(position)) + 1).filter(({ chain }) => chain < 0);
}
