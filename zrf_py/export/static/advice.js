// What a computer thinks of positions: the best lines as pages show them, and chances to win, as in play/chances.py.
import { keyOf } from "./engine.js";

const WIN = 1 << 28;
const SURE = WIN - 4096;
const SPREAD = 300; // the value with which three games of four are won
const MAX_SHOWN = 12; // moves of a line that are told
const NODES = 300; // of the search that chances ask
const UNFITTED = 2000; // the same where no games were played to learn from
const UNTOLD = "who will win can't be told in this game";

/** Legs that follow each other from a position, as the engine has them: the positions they lead to. */
export function walked(position, legs) {
  const found = [];
  let here = position;
  for (const leg of legs) {
    here = here.play(here.moves.find((m) => m.raw.record.join() === leg.record.join()));
    found.push(here);
  }
  return found;
}

/** What is told of the best lines: `analysis` of the search, of a position. */
export function toldLines(position, analysis) {
  const isDrawn = position.game.players[position.game.turns[position.state.turn][0]].kind === "random";
  const player = isDrawn ? position.game.players[analysis.player].name : position.player;
  return { player, lines: analysis.lines.map((line) => toldLine(position, line)), nodes: analysis.nodes, proven: analysis.proven };
}

function toldLine(position, { value, moves: legs, depth }) {
  const way = walked(position, legs);
  const moves = way.slice(0, MAX_SHOWN).map((after) => {
    const { raw, text } = after.move;
    return [text, ...(raw.isPass ? [-1, -1] : keyOf(raw)), after.inTurn];
  });
  const turns = [];
  for (let from = 0; from < way.length && turns.length < MAX_SHOWN;) {
    const end = way.findIndex((after, i) => i >= from && !after.inTurn);
    const turn = way.slice(from, end < 0 ? way.length : end + 1);
    turns.push(turn.at(-1).turnOf(turn));
    from += turn.length;
  }
  const ends = value > SURE ? WIN - value : value < -SURE ? -(WIN + value) : null;
  const share = ends === null ? value / (Math.abs(value) + SPREAD) : ends > 0 ? 1 : -1;
  const score = ends === null ? `${value < 0 ? "" : "+"}${(value / 100).toFixed(2)}` : ends > 0 ? `wins in ${ends}` : `loses in ${-ends}`;
  return { moves, score, ends, value: share, depth, turns };
}

/** How likely each side wins, and a draw, in one game. */
export class Chances {
  /** `greedy` counts pieces and steps; `analyse(position, limits)` searches. */
  constructor(game, greedy, analyse) {
    Object.assign(this, { game, greedy, analyse });
    this.own = [...game.players.keys()].filter((p) => game.players[p].kind === "player");
    this.sides = [...new Map(this.own.map((p) => [game.teams[p].join(), game.teams[p]])).values()];
  }

  /** Whether there is anything to tell of any position. */
  get canTell() { return Boolean(this.game.search) && (Boolean(this.game.chances) || this.sides.length === 2); }

  /** {chances: [{players, share, percent}]}, or null and why. */
  async weigh(position) {
    const { chances } = this.game;
    const outcome = position.outcome();
    if (outcome) return this.#told(this.#ended(outcome));
    if (chances && !chances.tells) return { chances: null, why: UNTOLD };
    return chances ? this.#told(softmax(chances.weights, await this.features(position))) : this.#told(await this.#unfitted(position));
  }

  #ended({ winners, losers }) {
    const won = winners.length ? winners : losers.length ? this.own.filter((p) => !losers.includes(p)) : [];
    return [...this.own.map((p) => (won.includes(p) ? 1 / won.length : 0)), won.length ? 0 : 1];
  }

  /** A row of numbers for each player, then one for the draw. */
  async features(position) {
    const { own, greedy, game } = this;
    const { state } = position;
    const have = centred(own.map((p) => greedy.material(state, p)));
    const far = centred(own.map((p) => greedy.progress(state, p)));
    const past = position.earlier();
    const late = Math.min(2, past.length / 60);
    const mover = own.indexOf(game.turns[state.turn][0]);
    const told = await this.#searched(position);
    const rows = own.map((_, i) => {
      const said = i === mover ? told : -told / Math.max(1, own.length - 1);
      const seat = own.slice(1).map((__, j) => Number(i === j));
      return [have[i], have[i] * late, far[i], far[i] * late, said, said * late, Number(i === mover), ...seat, 0, 0, 0];
    });
    return [...rows, [...Array(6 + own.length).fill(0), 1, late, Math.abs(told)]];
  }

  /** What a short search says of the player to move, from -3 (lost) to 3 (won). */
  async #searched(position) {
    const { players, turns } = this.game;
    if (!position.moves.length || players[turns[position.state.turn][0]].kind === "random") return 0;
    const { lines: [{ value }] } = await this.analyse(position, { nodes: NODES });
    return (3 * value) / (Math.abs(value) + SPREAD);
  }

  async #unfitted(position) {
    const found = await this.analyse(position, { nodes: UNFITTED });
    const value = found.value ?? found.lines[0].value;
    const player = found.player ?? this.game.turns[position.state.turn][0];
    const share = (1 + value / (Math.abs(value) + SPREAD)) / 2;
    const side = this.sides.find((team) => team.includes(player)) ?? [];
    return [...this.own.map((p) => (side.includes(p) ? share / side.length : (1 - share) / (this.own.length - side.length))), 0];
  }

  /** Sides together, whole percents that sum to a hundred; the draw last, with no players. */
  #told(shares) {
    const { players } = this.game;
    const found = this.sides.map((side) => [side.map((p) => players[p].name), side.reduce((sum, p) => sum + shares[this.own.indexOf(p)], 0)]);
    if (this.game.chances || shares.at(-1)) found.push([[], shares.at(-1)]);
    const whole = found.map(([, share]) => Math.floor(100 * share));
    const rest = [...found.keys()].sort((a, b) => whole[a] - 100 * found[a][1] - (whole[b] - 100 * found[b][1]));
    for (const i of rest.slice(0, Math.max(0, 100 - whole.reduce((a, b) => a + b, 0)))) whole[i] += 1;
    return { chances: found.map(([names, share], i) => ({ players: names, share, percent: whole[i] })) };
  }
}

function centred(values) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const wide = values.reduce((sum, v) => sum + Math.abs(v), 0) / values.length || 1;
  return values.map((v) => Math.max(-4, Math.min(4, (8 * (v - mean)) / wide)));
}

function softmax(weights, rows) {
  const sums = rows.map((row) => row.reduce((sum, x, k) => sum + weights[k] * x, 0));
  const top = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp(sum - top));
  const all = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / all);
}
