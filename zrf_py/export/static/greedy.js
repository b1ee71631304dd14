// The greedy player, which looks one turn ahead, and its evaluation: the same as play/players.py, with turns as in play/turns.py.
import { NOBODY, isWonBy, kindAt, ownerAt } from "./engine.js";

const MOST_POSITIONS = 10000; // maximum number of positions within one turn
const REPLIES = 500; // maximum number of replies tried to find a safe turn; then the best-rated turn is played
const FEW = 60; // if there are at most so many turns, each is tested: can the next player move after it?
const LINK = 0.5; // value of a step towards a goal; a piece is worth 1 plus its mobility
const SLICE = 15; // milliseconds after which other tasks may run

export class TooMany extends Error {}

export class Greedy {
  /** `pause` lets other tasks run. */
  constructor(engine, pause) {
    const { game } = engine;
    this.engine = engine; this.game = game; this.pause = pause; this.spoken = performance.now();
    this.values = game.greedy.values; this.goals = game.greedy.goals;
    this.near = game.places.map(() => new Set());
    for (const table of game.short.links) for (const [start, end] of table.entries()) if (end >= 0) this.near[end].add(start);
  }

  async #breathe() {
    if (performance.now() - this.spoken < SLICE) return;
    await this.pause();
    this.spoken = performance.now();
  }

  /** Every complete turn: {legs, end}, one for each result. Throws `TooMany`. */
  async turns(position) {
    const byKey = new Map();
    const start = board(position);
    const seen = new Set([this.#identity(position)]);
    const queue = [[position, []]];
    for (const [reached, legs] of queue) {
      for (const move of this.engine.legal(reached)) {
        const end = this.engine.after(reached, move);
        const key = this.#identity(end);
        if (end.chain < 0) {
          if ((!legs.length || board(end) !== start) && !byKey.has(key)) byKey.set(key, { legs: [...legs, move], end });
        } else if (!seen.has(key)) {
          if (seen.size >= MOST_POSITIONS) throw new TooMany();
          seen.add(key);
          queue.push([end, [...legs, move]]);
        }
      }
      await this.#breathe();
    }
    return [...byKey.values()];
  }

  #identity(p) {
    const held = p.stores.subarray(0, p.stores.length - this.game.players.length).join();
    return p.chain < 0 ? `${board(p)};${held};${p.turn}` : `${this.engine.key(p)};${held};${p.lastFrom};${p.lastTo}`;
  }

  /** The legs of the best-rated turn, preferably one that doesn't lose at once; ties at random. Throws `TooMany`. */
  async turn(position) {
    const mover = this.game.turns[position.turn][0];
    const turns = shuffled(await this.turns(position));
    for (const turn of turns) {
      turn.worth = this.rate(turn.end, mover, turns.length <= FEW);
      await this.#breathe();
    }
    const rated = turns.sort((a, b) => b.worth - a.worth);
    if (!rated.length) return [];
    const end = this.#outcome(rated[0].end);
    if (end && isWonBy(end, mover)) return rated[0].legs;
    let tried = 0;
    for (const { legs, end } of rated) {
      const [isDanger, replies] = this.#losesAtOnce(end, mover);
      tried += replies;
      if (!isDanger) return legs;
      if (tried > REPLIES) break;
      await this.#breathe();
    }
    return rated[0].legs;
  }

  #outcome(position) {
    if (position.outcome || !this.game.ends.length) return position.outcome;
    return this.engine.outcome(position, this.engine.legal(position), 1);
  }

  rate(position, mover, isThorough) {
    const outcome = isThorough ? this.#outcome(position) : position.outcome;
    if (outcome) return isWonBy(outcome, mover) ? 1e9 : isLost(outcome, mover) ? -1e9 : 0;
    return this.material(position, mover) + this.progress(position, mover);
  }

  /** The value of the mover's pieces minus that of others, on the board and in hand; neutral pieces on the board don't count. */
  material(position, mover) {
    const { players, types } = this.game;
    let total = 0;
    for (const square of position.cell.keys()) {
      const owner = ownerAt(position, square);
      if (owner === NOBODY || players[owner].kind === "neutral") continue;
      total += (owner === mover ? 1 : -1) * this.values[kindAt(position, square)];
    }
    for (const player of players.keys()) {
      for (const kind of types.keys()) total += (player === mover ? 1 : -1) * Math.max(0, position.stores[player * types.length + kind]) * this.values[kind];
    }
    return total;
  }

  /** The negative distance of the mover's pieces from the nearest of its goals, times `LINK`; 0 if it has none. */
  progress(position, mover) {
    const distances = this.goals[mover].map((goal) => -LINK * this.#distance(position, mover, new Set(goal)));
    return distances.length ? Math.max(...distances) : 0;
  }

  #distance(position, mover, goal) {
    const queue = [...goal].filter((square) => ownerAt(position, square) !== mover);
    const distance = new Map(queue.map((square) => [square, 0]));
    for (const current of queue) {
      for (const neighbour of this.near[current]) {
        if (distance.has(neighbour)) continue;
        distance.set(neighbour, distance.get(current) + 1);
        queue.push(neighbour);
      }
    }
    const away = [...position.cell.keys()].filter((square) => ownerAt(position, square) === mover && !goal.has(square));
    return away.reduce((sum, square) => sum + (distance.get(square) ?? this.near.length), 0);
  }

  #losesAtOnce(position, mover) {
    if (position.outcome) return [false, 0];
    const moves = this.engine.legal(position);
    const at = moves.findIndex((move) => {
      const { outcome } = this.engine.after(position, move);
      return outcome && isLost(outcome, mover);
    });
    return at < 0 ? [false, moves.length] : [true, at + 1];
  }
}

const board = (p) => `${p.cell.join()};${p.attributes?.join() ?? ""}`;
const isLost = (outcome, player) => outcome.winners.length + outcome.losers.length > 0 && !isWonBy(outcome, player);

function shuffled(items) {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}
