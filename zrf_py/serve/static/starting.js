// Before the first move: what the game is, and who one plays against.
import { $, draw, make } from "./shared.js";
import { rulesButton } from "./rules.js";
import { PEOPLE } from "./server.js";
import { called, t, w } from "./words.js";

const TIMES = [["", w("no clock")], ["180 2", w("3 minutes + 2 s")], ["300 3", w("5 minutes + 3 s")], ["600 5", w("10 minutes + 5 s")],
  ["900 10", w("15 minutes + 10 s")], ["1800 20", w("30 minutes + 20 s")]];
const RIVALS = [["human", w("a person at this screen")], ["link", w("a person who joins by link")], ["ai:1", w("the computer: beginner")], ["ai:4", w("the computer: casual player")],
  ["ai:7", w("the computer: club player")], ["ai:10", w("the computer: strongest level")]];

/** `ask` sends a message; shown to who opened the board until somebody moves. */
export function showStart(state, info, ask) {
  const home = $("start");
  home.hidden = !state.owner || state.length > state.opening || Boolean(state.error);
  if (home.hidden || home.dataset.for === info.title) return;
  home.dataset.for = info.title;
  const players = info.players.filter((p) => p.kind === "player");
  const written = info.notes.find((note) => note.name === "Description")?.lines.join(" ") ?? "";
  const more = written.length > info.about.length ? [" ", rulesButton(w("more"), "more")] : [];
  const parts = info.about ? [make("p", { className: "about" }, info.about, ...more)] : [];
  if (players.length > 1) parts.push(choice(players, state, ask), ...(state.may?.offer === "yes" ? [terms(state, ask)] : []));
  parts.push(...[rulesButton()].filter(Boolean), ...pieces(info));
  home.querySelector("div").replaceChildren(...parts);
  home.hidden = parts.length === 0;
}

function choice(players, state, ask) {
  const side = make("select", { "aria-label": t("You play") },
    ...players.map((p) => make("option", { value: p.name, textContent: called(p.name) })));
  const rival = make("select", { "aria-label": t("Against") },
    ...RIVALS.filter(([value]) => value.startsWith("ai") || PEOPLE.includes(value)).map(([value, words]) => make("option", { value, textContent: t(words) })));
  const now = players.find((p) => (state.seats[p.name] ?? "human") === "human");
  if (now) side.value = now.name;
  const other = players.find((p) => p.name !== side.value);
  rival.value = state.seats[other?.name] ?? "human";
  const seat = () => {
    for (const p of players) ask({ type: "seat", player: p.name, who: p.name === side.value ? "human" : rival.value });
  };
  side.addEventListener("change", seat);
  rival.addEventListener("change", seat);
  return make("p", { className: "versus" }, make("span", { textContent: t("You play") }), side,
    make("span", { textContent: t("against") }), rival);
}

/** How much time there is, and whether there is help. */
function terms(state, ask) {
  const time = make("select", { "aria-label": t("Time") }, ...TIMES.map(([value, words]) => make("option", { value, textContent: t(words) })));
  time.value = state.clock ? `${state.clock.seconds} ${state.clock.increment}` : "";
  time.addEventListener("change", () => ask({ type: "offer", clock: time.value ? time.value.split(" ").map(Number) : null }));
  const box = (name, words) => {
    const input = make("input", { type: "checkbox", checked: Boolean(state.help?.[name]) });
    input.addEventListener("change", () => ask({ type: "offer", [name]: input.checked }));
    return make("label", {}, input, ` ${t(words)}`);
  };
  return make("p", { className: "versus" }, time, box("hints", w("Hints")), box("balance", w("Evaluation")));
}

/** The pieces with what the rules say of them. */
function pieces(info) {
  const list = make("ul", { className: "pieces", tabIndex: 0, "aria-label": t("Pieces") });
  for (const [kind, words] of info.help ?? []) {
    const symbol = `piece-${info.sides?.[kind] ?? 0}-${kind}`;
    const item = make("li", {});
    if (document.getElementById(symbol)) item.append(draw("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, draw("use", { href: `#${symbol}`, width: 100, height: 100 })));
    item.append(make("span", { textContent: words }));
    list.append(item);
  }
  return list.children.length > 1 ? [list] : [];
}
