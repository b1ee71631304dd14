import { posted, timers, went, world } from "./net.js";
import { ready } from "./gallery.js";
show(ready);
const turns = async (count) => { for (let n = 0; n < count; n++) await new Promise((go) => go()); };
await turns(30);
const cards = () => it("games").querySelectorAll("li").map((item) => `${item.hidden ? "- " : "+ "}${item.querySelector("b").textContent} | ${item.querySelector(".words span").textContent}${item.querySelector("button") ? ` | ${item.querySelector("button").textContent}${item.querySelector("button").hidden ? " hidden" : ""}` : ""}`);
const sections = () => it("games").querySelectorAll("section").map((section) => `${section.hidden ? "- " : "+ "}${section.querySelector("h2").textContent}`);
const look = () => show([it("count").textContent, sections(), cards()]);
look();
show(it("games").querySelectorAll("a").map((link) => [link.href, link.querySelector("img").src]));
show(it("filters").querySelectorAll("select").map((select) => select.querySelectorAll("option").map((option) => `${option.value}=${option.textContent}`)));
const search = (words) => { it("search").value = words; it("search").dispatch("input"); };
for (const words of ["HOP", "hop 2 players", "café", "cafe", "3 player", "zzz", "chess-hop", ""]) { search(words); show(words); look(); }
const [players, chance, family] = it("filters").querySelectorAll("select");
const choose = (select, value) => { select.value = value; select.dispatch("change"); };
choose(players, " 2players"); look(); choose(players, ""); choose(chance, "with"); look(); choose(chance, "without"); look(); choose(chance, "");
choose(family, 1); look(); choose(family, "");
const versions = it("games").querySelector("button.versions");
versions.click(); show(versions.getAttribute("aria-expanded")); look(); versions.click(); look();
// Text replaces a missing picture, with the reason as its title; the list is updated when the server knows more.
const image = it("games").querySelector("img"); const picture = image.parentNode;
image.dispatch("error"); await turns(20); show([picture.className, picture.textContent, picture.querySelector("p").title]);
show(timers.map(([, time]) => time)); world.more = true; timers.shift()[0](); await turns(20); look(); show(timers.map(([, time]) => time));
// Boards that this browser knows.
show([it("recent").hidden, it("recent").querySelectorAll("li").map((item) => [item.querySelector("a").href, item.querySelector("img").src, ...item.querySelectorAll("b").concat(item.querySelectorAll("span")).map((part) => part.textContent)])]);
show(JSON.parse(stored.get("zrf-boards")).map((board) => board.id));
// A saved game is opened, or the page says why it isn't.
it("file").click = () => show("asks for a file"); it("open").click();
it("file").files = [{ size: 2, arrayBuffer: async () => Uint8Array.from([65, 66]).buffer }];
it("file").dispatch("change"); await turns(30); show([posted, went]);
world.reply = { error: { summary: "no such game" } }; it("file").dispatch("change"); await turns(30); show(it("count").textContent);
