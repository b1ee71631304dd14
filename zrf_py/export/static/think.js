// Who looks ahead: alpha-beta, the tree, the beam, and complete turns of them: the same as the drivers of search/.
import { keyOf } from "./engine.js";
import { Searcher } from "./searcher.js";

const WIN = 1 << 28;
const INFINITE = 1 << 30;
const SURE = WIN - 4096;
const WINDOW = 60;
const TABLE_BITS = [12, 18]; // at least, at most: what the strongest level of computers takes
const DEEPEST = 100;
const NODES = [20, 50, 130, 330, 800, 2000, 6000, 17000, 45000, 120000];
const NOISE = [900, 500, 250, 120, 40, 30, 20, 12, 8, 6];
const GLANCE = 200;
const SLICE = 15; // milliseconds after which others may speak
const PER_NODE = 24;
const LARGEST_TREE = 1 << 18; // nodes: what a telephone has room for
const MOST_LEGS = 500;

/** Limits of a level from 1 to 10. */
export const limitsOf = (level) => ({ nodes: NODES[level - 1], noise: NOISE[level - 1] });

/** How many positions may be visited before the others are let in; ends when `stop` says so. */
class Pace {
  constructor(limits, pause) {
    Object.assign(this, { limits, pause, began: performance.now(), speed: 200000, last: [0, performance.now()] });
    this.slice = (visited) => this.#slice(visited);
  }

  get left() { return this.limits.time === undefined ? Infinity : this.limits.time * 1000 - 3 - (performance.now() - this.began); }

  async #slice(visited) {
    const [before, then] = this.last;
    if (visited - before > 200 && performance.now() > then) this.speed = (visited - before) / ((performance.now() - then) / 1000);
    if (visited > before) await this.pause();
    this.last = [visited, performance.now()];
    let wanted = (this.speed * SLICE) / 1000;
    if (this.left <= 0) return visited ? 0 : GLANCE;
    if (this.left < Infinity) wanted = Math.min(wanted, (0.7 * this.left * this.speed) / 1000 + 1);
    if (this.limits.nodes !== undefined) wanted = Math.min(wanted, this.limits.nodes - visited);
    return Math.max(0, Math.trunc(wanted)) || (this.limits.nodes === undefined ? 1 : 0);
  }
}

export class GameSearch {
  /** `pause` lets others in between two slices, and throws to end the search. */
  constructor(engine) {
    this.engine = engine;
    this.pause = async () => {};
    this.searcher = new Searcher(engine);
    this.kind = engine.game.search?.kind ?? "";
  }

  /** {lines: [{value, moves, depth}], nodes, proven} of a position in which there is a move; moves as the engine has them. */
  async analyse(position, past, limits, seed = 0, count = 1) {
    const run = { alphabeta: AlphaBeta, mcts: Tree, beam: Beam }[this.kind];
    return new run(this, position, limits, count).run(mayReturn(position, past), seed);
  }

  /** The legs of the best complete turn; nobody goes round in circles. */
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
    const found = this.engine.legal(position).map((move) => [move, this.engine.after(position, move)]);
    const merit = ([move, after]) => [!move.isPass, after.chain >= 0, seen.has(this.engine.key(after))];
    return found.sort((a, b) => compared(merit(a), merit(b)))[0];
  }
}

function compared(a, b) {
  for (const [i, x] of a.entries()) if (x !== b[i]) return x - b[i];
  return 0;
}

const pieces = (state) => state.cell.reduce((count, held) => count + (held ? 1 : 0), 0);

/** Those of the earlier positions that could come again: as many pieces, no turn under way. */
function mayReturn(position, past) {
  const found = [];
  for (let i = past.length - 1; i >= 0 && pieces(past[i]) === pieces(position); i -= 1) if (past[i].chain < 0) found.push(past[i]);
  return found.reverse();
}

/** The moves of a line from their numbers in the order of generation; then the position is in memory again. */
function movesOf(search, position, numbers) {
  const found = [];
  let at = position;
  for (const number of numbers) {
    const moves = search.engine.legal(at);
    if (number >= moves.length) break;
    found.push(moves[number]);
    at = search.engine.after(at, moves[number]);
  }
  search.searcher.restart(position);
  return found;
}

const bitLength = (number) => Math.floor(number).toString(2).length;

class Run {
  constructor(search, position, limits, count) {
    Object.assign(this, { search, searcher: search.searcher, engine: search.engine, position, limits, count, visited: 0, proven: false, lines: [] });
    this.pace = new Pace(limits, search.pause);
  }

  get wanted() { return this.limits.nodes ?? (this.limits.time ?? 10) * 500000; }

  tableBits() { return Math.max(TABLE_BITS[0], Math.min(TABLE_BITS[1], bitLength(2 * this.wanted))); }
}

class AlphaBeta extends Run {
  async run(past, seed) {
    const moves = this.engine.legal(this.position);
    this.searcher.weigh(this.position);
    this.searcher.prepare(this.position, past, this.tableBits());
    this.searcher.noise(this.limits.noise ?? 0, seed);
    this.count = Math.min(this.count, moves.length);
    this.lines = [{ value: 0, moves: [moves[0]], depth: 0, first: 0 }];
    let value = 0;
    for (let depth = 1; depth <= (this.limits.depth ?? DEEPEST); depth += 1) {
      if (!await this.#depth(depth, value)) break;
      [{ value }] = this.lines;
      const best = Math.abs(value);
      if ((moves.length === 1 && this.limits.depth === undefined) || (best > SURE ? WIN - best <= depth : this.proven)) break;
    }
    return { lines: this.lines, nodes: this.visited, proven: this.proven };
  }

  /** Search all wanted lines to a depth; false if a limit ended it. */
  async #depth(depth, guess) {
    const found = [];
    const skipped = [];
    let proven = true;
    for (let number = 0; number < this.count; number += 1) {
      this.searcher.skip(skipped);
      const near = number === 0 && depth > 3 && Math.abs(guess) < SURE ? guess : null;
      const result = await this.#window(depth, near);
      if (result.line.length && (result.complete || (this.count === 1 && result.value > -INFINITE))) {
        found.push({ value: result.value, moves: movesOf(this.search, this.position, result.line), depth, first: result.line[0] });
        skipped.push(result.line[0]);
      }
      if (!result.complete) { this.#keep(found); return false; }
      proven &&= result.proven;
    }
    this.#keep(found);
    this.proven = proven || Math.abs(this.lines[0].value) > SURE;
    return true;
  }

  /** What a depth found comes before what is left from the depth before, which is worth no more. */
  #keep(found) {
    if (!found.length) return;
    const firsts = new Set(found.map((line) => line.first));
    const rest = this.lines.filter((line) => !firsts.has(line.first) && line.depth);
    this.lines = descending([...byValue(found), ...byValue(rest)].slice(0, this.count));
  }

  async #window(depth, guess) {
    if (guess !== null) {
      const [low, high] = [guess - WINDOW, guess + WINDOW];
      const found = await this.searcher.deepen(this.position, depth, low, high, this.pace.slice);
      this.visited = found.visited;
      if (found.complete ? low < found.value && found.value < high : true) {
        return found.complete || found.value > low ? found : { ...found, value: -INFINITE, line: [], complete: false, proven: false };
      }
    }
    const found = await this.searcher.deepen(this.position, depth, -INFINITE, INFINITE, this.pace.slice);
    this.visited = found.visited;
    return found;
  }
}

class Tree extends Run {
  async run(past, seed) {
    const most = this.limits.nodes ?? Infinity;
    const room = Math.min(LARGEST_TREE, Math.max(4096, PER_NODE * Math.min(most, Math.floor((this.limits.time ?? 10) * 200000))));
    this.searcher.weigh(this.position);
    this.searcher.plant(this.position, past, room, seed + 1, this.engine.game.search.manner);
    while (!this.proven && this.visited < most) {
      const budget = await this.pace.slice(this.visited);
      if (budget <= 0) break;
      [this.proven, this.visited] = this.searcher.follow(budget);
    }
    return this.result();
  }

  result() {
    const player = this.#nextPlayer();
    const children = this.searcher.nodesBelow(0, player);
    const visited = [...children.keys()].filter((i) => children[i].visits);
    const known = visited.length ? visited : [0];
    const isDrawn = this.#isDrawn(this.position);
    const order = known.sort((a, b) => (isDrawn ? this.#share(children[b], player) - this.#share(children[a], player) : compared(this.#merit(children[b]), this.#merit(children[a]))));
    const shares = known.map((i) => this.#share(children[i], player));
    const lines = order.slice(0, this.count).map((i) => this.#line(children, i, player));
    this.searcher.restart(this.position);
    const value = isDrawn ? hundredths(shares.reduce((a, b) => a + b, 0) / shares.length) : lines[0].value;
    return { lines, nodes: this.visited, proven: this.proven, value, player };
  }

  #isDrawn(state) { return this.engine.game.players[this.engine.game.turns[state.turn][0]].kind === "random"; }

  #nextPlayer() {
    const { turns, players } = this.engine.game;
    let at = this.position;
    for (let i = 0; i < 100; i += 1) {
      if (!this.#isDrawn(at)) return turns[at.turn][0];
      const [move] = this.engine.legal(at);
      if (!move) break;
      at = this.engine.after(at, move);
    }
    const next = [...turns.slice(this.position.turn), ...turns].map(([mover]) => mover).find((mover) => players[mover].kind === "player");
    return next ?? turns[this.position.turn][0];
  }

  #line(children, number, player) {
    const moves = [];
    const first = children[number];
    let at = this.position;
    for (;;) {
      moves.push(this.engine.legal(at)[number]);
      at = this.engine.after(at, moves.at(-1));
      children = this.searcher.nodesBelow(children[number].number);
      if (!children.length || moves.length > 40) break;
      number = 0;
      for (const i of children.keys()) if (compared(this.#merit(children[i]), this.#merit(children[number])) > 0) number = i;
      if (children[number].visits < 2 && children[number].proven < 0) break;
    }
    return { value: this.#value(first, player), moves, depth: moves.length };
  }

  #value(node, player) {
    if (node.proven > 0) return (node.proven >> player) & 1 ? WIN - 1 - node.far : 1 + node.far - WIN;
    return hundredths(this.#share(node, player));
  }

  #share(node, player) {
    if (node.proven >= 0) return node.proven === 0 ? 0.5 : (node.proven >> player) & 1;
    return node.visits ? node.asked : 0.5;
  }

  #merit(node) {
    const isChance = this.engine.game.players[node.mover].kind === "random";
    if (node.proven > 0 && !isChance) return (node.proven >> node.mover) & 1 ? [1, -node.far, 0] : [-1, node.far, 0];
    return node.proven >= -1 ? [0, node.visits, node.reward] : [-2, 0, 0];
  }
}

const SPREAD = 300;

/** The value that stands for a share of games won. */
function hundredths(share) {
  const lead = Math.min(0.999, Math.max(-0.999, 2 * share - 1));
  return Math.round((SPREAD * lead) / (1 - Math.abs(lead)));
}

const ANSWERED = 8;
const WAYS_DEEPEST = 9;

class Beam extends Run {
  async run(past, seed) {
    const moves = this.engine.legal(this.position);
    const noise = this.limits.noise ?? 0;
    this.lines = [{ value: 0, moves: moves.slice(0, 1), depth: 0 }];
    this.searcher.weigh(this.position);
    this.searcher.prepare(this.position, past, this.tableBits());
    this.searcher.noise(Math.min(900, Math.floor(noise ** 2 / 4)), seed);
    this.first = 0;
    let width = 1;
    while (await this.#pass(width) && width < this.searcher.widest && (moves.length > 1 || this.limits.depth)) width = this.#nextWidth(width);
    this.searcher.restart(this.position);
    return { lines: this.lines, nodes: this.searcher.get("visited"), proven: this.proven };
  }

  #depth(width) { return Math.min(this.limits.depth ?? WAYS_DEEPEST, width > 1 ? bitLength(width) - (width > 3 ? 1 : 0) : 1); }

  #nextWidth(before) {
    const { widest } = this.searcher;
    const byNodes = this.limits.nodes === undefined ? 1e18 : this.limits.nodes - this.searcher.get("visited");
    const left = 0.8 * Math.min(byNodes, this.pace.left < Infinity ? (this.pace.left / 1000) * this.pace.speed : 1e18);
    let width = 2 * before;
    const next = (w) => Math.floor((w * 9) / 8) + 1;
    while (width < widest && this.#cost(next(width)) < left) width = next(width);
    return Math.min(width, widest);
  }

  #cost(width) {
    const each = width >= ANSWERED ? this.engine.game.search.players : 1;
    return this.first * (1 + each * width * (this.#depth(width) - 1));
  }

  /** Look ahead some own turns, going on from so many positions each time; false if nothing more is to be done. */
  async #pass(width) {
    const { searcher } = this;
    const depth = this.#depth(width);
    const best = new Map();
    let done = true;
    let made = 1;
    searcher.widen(this.position, width);
    for (; made <= depth; made += 1) {
      done = await searcher.grow(width >= ANSWERED && made < depth, this.limits.nodes, this.pace.slice);
      const won = searcher.wayToWin();
      if (won) {
        const line = this.#line(won, width, made, WIN - won.legs.length);
        const rest = this.lines.filter((other) => beginning(other) !== beginning(line));
        this.lines = descending([line, ...rest].slice(0, this.count));
        this.proven = made === 1;
        return !this.proven;
      }
      const ways = done || made === 1 ? searcher.ways() : [];
      if (!done && !ways.length) break;
      if (!ways.length) return this.#isLost(best, width);
      for (const way of ways.slice(0, this.count).reverse()) best.set(way.legs.slice(0, way.first).join(), [made, way]);
      if (!done) break;
      if (width === 1) this.first = searcher.get("visited");
      searcher.nextGeneration(ways.map((way) => way.slot), width);
    }
    if (best.size && (done || Math.min(made, depth) > this.lines[0].depth)) this.#keep(best, width);
    return done;
  }

  #isLost(best, width) {
    const draw = this.searcher.wayToDraw();
    if (draw) this.lines = [this.#line(draw, width, 1, 0)];
    else if (best.size) this.#keep(best, width);
    return true;
  }

  #keep(best, width) {
    const found = [...best.values()].sort(([a, x], [b, y]) => b - a || y.value - x.value).slice(0, this.count);
    this.lines = descending(found.map(([made, way]) => this.#line(way, width, made, way.lead)));
  }

  #line(way, width, made, value) {
    const isWhole = width >= ANSWERED && this.pace.left > 10;
    return { value, moves: movesOf(this.search, this.position, isWhole ? way.legs : way.legs.slice(0, way.first)), depth: made };
  }
}

/** Lines of equal standing, best first. */
const byValue = (lines) => [...lines].sort((a, b) => b.value - a.value);

/** Lines in their order, none worth more than the one before it. */
function descending(lines) {
  let least = INFINITE;
  return lines.map((line) => ({ ...line, value: (least = Math.min(least, line.value)) }));
}

/** From and to of the first leg of a line. */
export const beginning = (line) => keyOf(line.moves[0]);
