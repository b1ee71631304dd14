// The end of a game over the board: who won and why, the men that made it, and what may be done next.
import { $, make } from "./shared.js";
import { called, reason, t, w } from "./words.js";

const EDGE = 8; // pixels that are left between the banner and these men
let dismissed = ""; // the end that somebody looks through already

/** The result in words, such as `White won: checkmate`. */
export function result(outcome) {
  const names = (players) => players.map(called).join(t(" and "));
  const why = reason(outcome);
  const { winners, losers } = outcome;
  if (winners.length) return t(winners.length > 1 ? w("{who} won together: {why}") : w("{who} won: {why}"), { who: names(winners), why });
  if (losers.length) return t(losers.length > 1 ? w("{who} lost together: {why}") : w("{who} lost: {why}"), { who: names(losers), why });
  return t("Draw: {why}", { why });
}

/** `doing`: again(swap), share(), look(). */
export function showEnding(state, info, doing) {
  const banner = $("ending");
  const key = `${location.pathname} ${state.node ?? state.ply}`;
  if (!state.outcome || state.error || state.isOnlySeen) { banner.hidden = true; if (state.live !== false) dismissed = ""; return; }
  if (dismissed === key || !banner.hidden) return;
  const button = (words, run, main = false) => {
    const made = make("button", { type: "button", className: `button${main ? " main" : ""}`, textContent: t(words) });
    made.addEventListener("click", () => { dismissed = key; banner.hidden = true; run(); });
    return made;
  };
  const scores = (state.scores ?? []).map(([name, score]) => `${called(name)} ${score}`).join("  ·  ");
  const row = make("div", { className: "row" });
  if (state.owner) row.append(button(w("Play again"), () => doing.again(false), true));
  if (state.owner && info.players.filter((p) => p.kind === "player").length > 1) row.append(button(w("Change sides"), () => doing.again(true)));
  row.append(button(w("Look through it"), doing.look), button(w("Share"), doing.share));
  banner.replaceChildren(make("strong", { textContent: result(state.outcome) }),
    ...(scores ? [make("p", { textContent: scores })] : []), row);
  banner.hidden = false;
  requestAnimationFrame(() => moveAside(banner));
}

/** Put the banner where it hides fewest of the men that made the end. */
function moveAside(banner) {
  const men = [...document.querySelectorAll("#board .lit .won")].map((mark) => mark.getBoundingClientRect());
  const hidden = ["", "top", "bottom"].map((at) => {
    banner.dataset.at = at;
    const over = banner.getBoundingClientRect();
    return [men.filter((man) => man.left < over.right + EDGE && man.right > over.left - EDGE && man.top < over.bottom + EDGE && man.bottom > over.top - EDGE).length, at];
  });
  banner.dataset.at = hidden.sort(([a], [b]) => a - b)[0][1];
}
