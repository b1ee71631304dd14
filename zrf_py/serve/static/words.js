// The language of the page: English as it is written here, or another by one file `words-XX.json` (English → other).
import { translations } from "./translations.js";

const KNOWN = ["de"];
const wish = new URLSearchParams(location.search).get("lang") ?? navigator.language ?? "en";
export const language = KNOWN.find((name) => wish.toLowerCase().startsWith(name)) ?? "en";
const table = language === "en" ? {} : await translations(language);

/** Adds the words of one page to those of all. */
export const learn = (more) => Object.assign(table, more);

/** Marks words that `t` is given later. */
export const w = (english) => english;

/** Words in the page's language; `{name}` in them is filled in. */
export function t(english, filled = {}) {
  const words = table[english] ?? english;
  return words.replace(/\{(\w+)\}/g, (all, name) => filled[name] ?? all);
}

/** What the server says: known sentences; numbers, quoted names and programs in them are `{0}`, `{1}` … in the table. Of
 * a sentence that isn't known as a whole, what stands before and after a colon. */
export function told(english = "") {
  if (table[english]) return table[english];
  const names = [];
  const pattern = english.replace(/`[^`]*`|\S+\.dll\b|\d+/gi, (name) => `{${names.push(name) - 1}}`);
  if (table[pattern]) return t(pattern, names);
  const [all, head, rest] = /^((?:`[^`]*`|[^`])+?)(?:: |(?<=\.) )(.+)$/s.exec(english) ?? [];
  return all && told(head) !== head ? `${told(head)}${english.slice(head.length, -rest.length)}${told(rest)}` : english;
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
    const text = node.data.trim();
    if (table[text]) node.data = node.data.replace(text, table[text]);
  }
  for (const name of ATTRIBUTES) {
    for (const node of root.querySelectorAll(`[${name}]`)) node.setAttribute(name, t(node.getAttribute(name)));
  }
}

/** A player's name; that of chance has a question mark in the rules. Usual names are translated. */
export const called = (name) => t((name ?? "").replace(/^\?(?=.)/, ""));

/** A man of a player, as `White Pawn`. */
export const man = (player, type) => `${called(player)} ${t(type)}`;

/** Why a game ended, in the page's language. */
export const reason = ({ sentence, reason: otherwise, number, name }) => t(sentence ?? otherwise, { number: t(number), name: t(name) });
