// Evaluation of positions: the best lines as pages show them, and winning chances, as in play/advice.py and chances.py.
import { isWonBy, keyOf } from "./engine.js";

const WIN = 1 << 28;
const SURE = WIN - 4096;
const MAX_SHOWN = 12; // maximum number of moves of a line that are shown
const LOOK = { nodes: 30000, time: 4 }; // as in play/advice.py
const LOOK_LINES = 3;
const UNTOLD = "winning chances aren't available for this game";

/** The positions reached by a sequence of the engine's legs. */
export function walked(position, legs) {
  const positions = [];
  let current = position;
  for (const leg of legs) {
    current = current.play(current.moves.find((m) => m.raw.record.join() === leg.record.join()));
    positions.push(current);
  }
  return positions;
}

/** Convert one of the best lines for the page; `chance` is its player's expected score. */
function toldLine(position, { value, moves: legs, depth }, chance) {
  const path = walked(position, legs);
  const moves = path.slice(0, MAX_SHOWN).map((after) => {
    const { raw, text } = after.move;
    return [text, ...(raw.isPass ? [-1, -1] : keyOf(raw)), after.inTurn];
  });
  const turns = [];
  for (let from = 0; from < path.length && turns.length < MAX_SHOWN;) {
    const end = path.findIndex((after, i) => i >= from && !after.inTurn);
    const turn = path.slice(from, end < 0 ? path.length : end + 1);
    turns.push(turn.at(-1).turnOf(turn));
    from += turn.length;
  }
  const ends = value > SURE ? WIN - value : value < -SURE ? -(WIN + value) : null;
  const score = ends === null ? `${value < 0 ? "" : "+"}${(value / 100).toFixed(2)}` : ends > 0 ? `wins in ${ends}` : `loses in ${-ends}`;
  return { moves, score, ends, chance, depth, turns };
}

/** Evaluates the positions of one game. */
export class Adviser {
  /** `greedy` evaluates pieces and distances. */
  constructor(game, greedy) {
    this.game = game; this.greedy = greedy; this.sides = game.sides;
  }

  /** The best lines, found by `search`, and each side's winning chances: {player, lines, chances}, without `player` after the end; if the chances are unknown, `chances` is null and `why` the reason. */
  async look(position, search) {
    const outcome = position.outcome();
    if (outcome) return { lines: [], chances: this.#told(this.#ended(outcome)) };
    const analysis = await search.analyse(position.state, position.earlier(), LOOK, 0, LOOK_LINES);
    const reply = this.lines(position, analysis);
    return this.game.chances.tells || analysis.proven || reply.lines[0].ends !== null ? { ...reply, chances: this.#told(this.shares(position, analysis)) } : { ...reply, chances: null, why: UNTOLD };
  }

  #ended(outcome) {
    const won = this.sides.filter((side) => side.some((p) => isWonBy(outcome, p)));
    const isDrawn = !won.length || won.length === this.sides.length;
    return [...this.sides.map((side) => (!isDrawn && won.includes(side) ? 1 / won.length : 0)), Number(isDrawn)];
  }

  /** Convert the best lines of a search for the page. */
  lines(position, analysis) {
    const { player, isDrawn } = this.#worthTo(position, analysis);
    const mine = this.sides.findIndex((side) => side.includes(player));
    const lines = analysis.lines.map((line, i) => {
      const shares = this.shares(position, analysis, i || isDrawn ? line.value : undefined);
      return toldLine(position, line, (shares[mine] ?? 0) + shares.at(-1) / this.sides.length);
    });
    return { player: position.game.players[player].name, lines, nodes: analysis.nodes, proven: analysis.proven };
  }

  #worthTo(position, analysis) {
    const mover = this.game.turns[position.state.turn][0];
    const isDrawn = this.game.players[mover].kind === "random";
    return { player: isDrawn ? analysis.player : mover, isDrawn };
  }

  /** The chances of each side and of a draw, from the best line or from `value`; proven results are certain. */
  shares(position, analysis, value = undefined) {
    const best = analysis.value ?? analysis.lines[0].value;
    if (value === undefined && analysis.proven && Math.abs(best) <= SURE && this.sides.length === 2) return [0, 0, 1];
    return softmax(this.game.chances.weights, this.features(position, this.#worthTo(position, analysis).player, value ?? best));
  }

  /** The features from which the chances are computed: a row for each side, then one for the draw. */
  features(position, mover, value) {
    const { sides, greedy } = this;
    const counted = (count) => (sides.length > 2 ? centred(sides.map((side) => side.reduce((sum, p) => sum + count(p), 0))) : sides.map(() => 0));
    const have = counted((p) => greedy.material(position.state, p));
    const far = counted((p) => greedy.progress(position.state, p));
    const lead = value / 100;
    const late = this.#stage(position.state);
    const rows = sides.map((side, i) => {
      const worth = side.includes(mover) ? lead : -lead / Math.max(1, sides.length - 1);
      return [worth, ...sides.slice(1).map((_, j) => Number(i === j + 1)), have[i], far[i], 0, 0, worth * late];
    });
    return [...rows, [...Array(2 + sides.length).fill(0), 1, Math.abs(lead), 0]];
  }

  /** The stage of the game, from 0 (start) to 1: the share of its pieces that have left the board, or of its empty squares now occupied. */
  #stage({ cell }) {
    const [men, begun] = [cell, this.game.start.cell].map((cells) => cells.filter(Boolean).length);
    return Math.abs(men - begun) / Math.max(1, men < begun ? begun : cell.length - begun);
  }

  /** The shares for the page, with whole percentages that add up to 100; the draw comes last, without players. */
  #told(shares) {
    const percents = shares.map((share) => Math.floor(100 * share));
    const rest = [...shares.keys()].sort((a, b) => percents[a] - 100 * shares[a] - (percents[b] - 100 * shares[b]));
    for (const i of rest.slice(0, Math.max(0, 100 - percents.reduce((a, b) => a + b, 0)))) percents[i] += 1;
    return [...this.sides, []].map((side, i) => ({ players: side.map((p) => this.game.players[p].name), share: shares[i], percent: percents[i] }));
  }
}

function centred(values) {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const wide = values.reduce((sum, v) => sum + Math.abs(v), 0) / values.length || 1;
  return values.map((v) => Math.max(-4, Math.min(4, (8 * (v - mean)) / wide)));
}

function softmax(weights, rows) {
  const sums = rows.map((row) => weights.reduce((sum, weight, k) => sum + weight * row[k], 0));
  const top = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp(sum - top));
  const all = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => part / all);
}
