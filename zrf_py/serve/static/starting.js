// The panel before the first move: the game, the user's side, the opponents and the time control.
import { $, choice, make, picture, press } from "./shared.js";
import { KINDS, LEVELS } from "./panels.js";
import { puzzlesButton } from "./puzzles.js";
import { rulesButton } from "./rules.js";
import { PEOPLE } from "./server.js";
import { called, t, w } from "./words.js";

const TIMES = [["", w("no clock")], ["180 2", w("3 minutes + 2 s")], ["300 3", w("5 minutes + 3 s")], ["600 5", w("10 minutes + 5 s")],
  ["900 10", w("15 minutes + 10 s")], ["1800 20", w("30 minutes + 20 s")]];
const RANDOM = "?";
let begin = () => {};

/** Show the panel to the board's owner, until a move is made or Play is pressed; `invite` shows a seat's link. @param {Shown} state @param {Info} info @param {Ask} ask */
export function showStart(state, info, ask, invite) {
  const home = $("start");
  const [guest] = home.dataset.invites ? Object.entries(state.links ?? {}) : [];
  if (guest) { delete home.dataset.invites; invite(...guest); }
  if (state.length > state.opening) delete home.dataset.begun;
  home.hidden = !state.owner || Boolean(state.puzzle) || state.isOnlySeen || state.length > state.opening || Boolean(state.error) || Boolean(home.dataset.begun);
  document.querySelector(".table").classList.toggle("starting", !home.hidden);
  if (home.hidden || home.dataset.for === info.title) return;
  home.dataset.for = info.title;
  const players = info.players.filter((p) => p.kind === "player");
  const written = info.notes.find((note) => note.name === "Description")?.lines.join(" ") ?? "";
  const more = written.length > info.about.length ? [" ", rulesButton(w("more"), "more", "notes")] : [];
  const about = info.about ? [make("p", { className: "about" }, info.about, ...more)] : [];
  const play = press(t("Play"), () => {
    begin();
    home.dataset.begun = "1";
    home.hidden = true;
    document.querySelector(".table").classList.remove("starting");
    document.querySelector('#board .place[tabindex="0"]')?.focus({ preventScroll: true });
  }, "button main wide");
  home.replaceChildren(make("h2", { textContent: t("A new game") }), ...about,
    ...(players.length > 1 ? [...questions(players, state, info, ask), play] : []), make("div", { className: "choices" }, ...[rulesButton(), ...puzzlesButton(info, ask)].filter(Boolean)), ...pieces(info));
}

/** Apply the choices; called on Play, or with the first move. */
export const beginGame = () => begin();

function questions(players, state, info, ask) {
  const kinds = players.map((p) => state.seats[p.name] ?? "human");
  const own = players[kinds.indexOf("human")]?.name ?? "";
  const others = new Set(players.filter((p) => p.name !== own).map((p) => state.seats[p.name] ?? "human"));
  const pace = state.clock ? `${state.clock.seconds} ${state.clock.increment}` : "";
  const named = (value, title, small) => [value, [make("b", { textContent: t(title) }), make("small", { textContent: small })]];
  const rivals = [named("human", w("Same screen"), t(KINDS.human)), named("link", w("By link"), t(KINDS.human)),
    ...Object.entries(LEVELS).map(([level, name]) => named(`ai:${level}`, name, t("Computer {level}", { level })))];
  const side = choice("side", t("You play"), [...players.map((p) => [p.name, [...emblem(info, p), called(p.name)]]), [RANDOM, [t("Random")]]], own);
  const rival = choice("rival", t("Against"), rivals.filter(([value]) => value.startsWith("ai") || PEOPLE.includes(value)), others.size === 1 ? [...others][0] : "", "tiles");
  const time = choice("time", t("Time"), TIMES.map(([value, words]) => [value, [value ? short(value) : t(words)], t(words)]), pace);
  const isNew = new Set();
  for (const set of [side, rival, time]) set.addEventListener("change", () => isNew.add(set));
  begin = () => {
    if (isNew.has(time)) ask({ type: "offer", clock: time.chosen ? time.chosen.split(" ").map(Number) : null });
    if (isNew.has(side) || isNew.has(rival)) {
      const mine = side.chosen === RANDOM ? players[Math.floor(Math.random() * players.length)].name : side.chosen;
      const seats = players.map((p) => [p.name, p.name === mine ? "human" : rival.chosen || "human"]);
      if (rival.chosen === "link") $("start").dataset.invites = "1";
      for (const [player, who] of seats.sort((a, b) => Number(b[0] === mine) - Number(a[0] === mine))) ask({ type: "seat", player, who });
    }
    isNew.clear();
  };
  return [side, rival, ...(state.may?.offer === "yes" ? [time, help(state, ask)] : [])];
}

/** A time control in short form: minutes and increment. */
function short(value) {
  const [seconds, more] = value.split(" ").map(Number);
  return `${seconds / 60}+${more}`;
}

/** A picture of the piece type of which the player has the fewest pieces on the board. @param {Info} info @param {Player} player */
function emblem(info, player) {
  const number = info.players.indexOf(player);
  const men = [...document.querySelectorAll(`#board .piece[data-player="${number}"]`)].map((node) => node.dataset.type);
  const count = (type) => men.filter((one) => one === type).length;
  const [rarest] = [...new Set(men)].sort((a, b) => count(a) - count(b));
  return picture(Math.max(0, info.types.indexOf(rarest)), number);
}

/** Checkboxes for offering hints and evaluations. @param {Shown} state @param {Ask} ask */
function help(state, ask) {
  const box = (name, words) => {
    const onchange = ({ target }) => ask({ type: "offer", [name]: target.checked });
    return make("label", {}, make("input", { type: "checkbox", checked: Boolean(state.help?.[name]), onchange }), ` ${t(words)}`);
  };
  return make("p", { className: "checks" }, box("hints", w("Hints")), box("balance", w("Evaluation")));
}

/** The pieces with their descriptions in the rules. @param {Info} info */
function pieces(info) {
  const list = make("ul", { className: "pieces", "aria-label": t("Pieces") });
  for (const [kind, words] of info.help ?? []) list.append(make("li", {}, ...picture(kind, info.sides?.[kind] ?? 0), make("span", { textContent: words })));
  return list.children.length > 1 ? [list] : [];
}
