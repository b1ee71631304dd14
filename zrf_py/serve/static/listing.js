// Lists of games, on a server and on a site: search, filters, and several versions of a game on one card.
import { grouped } from "./grouping.js";
import { $, make } from "./shared.js";
import { t } from "./words.js";

/** The words of a text, in lower case and without accents; a number of players is one word, such as `2players`. */
export function folded(words) {
  const text = words.toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "").replaceAll("ß", "ss");
  return text.replace(/(\d+)\s*(players?|spieler)\b/g, "$1players").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

/** A filter beside the search field: a label, and options as [value, text]; the first option filters nothing. */
function filter(label, options) {
  const select = make("select", { "aria-label": label }, ...options.map(([value, textContent]) => make("option", { value, textContent })));
  $("filters").append(select);
  return select;
}

/** Make a list of cards `{ item, section, words, file }` searchable; return the function to call when words change. */
export function listing(cards) {
  const versions = grouped(cards, (card) => card.file);
  const open = new Set();
  const families = [...new Set(cards.map((card) => card.section))];
  const numbers = [...new Set(cards.flatMap((card) => card.words.match(/ \d+(?=players\b)/g) ?? []))].map(Number).sort((a, b) => a - b);
  const players = filter(t("Players"), [["", t("any number of players")], ...numbers.map((number) => [` ${number}players`, number === 1 ? t("1 player") : t("{number} players", { number })])]);
  const chance = filter(t("Chance"), [["", t("with or without chance")], ["without", t("without chance")], ["with", t("with chance")]]);
  const family = filter(t("Family"), [["", t("all families")], ...families.map((section, index) => [index, section.querySelector("h2").childNodes[0].textContent])]);

  showToday(cards.filter((card) => card.section === families[0]));
  for (const [file, members] of versions) {
    if (members.length < 2) continue;
    const button = make("button", { className: "versions", type: "button" });
    button.addEventListener("click", () => { open[open.has(file) ? "delete" : "add"](file); search(); });
    members[0].item.append(button);
    members[0].button = button;
  }

  function search() {
    const terms = folded($("search").value);
    const wanted = (card) => terms.every((word) => ` ${card.words}`.includes(` ${word}`)) && ` ${card.words} `.includes(players.value ? `${players.value} ` : "")
      && (!chance.value || / chance\b/.test(` ${card.words}`) === (chance.value === "with")) && (!family.value || card.section === families[family.value]);
    const fitting = new Set(cards.filter(wanted));
    const isSearch = terms.length > 0;
    $("today").hidden = isSearch;
    for (const [file, members] of versions) {
      const shown = members.filter((card) => fitting.has(card));
      for (const card of members) card.item.hidden = !fitting.has(card) || (!isSearch && card !== shown[0] && !open.has(file));
      if (members[0].button) {
        shown[0]?.item.append(members[0].button); // the first version that matches gets the button
        members[0].button.hidden = isSearch || shown.length < 2;
        members[0].button.textContent = open.has(file) ? t("fewer") : t("{count} versions", { count: shown.length });
        members[0].button.setAttribute("aria-expanded", open.has(file));
      }
    }
    for (const section of families) {
      const count = cards.filter((card) => card.section === section && fitting.has(card)).length;
      section.hidden = count === 0;
      section.querySelector("small").textContent = count;
    }
    $("count").textContent = fitting.size < cards.length ? t("{count} of {all} games", { count: fitting.size, all: cards.length }) : t("{all} games", { all: cards.length });
  }

  for (const select of [players, chance, family]) select.addEventListener("change", search);
  $("search").addEventListener("input", search);
  search();
  return search;
}

/** Show one of several cards as the game of the day. */
function showToday(cards) {
  if (cards.length < 8) return; // too few to choose from
  const item = cards[Math.floor(Date.now() / 864e5) % cards.length].item.cloneNode(true);
  item.querySelector(".words").prepend(make("span", { textContent: t("Game of the day") }));
  $("today").replaceChildren(item);
}
