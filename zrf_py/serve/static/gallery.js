// The gallery: a card for each game, with a picture that is fetched when it comes into view.
import { $, boards, followTheme, keepBoard, make, post, readText } from "./shared.js";

followTheme($("theme"));
const home = $("games");
let cards = [];

function card(game) {
  const picture = make("div", { className: "picture" });
  const image = make("img", { loading: "lazy", decoding: "async", alt: "", src: `/picture/${encodeURI(game.id)}` });
  image.addEventListener("error", () => { image.remove(); picture.classList.add("none"); });
  picture.append(image);
  const words = make("div", { className: "words" }, make("b", { textContent: game.title }));
  if (game.about) words.append(make("span", { textContent: game.about }));
  const link = make("a", { className: "card", href: `/new?game=${encodeURIComponent(game.id)}` }, picture, words);
  return make("li", {}, link);
}

function fill(games) {
  const groups = new Map();
  for (const game of games) {
    if (!groups.has(game.group)) groups.set(game.group, []);
    groups.get(game.group).push(game);
  }
  for (const [name, members] of groups) {
    const list = make("ul", { className: "cards" });
    const section = make("section", {}, make("h2", {}, name, make("small", { textContent: members.length })), list);
    for (const game of members) {
      const item = card(game);
      list.append(item);
      cards.push({ item, section, words: game.words });
    }
    home.append(section);
  }
}

function search() {
  const wanted = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = new Set();
  let count = 0;
  for (const { item, section, words } of cards) {
    const fits = wanted.every((word) => words.includes(word));
    item.hidden = !fits;
    if (fits) { shown.add(section); count += 1; }
  }
  for (const section of home.children) section.hidden = !shown.has(section);
  $("count").textContent = wanted.length ? `${count} of ${cards.length} games` : `${cards.length} games`;
}

function recent() {
  const known = boards().filter((b) => b.title).slice(0, 8);
  $("recent").hidden = known.length === 0;
  for (const board of known) {
    const link = make("a", { className: "button", href: `/t/${encodeURIComponent(board.id)}`, textContent: board.title });
    $("recent").querySelector("ul").append(make("li", {}, link));
  }
}

$("search").addEventListener("input", search);
$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => {
  try {
    const made = await post("/api/tables", { zsg: await readText($("file").files[0]) });
    if (made.error) throw new Error(made.error.summary);
    keepBoard(made.id, { token: made.token });
    location.assign(`/t/${made.id}`);
  } catch (error) {
    $("count").textContent = `That can't be opened: ${error.message}`;
  }
});

recent();
try {
  const { games } = await (await fetch("/api/games")).json();
  fill(games);
  search();
} catch {
  $("count").textContent = "The server doesn't answer.";
}
