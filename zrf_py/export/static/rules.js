// What the game's file says of it. The rules in words, which a server makes, are not there.
import { $, make } from "./shared.js";
import { t } from "./words.js";

/** The rules' own texts, as text. */
export function showNotes({ notes }) {
  $("notes").hidden = notes.length === 0;
  $("notes").querySelector("div").replaceChildren(...notes.flatMap((note) => [
    make("h3", { textContent: t(note.name) }), ...note.lines.filter(Boolean).map((line) => make("p", { textContent: line }))]));
}

export const rulesButton = () => null;
