// What concerns more than one at a table: requests that others answer, moves beside the game, another game, the clock.
import { toast } from "./panels.js";
import { movesAmong } from "./record.js";
import { $, make } from "./shared.js";
import { called, t, told } from "./words.js";

/** What somebody asks all others for, with buttons for whoever is to answer or may give it up. */
export function showAsked(state, plies, ask) {
  $("asked").hidden = !state.asked && !$("asked").dataset.another;
  if (!state.asked) return;
  const asked = { ...state.asked, ply: movesAmong(plies, state.asked.ply) };
  const name = asked.by === "owner" ? t("The player who opened this board") : called(asked.by);
  const words = make("span", { textContent: asked.what === "new" ? (asked.own ? t("You offered a rematch.") : t("{name} offers a rematch.", { name })) : asked.own ? t("You asked to go back to move {ply}.", asked) : t("{name} asks to go back to move {ply}.", { name, ply: asked.ply }) });
  const reply = (label, agree) => {
    const button = make("button", { type: "button", className: agree ? "button main" : "button", textContent: label });
    button.addEventListener("click", () => ask({ type: "answer", agree }));
    return button;
  };
  const buttons = asked.own ? [reply(t("Cancel"), false)] : asked.answer ? [reply(t("Accept"), true), reply(t("Decline"), false)] : [];
  $("asked").replaceChildren(words, ...buttons);
}

/** Those who play have begun another game; who watches may stay. */
export function showAnother({ id }) {
  $("asked").dataset.another = id;
  $("asked").replaceChildren(make("span", { textContent: t("The rematch has started.") }), make("a", { className: "button", href: id, textContent: t("Watch") }));
  $("asked").hidden = false;
}

export function tellAnswer({ what, agreed, withdrawn }) {
  if (!withdrawn) toast(what === "new" ? t("Rematch declined") : agreed ? t("Takeback accepted") : t("Takeback declined"));
}

/** What was tried beside the line that is shown: a click shows it instead. */
export function showVariations(state, line, ask) {
  const all = state.variations ?? [];
  $("variations").hidden = all.length === 0;
  $("variations").replaceChildren(...all.map(({ ply, node, plies, tried }) => {
    const words = plies.filter((entry) => !entry[2]).map((entry) => entry[5] ?? entry[0]).join(", ");
    const button = make("button", { type: "button", className: "variation", textContent: words, title: tried ? t("Variation") : t("Moves played earlier") });
    button.addEventListener("click", () => ask({ type: "goto", node }));
    return make("li", {}, make("span", { className: "soft", textContent: t("after move {ply}: ", { ply: movesAmong(line, ply) }) }), button);
  }));
}

let ticking = 0;

/** Seconds of each player; those of whoever is to move run. */
export function showClock(state) {
  clearInterval(ticking);
  $("clock").hidden = !state.clock;
  if (!state.clock) return;
  const { left, running } = state.clock;
  const began = performance.now();
  const show = () => {
    $("clock").replaceChildren(...Object.entries(left).map(([name, seconds]) => {
      const now = Math.max(0, seconds - (name === running ? (performance.now() - began) / 1000 : 0));
      const text = `${called(name)} ${Math.floor(now / 60)}:${String(Math.floor(now % 60)).padStart(2, "0")}`;
      return make("span", { className: name === running ? "time on" : "time", textContent: text });
    }));
  };
  show();
  if (running) ticking = setInterval(show, 250);
}

/** How likely each player wins; `chances` is null where that can't be told. */
export function showWorth(state) {
  const { worth } = state;
  $("worth").hidden = !state.judged || state.may?.evaluate !== "yes";
  const shares = worth?.chances ?? [];
  $("worth").querySelector(".scale").replaceChildren(...shares.map(({ share }, i) => {
    const part = make("div", { className: `share s${i % 8}` });
    part.style.width = `${100 * share}%`;
    return part;
  }));
  const words = shares.map(({ players, percent }) => `${players.length ? players.map(called).join(t(" and ")) : t("Draw")} ${t("{percent}%", { percent })}`);
  const why = !worth ? "…" : told(worth.why) || t("No evaluation available");
  $("worth").querySelector("span").textContent = words.length ? words.join(" · ") : why;
}
