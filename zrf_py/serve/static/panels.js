// The panels of the players beside a board, the controls of the computers' pace, and short messages.
import { PEOPLE } from "./server.js";
import { $, isNew, make, picture, press } from "./shared.js";
import { called, man, t, w } from "./words.js";

export const KINDS = { human: w("Human"), link: w("Human, by link"), random: w("Random"), greedy: w("Greedy") };
export const LEVELS = { 1: w("beginner"), 4: w("casual player"), 7: w("club player"), 10: w("strongest level") };

export function kindName(kind) {
  const level = /^ai:(\d+)$/.exec(kind);
  if (!level) return t(KINDS[kind] ?? kind);
  const name = LEVELS[level[1]];
  return t("Computer {level}", { level: level[1] }) + (name ? ` (${t(name)})` : "");
}

/** Show the players' strips: two face each other across the board, more are listed. `held` are rows of the pieces off
 * the board, from `supplies`; `doing`: ask(message), invite(player, token), take(button, byKey) for pieces off the board. @param {Shown} state @param {Info} info */
export function showSeats(state, info, kinds, held, isTurned, doing) {
  const seated = info.players.filter((p) => p.kind === "player");
  const { seats, away, owner, you, links, scores, taken, clock, names } = state;
  if (isNew("seats", info.title, seated, seats, away, names, owner, you, links, kinds, scores, taken, held, isTurned, Boolean(clock))) {
    const table = document.querySelector(".table");
    table.classList.toggle("many", seated.length > 2);
    table.classList.toggle("solo", seated.length < 2);
    const strips = new Map(seated.map((player) => [player, strip(player, state, info, kinds, held, doing)]));
    const [upper, lower] = seated.length > 2 ? [] : facing(seated, you, isTurned);
    for (const [id, players] of Object.entries({ above: [upper], below: [lower], beside: upper || lower ? [] : seated })) {
      $(id).replaceChildren(...players.filter(Boolean).map((player) => strips.get(player)));
    }
  }
  for (const row of document.querySelectorAll(".seat")) {
    const { player } = row.dataset;
    row.classList.toggle("on", state.player === player && !state.outcome);
    row.classList.toggle("won", Boolean(state.outcome?.winners.includes(player)));
    const select = row.querySelector("select");
    if (select) select.value = state.seats[player] ?? "human";
  }
}

/** Return the players above and below the board: by where their pieces start; if that does not decide, the user's side is below. Swapped if the board is turned. @param {Player[]} players @param {string[]} you @param {boolean} isTurned */
function facing([first, second], you, isTurned) {
  const isFirstUp = first.above || (second && !second.above && you.length === 1 && you[0] === second.name);
  const both = isFirstUp ? [first, second] : [second, first];
  return second && isTurned ? both.reverse() : both;
}

function strip(player, state, info, kinds, held, { ask, invite, take }) {
  const kind = state.seats[player.name] ?? "human";
  const row = make("div", { className: "seat", "data-player": player.name }, make("b", {}, swatch(player), called(player.name)));
  if (state.owner) row.append(picker(player.name, kind, kinds, ask));
  else row.append(make("span", { className: "soft", textContent: state.you.includes(player.name) ? t("You") : kindName(kind) }));
  if (state.names?.[player.name]) row.append(make("span", { className: "nickname", textContent: state.names[player.name] }));
  if (state.away?.includes(player.name)) row.append(make("span", { className: "absent", textContent: t("away") }));
  else if (Object.values(state.seats).includes("link") && PEOPLE.includes(kind)) row.append(make("span", { className: "present", title: t("here"), "aria-label": t("here"), role: "img" }));
  const token = state.links?.[player.name];
  if (token) row.append(press(t("Link for this seat"), () => invite(player.name, token), "button link"));
  const number = info.players.indexOf(player);
  row.append(make("div", { className: "stock" }, ...held.filter(([owner]) => owner === number).map((one) => hand(one, info, take)), ...prisoners(state.taken ?? [], info, number)));
  const numbers = state.scores?.filter(([owner]) => owner === player.name) ?? [];
  row.append(...numbers.map(([, count, words, of, name]) => make("span", { className: "score", textContent: t(words, { count, of, name }) })));
  if (state.clock) row.append(make("span", { className: "time" }));
  return row;
}

/** A button for the pieces of one type that a player holds. */
function hand([player, kind, count], info, take) {
  const type = info.types[kind];
  const words = `${count || ""} ${man(info.players[player].name, type)}`.trim();
  return press([...picture(kind, player), count ? `×${count}` : ""], (event) => take(event.target.closest(".held"), !event.detail), "held",
    { title: words, "aria-label": words, "aria-pressed": "false", "data-player": player, "data-type": type });
}

/** The pieces that a player has captured, by type, with their numbers. @param {State["taken"]} taken @param {Info} info */
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

/** Controls to pause computers and set their pace: for a user who plays alone, in games with computers. @param {Shown} state @param {Ask} ask */
export function showPace(state, ask) {
  const some = Object.entries(state.seats).some(([name, kind]) => !name.startsWith("?") && !["human", "link"].includes(kind));
  $("pace").hidden = !some || state.may?.pause !== "yes" || Boolean(state.outcome);
  if ($("pace").hidden) return;
  const pause = press(t("Pause"), () => ask({ type: "pause", on: pause.getAttribute("aria-pressed") !== "true" }), "button", { id: "pause", "aria-pressed": String(Boolean(state.paused)) });
  const onchange = () => ask({ type: "pause", pace: speed.value === "" ? null : Number(speed.value) });
  const speed = make("select", { "aria-label": t("Computer speed"), onchange }, ...PACES.map(([value, words]) => make("option", { value, textContent: t(words) })));
  speed.value = state.pace === null || state.pace === undefined ? "" : String(state.pace);
  if (!$("pace").contains(document.activeElement)) $("pace").replaceChildren(pause, speed);
  else $("pace").firstElementChild.setAttribute("aria-pressed", String(Boolean(state.paused)));
}

/** A dot in the colour of a player's pieces. */
function swatch(player) {
  const dot = make("i", { className: "swatch", "aria-hidden": "true" });
  if (player.fill) { dot.style.background = player.fill; dot.style.borderColor = player.ink; }
  else dot.hidden = true;
  return dot;
}

function picker(player, who, kinds, ask) {
  const options = [...PEOPLE, ...kinds].map((kind) => make("option", { value: kind, textContent: kindName(kind), selected: kind === who }));
  const onchange = ({ target }) => ask({ type: "seat", player, who: target.value });
  return make("select", { "aria-label": t("Who plays {player}", { player: called(player) }), onchange }, ...options);
}

let hiding = 0;

/** Show a short message that disappears by itself. */
export function toast(words) {
  clearTimeout(hiding);
  $("toast").textContent = words;
  $("toast").hidden = false;
  hiding = setTimeout(() => { $("toast").hidden = true; }, 4500);
}

/** Announce a text to users of screen readers. */
export function announce(words) { $("live").textContent = words; }

/** Show that the board does not exist any more; `home` is the address of the list of games. */
export function showGone(summary, home) {
  $("title").textContent = document.title = t("No board");
  document.body.classList.add("gone");
  document.querySelector("main").append(make("div", {}, make("p", { textContent: t(summary), role: "status" }), make("a", { href: home, textContent: t("All games") })));
}
