// Requests between users and their answers, rematches, variations, the clock, and the winning chances.
import { calledBy } from "./company.js";
import { toast } from "./panels.js";
import { numberOf } from "./record.js";
import { $, isNew, make, press } from "./shared.js";
import { play as sound } from "./sounds.js";
import { called, t, told } from "./words.js";

/** Show a request of a user, with buttons to answer it or, if it is this user's own, to withdraw it. @param {Shown} state @param {Ask} ask */
export function showAsked(state, ask) {
  $("asked").hidden = !state.asked && !$("asked").dataset.another;
  if (!isNew("asked", state.asked, state.names) || !state.asked) return;
  const { asked } = state;
  const by = asked.by === "owner" ? Object.keys(state.seats).find((seat) => state.seats[seat] === "human") ?? "" : asked.by;
  const name = calledBy(state, by) || t("The player who opened this board");
  const words = make("span", { textContent: asked.what === "draw" ? (asked.own ? t("You offered a draw.") : t("{name} offers a draw.", { name })) : asked.what === "new" ? (asked.own ? t("You offered a rematch.") : t("{name} offers a rematch.", { name })) : asked.own ? t("You asked to take moves back.") : t("{name} asks to take moves back.", { name }) });
  const reply = (label, agree) => press(label, () => ask({ type: "answer", agree }), agree ? "button main" : "button");
  const buttons = asked.own ? [reply(t("Cancel"), false)] : asked.answer ? [reply(t("Accept"), true), reply(t("Decline"), false)] : [];
  $("asked").replaceChildren(words, ...buttons);
}

/** Offer spectators a link to the rematch that the players have started. @param {Messages["another"]} message */
export function showAnother({ id }) {
  $("asked").dataset.another = id;
  $("asked").replaceChildren(make("span", { textContent: t("The rematch has started.") }), make("a", { className: "button", href: id, textContent: t("Watch") }));
  $("asked").hidden = false;
}

export function tellAnswer({ what, agreed, withdrawn }) {
  if (!withdrawn) toast(what === "draw" ? t("Draw declined") : what === "new" ? t("Rematch declined") : agreed ? t("Takeback accepted") : t("Takeback declined"));
}

/** List the variations of the line shown; a click goes there. @param {Shown} state @param {Ply[]} line @param {Ask} ask */
export function showVariations(state, line, ask) {
  const all = state.variations ?? [];
  $("variations").hidden = all.length === 0;
  $("variations").replaceChildren(...all.map(({ ply, node, plies, tried }) => {
    const words = plies.filter((entry) => !entry[2]).map((entry) => entry[5] ?? entry[0]).join(", ");
    const before = make("span", { className: "soft", textContent: `${numberOf([...line.slice(0, ply), ...plies], ply + 1)} ` });
    return make("li", {}, press([before, words], () => ask({ type: "goto", node }), "line", { title: tried ? t("Variation") : t("Moves played earlier") }));
  }));
}

const TENTHS = 20; // seconds below which tenths are shown
let ticking = 0;
const warned = new Set(); // boards on which the warning about the last seconds has sounded

/** Show each player's time; that of the player to move is running. @param {Shown} state */
export function showClock(state) {
  clearInterval(ticking);
  if (!state.clock) return;
  const { left, running, seconds } = state.clock;
  const began = performance.now();
  const show = () => {
    for (const row of document.querySelectorAll(".seat")) {
      const { player } = row.dataset;
      const now = Math.max(0, left[player] - (player === running ? (performance.now() - began) / 1000 : 0));
      const time = row.querySelector(".time");
      if (player === running && state.you.includes(player) && now < seconds / 10 && !warned.has(location.pathname)) { warned.add(location.pathname); sound("low"); }
      time.className = `time${player === running ? " on" : ""}${now < seconds / 10 ? " low" : ""}`;
      time.textContent = `${Math.floor(now / 60)}:${String(Math.floor(now % 60)).padStart(2, "0")}${now < TENTHS ? (now % 1).toFixed(2).slice(1, 3) : ""}`;
    }
  };
  show();
  if (running) ticking = setInterval(show, 100);
}

/** The chance of one side, or of a draw, in words. @param {Chance} chance */
export const chanceWords = ({ players, percent }) => `${players.length ? players.map(called).join(t(" and ")) : t("Draw")} ${t("{percent}%", { percent })}`;

/** Show the winning chances in words and as a bar beside the board; `chances` is null if they are unknown. @param {Shown} state @param {Info} info */
export function showWorth(state, info) {
  const { worth } = state;
  $("worth").hidden = $("scale").hidden = !state.judged || state.may?.evaluate !== "yes";
  const shares = worth?.chances ?? [];
  const lower = $("below").querySelector(".seat")?.dataset.player;
  $("scale").classList.toggle("two", Boolean(lower));
  $("scale").replaceChildren(...shares.map(({ players, share }) => {
    const part = make("div", { className: "share" });
    part.style.flexGrow = share;
    part.style.order = players.includes(lower) ? 2 : players.length ? 0 : 1;
    part.style.background = info.players.find((p) => p.name === players[0])?.fill ?? "";
    return part;
  }));
  const words = shares.map(chanceWords);
  const why = !worth ? "…" : told(worth.why) || t("No evaluation available");
  $("worth").querySelector("span").textContent = words.length ? words.join(" · ") : why;
}
