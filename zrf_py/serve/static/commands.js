// Buttons and keys of the page: each command has a button, whose id is its name, and most have a key.
import { toast } from "./panels.js";
import { $ } from "./shared.js";
import { t, w } from "./words.js";

const KEYS = { u: "undo", f: "turn", "[": "back", "]": "forward", h: "hint", e: "evaluate", a: "lines", Home: "first", End: "last" };
const HELP = w("Arrow keys and Enter: move a piece · s: pieces off the board · Escape: cancel · [ ] Home End: step through the game · u: take back · f: flip the board · h: hint · e: evaluation · a: best lines");

const isChange = (ply) => Boolean(ply?.[3]);

/** `ask` sends a message; `now` is the page, whose `state` is read; `own` holds further commands by name. */
export function command(ask, now, own) {
  const goto = (ply) => ask({ type: "goto", ply });
  let gone = {}; // {state, ply}: the ply that clicks have requested since `state` arrived
  const step = (by) => {
    const { state } = now;
    let ply = (gone.state === state ? gone.ply : state.ply) + by;
    while (isChange(now.plies[ply - 1]) && isChange(now.plies[ply])) ply += by; // a set-up counts as one step
    ply = Math.min(Math.max(ply, state.opening), state.length);
    gone = { state, ply };
    goto(ply);
  };
  const all = {
    undo: () => ask({ type: "undo" }), hint: () => ask({ type: "hint" }), resume: () => ask({ type: "resume" }),
    back: () => step(-1), forward: () => step(1), first: () => goto(now.state.opening), last: () => goto(now.state.length),
    return: () => ask({ type: "goto", node: now.state.tip }), evaluate: () => ask({ type: "evaluate", on: !now.state.judged }),
    share: () => ask({ type: "link" }), load: () => $("file").click(), ...own,
    full: () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()),
  };
  for (const [name, run] of Object.entries(all)) $(name).addEventListener("click", run);
  document.addEventListener("keydown", key);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "?") toast(t(HELP));
  if (event.key === "s") nextHeld();
  const button = KEYS[event.key] ? $(KEYS[event.key]) : null;
  if (!button) return;
  if (!button.disabled && !button.hidden) button.click();
  event.preventDefault();
}

/** Move the focus to the next piece that can be put on the board. */
function nextHeld() {
  const all = [...document.querySelectorAll(".held.can")];
  all[(all.indexOf(document.activeElement) + 1) % all.length]?.focus();
}
