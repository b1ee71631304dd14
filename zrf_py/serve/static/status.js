// The state of a position in words: the line below the board, counters, and the buttons that are enabled.
import { result } from "./ending.js";
import { thrownFor } from "./record.js";
import { $ } from "./shared.js";
import { called, t, told } from "./words.js";

/** Return whether other users play at this table. */
const hasRivals = (state) => Object.keys(state.seats).some((name) => !name.startsWith("?") && !state.you.includes(name));
/** Return whether the position of a puzzle is shown, perhaps after a wrong move; `game` is then at its end. */
const isPuzzle = ({ puzzle, ply, opening, game }) => Boolean(puzzle) && ply === opening && game <= opening + puzzle.moves.length;
const maySteer = (state) => state.owner || state.you.length > 0;

/** `isMine`: whether the user can make a move here. @param {Shown} state @param {Ply[]} plies @param {import('./choosing.js').Choosing} choosing @param {boolean} isMine */
export function showState(state, plies, choosing, isMine) {
  $("broken").hidden = !state.error;
  $("broken").querySelector("pre").textContent = state.error ?? "";
  $("note").hidden = !state.note;
  $("note").textContent = told(state.note);
  $("status").textContent = words(state, choosing, isMine);
  const thrown = state.outcome ? "" : thrownFor(state, plies);
  $("thrown").textContent = thrown && t("Rolled: {words}", { words: thrown });
  $("dot").className = `dot${state.thinking ? " busy" : state.outcome || state.error ? " over" : ""}`;
  showButtons(state, isMine);
}

function showButtons(state, isMine) {
  const steers = maySteer(state) && !state.error;
  $("back").disabled = $("first").disabled = Boolean(state.error) || state.ply <= state.opening;
  $("forward").disabled = $("last").disabled = Boolean(state.error) || state.ply >= state.length;
  $("undo").disabled = !steers || state.tip === state.begins || Boolean(state.asked);
  $("hint").hidden = state.may?.hint !== "yes";
  $("hint").disabled = !isMine;
  $("evaluate").hidden = state.may?.evaluate !== "yes";
  $("evaluate").setAttribute("aria-pressed", String(Boolean(state.judged)));
  $("resume").hidden = !(state.paused && steers && !state.outcome);
  $("resign").hidden = state.may?.resign !== "yes" || !state.player || !state.live || Boolean(state.outcome) || state.length <= state.opening || !hasRivals(state);
  $("return").hidden = state.live || Boolean(state.error) || isPuzzle(state);
  $("analysis").hidden = state.may?.analyse !== "yes" && state.may?.review !== "yes" && state.may?.draft !== "yes";
  for (const [name, right] of [["lines", "analyse"], ["review", "review"], ["edit", "draft"]]) $(name).hidden = state.may?.[right] !== "yes";
  $("moves").hidden = !state.length && !state.variations?.length;
  for (const name of ["new", "load", "variant"]) $(name).disabled = !state.owner;
}

/** The player to move and what to do, or the result of the game. @param {Shown} state */
export function words(state, choosing, isMine) {
  if (state.error) return t("Fix the errors in the rules first");
  const place = state.ply > state.game ? t("Variation.") : state.turn === "try" ? t("Earlier position; a move here starts a variation.") : t("Earlier position.");
  return `${state.live || isPuzzle(state) ? "" : place} ${wordsHere(state, choosing, isMine)}`.trim();
}

function wordsHere(state, choosing, isMine) {
  if (state.isOnlySeen) return t("View only");
  if (state.outcome) return result(state.outcome, state.scores);
  const kind = state.seats[state.player] ?? "human";
  const name = called(state.player);
  if (state.thinking) return kind === "random" ? `${name} …` : (state.preparing ? t("{name} is preparing …", { name }) : t("{name} is thinking …", { name }));
  if (choosing.open) return t("{name}: choose a move", { name });
  if (state.inTurn) return choosing.free.length ? t("{name}: continue the move or end the turn", { name }) : t("{name}: continue the move", { name });
  const whose = isMine || !["human", "link"].includes(kind) ? "" : state.away?.includes(state.player) ? t(" (away)") : t(" (not your seat)");
  const check = state.check?.length ? t(", in check") : "";
  return state.player ? t("{name} to move", { name }) + check + whose : t("No player to move");
}

/** Return whether all players of this browser (in a puzzle, its player) start in the upper half of the board; false if there are none. */
export function isFromAbove(info, state) {
  const own = info.players.filter((p) => (state.puzzle ? p.name === state.puzzle.player : state.you.includes(p.name)) && (state.seats[p.name] ?? "human") !== "random");
  return own.length > 0 && own.every((p) => p.above);
}
