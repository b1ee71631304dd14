// The list of games of a site without a server: search, light and dark, offline use.
import { listing } from "./listing.js";
import { $, breakable, followTheme } from "./shared.js";
import { facts, translatePage } from "./words.js";

translatePage();
followTheme($("theme"));
for (const node of document.querySelectorAll("li .words > *")) node.replaceChildren(...breakable(facts(node.textContent)));
listing([...document.querySelectorAll("li[data-words]")].map((item) => (
  { item, section: item.closest("section"), words: item.dataset.words, file: item.querySelector("a").getAttribute("href").split("#")[0] })));
if (location.protocol.startsWith("http")) navigator.serviceWorker?.register(document.querySelector("main").dataset.worker ?? "sw.js").catch(() => {});
