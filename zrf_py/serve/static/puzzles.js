// A puzzle: a position with one winning turn. After a wrong turn the user can try again; buttons show the solution and the next puzzle.
import { LEVELS } from "./panels.js";
import { $, make, press, recall, remember } from "./shared.js";
import { called, t, w } from "./words.js";

const SOLVED = "zrf-puzzles"; // storage key of the numbers of solved puzzles, by the title of their game
const WRONG = 900; // milliseconds for which a wrong move is shown

/** Numbers of the puzzles of a game that were solved in this browser. */
const solved = (title) => new Set(recall(SOLVED, {})[title] ?? []);

/** State of a puzzle after the moves played since its position: `open`, `begun` (legs are missing), `solved` or `wrong`. */
export function standOf(moves, played) {
  if (played.some((text, i) => i < moves.length && text !== moves[i])) return "wrong";
  return played.length >= moves.length ? "solved" : played.length ? "begun" : "open";
}

/** Show the panel of a puzzle, in place of the panel for starting a game; `ask` sends a message, `play` plays legs. @param {Shown} state @param {Info} info @param {Ply[]} plies */
export function showPuzzle(state, info, plies, { ask, play }) {
  const { puzzle } = state;
  const home = $("puzzle");
  home.hidden = !puzzle;
  if (!puzzle) return;
  const stand = standOf(puzzle.moves, plies.slice(1, state.ply).map(([text]) => text));
  const key = `${info.title} ${puzzle.number}`;
  const [isSolution, isTried] = [home.dataset.shown === key, home.dataset.tried === key];
  if (stand === "solved" && !isSolution) remember(SOLVED, { ...recall(SOLVED, {}), [info.title]: [...solved(info.title).add(puzzle.number)] });
  if (stand === "wrong") {
    home.dataset.tried = key;
    setTimeout(() => ask({ type: "goto", node: state.begins }), WRONG);
  }
  const to = (number) => () => ask({ type: "puzzle", number });
  const rival = info.players.find((p) => p.kind === "player" && p.name !== puzzle.player)?.name;
  const words = { wrong: w("That turn doesn't win."), solved: isSolution ? w("The solution: {line}") : w("Correct! {line}"), begun: w("Correct so far: continue the turn."),
    open: isTried ? w("Try again: {name} has exactly one winning turn.") : w("{name} to move. Find the winning turn.") }[stand];
  const next = press(t("Next puzzle"), to(following(info, puzzle.number)), stand === "solved" ? "button main" : "button");
  const answer = press(t("Show the solution"), () => { home.dataset.shown = key; play(puzzle.moves); });
  const on = press(t("Play on against the computer"), () => ask({ type: "seat", player: rival, who: info.kinds?.findLast((kind) => kind.startsWith("ai:")) ?? "greedy" }));
  home.replaceChildren(make("h2", { textContent: t("Puzzle {number} of {of}", puzzle) }),
    make("p", { className: `puzzle ${stand}`, role: "status", textContent: t(words, { name: called(puzzle.player), line: puzzle.line.join(" ") }) }),
    make("p", { className: "soft", textContent: rating(puzzle) }),
    make("div", { className: "choices" }, next, ...(stand === "open" ? [answer] : []), ...(stand === "solved" && rival && state.seats[rival] === "human" && !state.outcome ? [on] : [])), numbers(info, puzzle.number, to));
}

function rating({ level, wins_in: winsIn }) {
  const name = LEVELS[Math.max(...Object.keys(LEVELS).map(Number).filter((least) => least <= level))];
  const found = level > 10 ? t("No level of the computer player finds it.") : t("Found by computer level {level} ({name}) and above.", { level, name: t(name) });
  return `${found} ${winsIn ? t("The win is certain in {count} moves.", { count: Math.ceil(winsIn / 2) }) : t("It wins by a clear margin.")}`;
}

/** The number of the next unsolved puzzle (the first one follows the last); if all are solved, that of the next puzzle. */
function following({ title, puzzles }, number) {
  const done = solved(title);
  const order = puzzles.map((_, i) => (number + i) % puzzles.length + 1);
  return order.find((one) => !done.has(one)) ?? order[0];
}

/** All puzzles of a game by their numbers, the easiest first. */
function numbers({ title, puzzles }, number, to) {
  const done = solved(title);
  const chips = puzzles.map((level, i) => press(i + 1, to(i + 1), done.has(i + 1) ? "done" : "",
    { title: t("Level {level}", { level }), "aria-current": String(i + 1 === number) }));
  return make("details", { className: "numbers" }, make("summary", { textContent: t("{count} of {of} solved", { count: done.size, of: puzzles.length }) }), make("div", {}, ...chips));
}

/** A button that leads to the puzzles of a game, if it has any. */
export function puzzlesButton({ title, puzzles = [] }, ask) {
  return puzzles.length ? [press(t("Puzzles ({count})", { count: puzzles.length }), () => ask({ type: "puzzle", number: following({ title, puzzles }, 0) }))] : [];
}
