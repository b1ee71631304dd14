// The language of the page: English as written in the code, or a translation from a file `words-XX.json` (English → translation).
import { translations } from "./translations.js";

const KNOWN = ["de"];
const wish = new URLSearchParams(location.search).get("lang") ?? navigator.language ?? "en";
export const language = KNOWN.find((name) => wish.toLowerCase().startsWith(name)) ?? "en";
const table = language === "en" ? {} : await translations(language);

/** Add the translations of one page to the common ones. */
export const learn = (more) => Object.assign(table, more);

/** Mark a text that is passed to `t` later. */
export const w = (english) => english;

/** Translate a text into the page's language; `{name}` in it is filled in. */
export function t(english, filled = {}) {
  const words = table[english] ?? english;
  return words.replace(/\{(\w+)\}/g, (all, name) => filled[name] ?? all);
}

/** Translate a message of the server: known sentences, in which numbers, quoted names (translated if known) and programs
 * are `{0}`, `{1}` … in the table. If the whole is unknown, the parts before and after a colon or full stop are translated separately. */
export function told(english = "") {
  if (table[english]) return table[english];
  const names = [];
  const pattern = english.replace(/`[^`]*`|\S+\.dll\b|\d+/gi, (name) => `{${names.push(name.replace(/[^`]+/, (words) => t(words))) - 1}}`);
  if (table[pattern]) return t(pattern, names);
  const [all, head, rest] = /^((?:`[^`]*`|[^`])+?)(?:: |(?<=\.) )(.+)$/s.exec(english) ?? [];
  return all && told(head) !== head ? `${told(head)}${english.slice(head.length, -rest.length)}${told(rest)}` : english;
}

const ATTRIBUTES = ["title", "aria-label", "placeholder"];

/** Translate the texts in the page's markup. */
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

/** A player's name, without the question mark of random players; common names are translated. */
export const called = (name) => t((name ?? "").replace(/^\?(?=.)/, ""));

/** Translate the title of a game: the whole, or else each part of a title such as `Halma for Four, Variant 1`. */
export function titled(title) {
  if (table[title]) return table[title];
  return title.split(", ").map((part) => {
    const [, name, seats] = /^(.+) (for (?:Three|Four|Five|Six))$/.exec(part) ?? [];
    return name ? `${t(name)} ${t(seats)}` : t(part);
  }).join(", ");
}

/** Translate the facts on a card, such as `2 players · 8 x 8`. */
export const facts = (about) => about.split(" · ").map(titled).join(" · ").replace(/\b1 player\b/, t("1 player"))
  .replace(/(\d+) players/, (_, number) => t("{number} players", { number })).replace(/(\d+) points/, (_, number) => t("{number} points", { number }))
  .replace(/ in (\d+) teams/, (_, number) => t(" in {number} teams", { number })).replace(" and chance", t(" and chance"));

/** A piece of a player, such as `White Pawn`. */
export const man = (player, type) => `${called(player)} ${t(type)}`;

/** The reason for the end of a game, in the page's language. */
export const reason = ({ sentence, reason: otherwise, number, name }) => t(sentence ?? otherwise, { number: t(number), name: t(name) });
