// People at one table: names, presence, phrases, draw offers, games that are aborted or claimed.
import { announce, toast } from "./panels.js";
import { PEOPLE } from "./server.js";
import { $, fill, isNew, make, press, recall, remember } from "./shared.js";
import { called, t, titled, w } from "./words.js";

const NAME = "zrf-name"; // storage key of the user's name, the same in all games
const PHRASES = [w("Hello! Have fun."), w("Good move!"), w("Thank you."), w("One moment, please."), w("Good game!"), w("Bye!")];
const MAX_NAME = 24;
const talk = []; // the fields for phrases and for the name, created once

/** The seats that other people hold. */
const guests = (state) => Object.keys(state.seats).filter((name) => !state.you.includes(name) && PEOPLE.includes(state.seats[name]));
const isCompany = (state) => PEOPLE.includes("link") && Object.values(state.seats).includes("link");
/** The name of the person who has a player's seat, if it is known, else the player's name. @param {Shown} state @param {string} player */
export const calledBy = (state, player) => state.names?.[player] || called(player);

/** Report people who have come or left between two states. @param {Shown} before @param {Shown} state */
export function tellPresence(before, state) {
  if (!before.away || !isCompany(state)) return;
  for (const name of guests(state).filter((seat) => state.seats[seat] === before.seats[seat])) {
    const [was, is] = [before.away.includes(name), state.away.includes(name)];
    if (was && !is && $("link").dataset.seat) $("link").close();
    if (was !== is) toast(t(is ? w("{name} has left.") : w("{name} is here."), { name: calledBy(state, name) }));
  }
}

/** Show a phrase that another person has sent. @param {Messages["phrase"]} message @param {Shown} state */
export function hear({ by, phrase }, state) {
  const words = `${calledBy(state, by)}: ${t(PHRASES[phrase] ?? "")}`;
  toast(words);
  announce(words);
}

/** Show in the title of the browser tab whether it is the user's turn. @param {Shown} state @param {Info} info @param {boolean} isMine */
export function showTitle(state, info, isMine) {
  const isTurn = isMine && state.turn === "play" && guests(state).length > 0 && !state.outcome;
  document.title = isTurn ? `● ${t("Your turn")} – ${titled(info.title)}` : titled(info.title);
}

/** Show the buttons of a game between people, and the number of spectators. @param {Shown} state @param {Info} info @param {Ask} ask */
export function showCompany(state, info, ask) {
  const name = recall(NAME, "");
  const own = state.you[0];
  if (own && name && isCompany(state) && state.names?.[own] !== name && isNew("name", own, name, state.names?.[own])) ask({ type: "speak", name });
  const seated = info.players.filter((p) => p.kind === "player").length;
  const played = state.game - state.opening;
  const isOn = isCompany(state) && Boolean(own) && !state.outcome && state.live;
  if (!isNew("company", isCompany(state), own, isOn, played >= seated, state.claim, state.spectators, Boolean(state.asked), state.away, name, guests(state))) return;
  const button = (words, message) => press(t(words), () => ask(message));
  const waiting = isOn && played < seated ? guests(state).filter((seat) => state.away?.includes(seat)) : [];
  const shown = waiting.map((seat) => make("span", { className: "soft", textContent: t("Waiting for {name} …", { name: calledBy(state, seat) }) }));
  if (isOn && played < seated) shown.push(button(w("Abort the game"), { type: "abort" }));
  else if (isOn && !state.asked) shown.push(button(w("Offer a draw"), { type: "draw" }));
  if (isOn) shown.push(...claims(state.claim, button));
  if (!talk.length) talk.push(phrases(ask), nameField(() => ask({ type: "speak", name: recall(NAME, "") })));
  if (own && isCompany(state)) shown.push(...(name ? [] : [talk[1]]), talk[0]);
  if (state.spectators) shown.push(make("span", { className: "soft watching", textContent: t(state.spectators === 1 ? w("{count} person is watching") : w("{count} people are watching"), { count: state.spectators }) }));
  $("company").hidden = !shown.length;
  fill($("company"), shown);
}

/** Buttons to claim a game that all others have left; they appear after `seconds`. */
function claims(seconds, button) {
  if (seconds === null || seconds === undefined) return [];
  const buttons = [button(w("Claim the win"), { type: "claim" }), button(w("Call it a draw"), { type: "claim", draw: true })];
  const words = make("span", { className: "soft", textContent: t("Your opponent has left. You can claim the game in {count} s.", { count: Math.ceil(seconds) }) });
  for (const one of buttons) one.hidden = seconds > 0;
  words.hidden = seconds <= 0;
  setTimeout(() => { words.hidden = true; for (const one of buttons) one.hidden = false; }, 1000 * seconds);
  return [words, ...buttons];
}

/** A field for the user's name, which is stored for all games of this browser. */
export function nameField(done = () => {}) {
  const onchange = ({ target }) => { remember(NAME, target.value.trim()); done(); };
  return make("input", { type: "text", maxLength: MAX_NAME, value: recall(NAME, ""), placeholder: t("Your name"), "aria-label": t("Your name"), onchange });
}

function phrases(ask) {
  const onchange = ({ target }) => { ask({ type: "speak", phrase: Number(target.value) }); target.value = ""; };
  return make("select", { "aria-label": t("Say something"), onchange },
    make("option", { value: "", textContent: t("Say something") }), ...PHRASES.map((words, value) => make("option", { value, textContent: t(words) })));
}
