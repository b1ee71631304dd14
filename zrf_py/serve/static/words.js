// The language of the page: English as it is written here, or another by one file `words-XX.json` (English → other).
import { translations } from "./translations.js";

const KNOWN = ["de"];
const wish = new URLSearchParams(location.search).get("lang") ?? navigator.language ?? "en";
export const language = KNOWN.find((name) => wish.toLowerCase().startsWith(name)) ?? "en";
const table = language === "en" ? {} : await translations(language);

/** Marks words that `t` is given later. */
export const w = (english) => english;

/** Words in the page's language; `{name}` in them is filled in. */
export function t(english, filled = {}) {
  const words = table[english] ?? english;
  return words.replace(/\{(\w+)\}/g, (all, name) => filled[name] ?? all);
}

/** What the server says: known sentences; numbers and names of programs in them are `{0}`, `{1}` … in the table. */
export function told(english) {
  const numbers = [];
  const pattern = (english ?? "").replace(/\S+\.dll\b|\d+/gi, (found) => `{${numbers.push(found) - 1}}`);
  return table[pattern] ? t(pattern, numbers) : t(english ?? "");
}

const ATTRIBUTES = ["title", "aria-label", "placeholder"];

/** Everything that stands in the page itself. */
export function translatePage(root = document.body) {
  document.documentElement.lang = language;
  if (language === "en") return;
  document.title = t(document.title);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const said = node.data.trim();
    if (table[said]) node.data = node.data.replace(said, table[said]);
  }
  for (const name of ATTRIBUTES) {
    for (const node of root.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
  }
}

const NUMBERS = [w("no"), w("one"), w("two"), w("three"), w("four"), w("five"), w("six"), w("seven"), w("eight"), w("nine"), w("ten"), w("eleven"), w("twelve")];
const REASONS = {
  row: w("{number} in a row"), pattern: w("the winning pattern"), reached: w("the goal is reached"), stalemated: w("no move left"),
  checkmated: w("checkmate"), repetition: w("the same position again"), taken: w("the {name} was taken"), left: w("{number} men left"),
  full: w("the board is full"), "on-board": w("{number} men on the board"), "in-zone": w("{number} men in {name}"),
  counted: w("{name}: {number}"), "turns-made": w("{number} turns were made"), "last-left": w("all others are out"),
  resigned: w("{name} resigned"), "out-of-time": w("{name} is out of time"),
};

/** Why a game ended, in the page's language. */
export function reason(outcome) {
  if (!REASONS[outcome.code]) return outcome.reason ?? "";
  return t(REASONS[outcome.code], { number: t(NUMBERS[outcome.number] ?? String(outcome.number)), name: outcome.name });
}
