// The texts about a game: those of its file, and its rules in words and pictures, which are generated on request.
import { rulesInWords } from "./server.js";
import { $, make, press } from "./shared.js";
import { language, t, told, w } from "./words.js";

let shownTitle = ""; // the game whose rules in words are already in the page

/** Show the texts of the rules file. */
export function showNotes({ title, notes }) {
  $("notes").hidden = false;
  const texts = notes.flatMap((note) => [make("h3", { textContent: t(note.name) }), ...note.lines.map((line) => make("p", { textContent: line }))]);
  $("notes").querySelector("div").replaceChildren(...texts);
  shownTitle = "";
  $("told").replaceChildren();
  if ($("notes").open) tell(title);
}

/** A button that opens the texts about a game; `place` is "told" for the rules in pictures, "notes" for the file's own texts. */
export function rulesButton(words = w("Rules, with pictures"), className = "button", place = "told") {
  return press(t(words), async () => {
    $("notes").open = true;
    $("notes").scrollIntoView({ block: "start" });
    $("notes").querySelector("summary").focus({ preventScroll: true });
    await tell($("title").textContent);
    $(place).scrollIntoView({ block: "start" });
  }, className);
}

$("notes").addEventListener("toggle", () => { if ($("notes").open) tell($("title").textContent); });

/** Show the rules in words and pictures, below the file's own texts. */
async function tell(title) {
  if (shownTitle === title) return;
  shownTitle = title;
  const home = $("told");
  home.replaceChildren(make("p", { className: "soft", role: "status", textContent: t("Describing the rules …") }));
  const reply = await rulesInWords(language);
  if (shownTitle !== title) return;
  if (reply.error) {
    shownTitle = "";
    home.replaceChildren(make("p", { className: "soft", textContent: told(reply.error.summary) }));
    return;
  }
  const page = new DOMParser().parseFromString(reply.html, "text/html");
  page.querySelector("h1")?.remove();
  home.replaceChildren(...page.body.childNodes);
}
