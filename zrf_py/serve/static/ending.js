// The result of a game, beside the board: who won and why, and what to do next.
import { $, isNew, make, press, recall, remember } from "./shared.js";
import { called, reason, t, w } from "./words.js";

const CLOSED = "zrf-closed"; // storage key of the results whose panels the user has closed
const MAX_CLOSED = 50;
const ABORTED = w("the game was aborted");

/** The result in words, such as `White won: checkmate`, with the `scores` if there are any. @param {Outcome} outcome */
export function result(outcome, scores = []) {
  const numbers = scores.filter((row) => row.length < 5).map(([name, score]) => `${called(name)} ${score}`).join(", ");
  return outcomeIn(outcome) + (numbers && ` (${numbers})`);
}

function outcomeIn(outcome) {
  const names = (players) => players.map(called).join(t(" and "));
  const why = reason(outcome);
  const { winners, losers } = outcome;
  if (winners.length) return t(winners.length > 1 ? w("{who} won together: {why}") : w("{who} won: {why}"), { who: names(winners), why });
  if (losers.length) return t(losers.length > 1 ? w("{who} lost together: {why}") : w("{who} lost: {why}"), { who: names(losers), why });
  return outcome.sentence === ABORTED ? t(ABORTED) : t("Draw: {why}", { why });
}

/** `doing`: again(swap), share(), look(), review(). @param {Shown} state @param {Info} info */
export function showEnding(state, info, doing) {
  const panel = $("ending");
  const key = `${location.pathname} ${state.node ?? state.ply}`;
  panel.hidden = $("ribbon").hidden = !state.outcome || Boolean(state.error) || state.isOnlySeen || recall(CLOSED, []).includes(key);
  if (panel.hidden || !isNew("ending", key, state.may?.new)) return;
  $("ribbon").textContent = result(state.outcome, state.scores);
  const button = (words, run, main = false) => press(t(words), run, main ? "button main" : "button");
  const close = press("×", () => {
    remember(CLOSED, [key, ...recall(CLOSED, [])].slice(0, MAX_CLOSED));
    panel.hidden = $("ribbon").hidden = true;
  }, "button icon", { "aria-label": t("Close") });
  const row = make("div", { className: "row" });
  const isAmongPeople = state.may?.new === "ask"; // players then swap sides in the next game
  if (isAmongPeople || state.may?.new === "yes") row.append(button(isAmongPeople ? w("Rematch") : w("Play again"), () => doing.again(isAmongPeople), true));
  if (state.may?.new === "yes" && info.players.filter((p) => p.kind === "player").length > 1) row.append(button(w("Change sides"), () => doing.again(true)));
  if (state.may?.review === "yes") row.append(button(w("Review"), doing.review));
  row.append(button(w("View the game"), doing.look), button(w("Share"), doing.share));
  panel.replaceChildren(close, make("strong", { textContent: result(state.outcome, state.scores) }), row);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !$("ending")?.hidden && !document.querySelector("dialog[open]")) $("ending")?.querySelector("button")?.click();
});
