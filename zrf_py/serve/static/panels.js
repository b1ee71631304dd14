// The panels beside a board: who plays, the moves, what the rules say about the game.
import { picture } from "./menus.js";
import { PEOPLE } from "./server.js";
import { $, isNew, make } from "./shared.js";
import { called, man, t, w } from "./words.js";

const KINDS = { human: w("Human"), link: w("Human, by link"), random: w("Random"), greedy: w("Greedy") };
const NAMED = { 1: w("beginner"), 4: w("casual player"), 7: w("club player"), 10: w("strongest level") };

export function kindName(kind) {
  const level = /^ai:(\d+)$/.exec(kind);
  if (!level) return t(KINDS[kind] ?? kind);
  const name = NAMED[level[1]];
  return t("Computer {level}", { level: level[1] }) + (name ? ` (${t(name)})` : "");
}

/** Players and who plays them; `ask` sends a message, `invite` shows a link. */
export function showSeats(state, info, kinds, ask, invite) {
  const seated = info.players.filter((p) => p.kind !== "neutral");
  const { seats, away, owner, you, links, scores, taken } = state;
  if (isNew("seats", info.title, seated, seats, away, owner, you, links, kinds, scores, taken)) seat(seated, state, info, kinds, ask, invite);
  for (const [i, { name }] of seated.entries()) {
    const row = $("seats").children[i];
    row.classList.toggle("on", state.player === name && !state.outcome);
    const select = row.querySelector("select");
    if (select) select.value = state.seats[name] ?? "human";
  }
}

function seat(players, state, info, kinds, ask, invite) {
  const rows = players.map((player) => {
    const kind = state.seats[player.name] ?? "human";
    const row = make("div", { className: "seat" }, make("b", {}, swatch(player), called(player.name)));
    if (player.kind === "random") row.append(make("span", { className: "soft", textContent: t("dice or chance") }));
    else if (state.owner) row.append(picker(player.name, kind, kinds, ask));
    else row.append(make("span", { className: "soft", textContent: state.you.includes(player.name) ? t("You") : kindName(kind) }));
    if (state.away?.includes(player.name)) row.append(make("span", { className: "absent", textContent: t("away") }));
    const token = state.links?.[player.name];
    if (token) {
      const button = make("button", { type: "button", className: "button link", textContent: t("Link for this seat") });
      button.addEventListener("click", () => invite(player.name, token));
      row.append(button);
    }
    const numbers = state.scores?.filter(([owner]) => owner === player.name) ?? [];
    row.append(...numbers.map(([, count, words, of, name]) => make("span", { className: "score", textContent: t(words, { count, of, name }) })));
    row.append(...prisoners(state.taken ?? [], info, info.players.indexOf(player)));
    return row;
  });
  $("seats").replaceChildren(...rows);
}

/** The men that a player took off the board, each kind with its number. */
function prisoners(taken, info, taker) {
  const own = taken.filter(([player]) => player === taker);
  if (!own.length) return [];
  const pictures = own.map(([, side, kind, number]) => {
    const seen = picture(kind, side);
    return make("span", { className: "man", "aria-hidden": "true" }, ...(seen.length ? seen : [t(info.types[kind])]), ...(number > 1 ? [`×${number}`] : []));
  });
  const said = own.map(([, side, kind, number]) => `${number} ${man(info.players[side].name, info.types[kind])}`).join(", ");
  return [make("div", { className: "taken", title: t("Captured: {men}", { men: said }) }, make("span", { className: "sr", textContent: t("Captured: {men}", { men: said }) }), ...pictures)];
}

const PACES = [["", w("normal speed")], ["0", w("instantly")], ["2", w("slowly")], ["6", w("very slowly")]];

/** Whether computers wait, and how fast they go on: for who plays alone, where computers play at all. */
export function showPace(state, ask) {
  const some = Object.entries(state.seats).some(([name, kind]) => !name.startsWith("?") && !["human", "link"].includes(kind));
  $("pace").hidden = !some || state.may?.pause !== "yes" || Boolean(state.outcome);
  if ($("pace").hidden) return;
  const pause = make("button", { type: "button", className: "button", id: "pause", "aria-pressed": String(Boolean(state.paused)), textContent: t("Pause") });
  pause.addEventListener("click", () => ask({ type: "pause", on: pause.getAttribute("aria-pressed") !== "true" }));
  const speed = make("select", { "aria-label": t("Speed of computers") }, ...PACES.map(([value, words]) => make("option", { value, textContent: t(words) })));
  speed.value = state.pace === null || state.pace === undefined ? "" : String(state.pace);
  speed.addEventListener("change", () => ask({ type: "pause", pace: speed.value === "" ? null : Number(speed.value) }));
  if (!$("pace").contains(document.activeElement)) $("pace").replaceChildren(pause, speed);
  else $("pace").firstElementChild.setAttribute("aria-pressed", String(Boolean(state.paused)));
}

/** A dot in the colour of a player's men. */
function swatch(player) {
  const dot = make("i", { className: "swatch", "aria-hidden": "true" });
  if (player.fill) { dot.style.background = player.fill; dot.style.borderColor = player.ink; }
  else dot.hidden = true;
  return dot;
}

function picker(player, who, kinds, ask) {
  const options = [...PEOPLE, ...kinds].map((kind) => make("option", { value: kind, textContent: kindName(kind), selected: kind === who }));
  const select = make("select", { "aria-label": t("Who plays {player}", { player: called(player) }) }, ...options);
  select.addEventListener("change", () => ask({ type: "seat", player, who: select.value }));
  return select;
}

let hiding = 0;

/** A few words that go by themselves. */
export function toast(words) {
  clearTimeout(hiding);
  $("toast").textContent = words;
  $("toast").hidden = false;
  hiding = setTimeout(() => { $("toast").hidden = true; }, 4500);
}

/** What is said to those who don't see the board. */
export function announce(words) {
  $("live").textContent = words;
}
