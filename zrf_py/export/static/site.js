// The list of games of a site without a server: search, light and dark, and to be there without a net.
import { $, followTheme } from "./shared.js";
import { t, translatePage } from "./words.js";

translatePage();
followTheme($("theme"));
const cards = [...document.querySelectorAll("li[data-words]")];

/** What is looked for: words without accents, a number of players as one word. */
function wishes() {
  const text = $("search").value.toLowerCase().normalize("NFKD").replace(/\p{Mn}/gu, "").replaceAll("ß", "ss");
  return text.replace(/(\d+)\s*(players?|spieler)\b/g, "$1players").split(/[^\p{L}\p{N}]+/u).filter(Boolean);
}

function search() {
  const words = wishes();
  for (const card of cards) card.hidden = !words.every((word) => ` ${card.dataset.words}`.includes(` ${word}`));
  for (const section of document.querySelectorAll("#games section")) {
    const count = section.querySelectorAll("li[data-words]:not([hidden])").length;
    section.hidden = count === 0;
    section.querySelector("small").textContent = count;
  }
  const count = cards.filter((card) => !card.hidden).length;
  $("count").textContent = words.length ? t("{count} of {all} games", { count, all: cards.length }) : t("{all} games", { all: cards.length });
}

$("search").addEventListener("input", search);
search();
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register(document.querySelector("main").dataset.worker ?? "sw.js").catch(() => {});
