// The texts of the rules file. The rules in words, which a server generates, are not available.
import { $, make, press } from "./shared.js";
import { t, w } from "./words.js";

/** Show the texts of the rules file. */
export function showNotes({ notes }) {
  $("notes").hidden = notes.length === 0;
  $("notes").querySelector("div").replaceChildren(...notes.flatMap((note) => [
    make("h3", { textContent: t(note.name) }), ...note.lines.filter(Boolean).map((line) => make("p", { textContent: line }))]));
}

/** Create a button that opens these texts; nothing if there are none. */
export function rulesButton(words = w("About the game"), className = "button") {
  return $("notes").hidden ? "" : press(t(words), () => {
    $("notes").open = true;
    $("notes").querySelector("summary").focus();
  }, className);
}
