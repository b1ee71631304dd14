// The texts of the rules file. The rules in words, which a server generates, are not available.
import { $, make } from "./shared.js";
import { t } from "./words.js";

/** Show the texts of the rules file. */
export function showNotes({ notes }) {
  $("notes").hidden = notes.length === 0;
  $("notes").querySelector("div").replaceChildren(...notes.flatMap((note) => [
    make("h3", { textContent: t(note.name) }), ...note.lines.filter(Boolean).map((line) => make("p", { textContent: line }))]));
}

export const rulesButton = () => null;
