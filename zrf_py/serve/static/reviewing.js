// The review of a game: a graph of the winning chances after every move, and the biggest mistakes.
import { judge } from "./judging.js";
import { chanceWords } from "./people.js";
import { numberOf } from "./record.js";
import { $, draw, make, press } from "./shared.js";
import { called, t, told } from "./words.js";

const [TEXT, PLAYER, SAID] = [0, 1, 5];
const [WIDTH, HEIGHT] = [300, 96];
const MOST = 6; // maximum number of mistakes listed

export class Review {
  /** `mark` shows the annotations of moves, by ply. */
  constructor(ask, mark) {
    this.ask = ask; this.mark = mark;
    this.forget();
    $("review").addEventListener("click", () => { this.begin(); ask({ type: "review" }); });
    $("graph").addEventListener("click", (event) => this.click(event));
  }

  forget() {
    this.told = []; // by ply: {ply, node, chances, lines, proven}
    this.of = 0;
    this.why = "";
  }

  begin() {
    this.forget();
    this.why = t("Reviewing the game …");
    this.show();
  }

  /** Follow a new state; discard all evaluations if the line has changed. @param {Shown} state @param {Info} info @param {Ply[]} plies */
  follow(state, info, plies, nodes) {
    const isSame = this.told.every((entry, ply) => !entry || entry.node === (ply ? nodes[ply - 1] : 0));
    this.state = state; this.info = info; this.plies = plies;
    if (!isSame) this.forget();
    $("review").disabled = state.length === state.opening || Boolean(state.error);
    this.show();
  }

  tell(evaluation) {
    const { ply, of, chances, why } = evaluation;
    this.of = of;
    this.told[ply] = evaluation;
    this.why = chances ? "" : told(why);
    this.show();
  }

  /** Show that the sample games from which the chances are learned are still being played. */
  learning(why) {
    if (this.why) { this.why = why; this.show(); }
  }

  show() {
    const evaluated = this.told.filter((entry) => entry?.chances);
    const count = this.told.filter(Boolean).length;
    const isUnderWay = this.of > count;
    $("graph").hidden = evaluated.length < 2;
    $("falls").replaceChildren();
    this.known = []; // by ply: evaluations, corrected by those after them
    const falls = evaluated.reduceRight((later, entry) => [...this.judged(entry), ...later], []);
    this.mark(new Map(falls.map(({ ply, mark }) => [ply, mark])));
    const finished = evaluated.length < 2 ? "" : falls.length ? t("Review finished. The biggest mistakes:") : t("Review finished: no move loses 5% or more.");
    $("review-words").textContent = this.why || (isUnderWay ? t("{count} of {of} positions", { count, of: this.of }) : finished);
    const here = evaluated.length < 2 ? null : this.told[this.state.ply]?.chances;
    $("graph-words").textContent = here ? t("Position shown: {words} (dashed line: 50%)", { words: here.map(chanceWords).join(", ") }) : "";
    if (evaluated.length < 2) return;
    $("graph").replaceChildren(this.graph(evaluated));
    const most = falls.sort((a, b) => b.before - b.after - a.before + a.after).slice(0, MOST).sort((a, b) => a.ply - b.ply);
    $("falls").replaceChildren(...most.map((fall) => make("li", {}, this.fall(fall))));
  }

  /** Draw all shares as stacked areas, the first player's at the bottom, that of a draw on top; and a line at the position shown. */
  graph(evaluated) {
    const x = (ply) => WIDTH * this.#along(ply);
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const groups = evaluated[0].chances.map((part) => part.players);
    let below = evaluated.map(() => 0);
    for (const [i, players] of groups.entries()) {
      const above = evaluated.map(({ chances }, k) => below[k] + chances[i].share);
      const points = [...evaluated.map(({ ply }, k) => [x(ply), above[k]]), ...evaluated.map(({ ply }, k) => [x(ply), below[k]]).reverse()];
      svg.append(draw("polygon", { points: points.map(([a, b]) => `${a},${HEIGHT * (1 - b)}`).join(" "), fill: this.colour(players) }));
      below = above;
    }
    svg.append(draw("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
    svg.append(draw("line", { class: "here", x1: x(this.state.ply), x2: x(this.state.ply), y1: 0, y2: HEIGHT }));
    const words = evaluated.at(-1).chances.map(chanceWords).join(", ");
    $("graph").setAttribute("aria-label", t("Winning chances, move by move; at the end {words}", { words }));
    return svg;
  }

  /** The progress of the game at a ply, from 0, where it begins, to 1. */
  #along(ply) { return Math.max(0, ply - this.state.opening) / this.#plies; }

  get #plies() { return Math.max(1, this.state.length - this.state.opening); }

  colour(players) { return this.info.players.find((p) => p.name === players[0])?.fill ?? "#a9a49b"; }

  /** A list with the move before a position if it is a mistake; otherwise empty. */
  judged(entry) {
    const { ply, node, chances } = entry;
    const move = this.plies[ply - 1];
    const before = this.told[ply - 1];
    if (!before?.chances || !chances.some(({ players }) => players.includes(move[PLAYER]))) return [];
    const verdict = judge(before, this.known[ply] ?? entry, move[PLAYER], move[TEXT]);
    this.known[ply - 1] = verdict.known;
    return verdict.mark ? [{ ...verdict, ply, node, said: move[SAID] ?? move[TEXT], name: called(move[PLAYER]) }] : [];
  }

  fall({ node, ply, said, mark, name, before, after, better }) {
    const words = t("{number} {move}: {name} from {from}% to {to}%; better: {better}", {
      number: numberOf(this.plies, ply), move: said + mark, name, from: Math.round(100 * before), to: Math.round(100 * after), better });
    return press(words, () => this.ask({ type: "goto", node }), "line");
  }

  click(event) {
    const box = $("graph").getBoundingClientRect();
    const ply = this.state.opening + Math.round(((event.clientX - box.left) / box.width) * this.#plies);
    const node = this.told[ply]?.node;
    if (node !== undefined) this.ask({ type: "goto", node });
  }
}
