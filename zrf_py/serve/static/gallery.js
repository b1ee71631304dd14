// The gallery: a card for each game, with a picture that is loaded when it comes into view.
import { result } from "./ending.js";
import { kindName } from "./panels.js";
import { boards, keepBoard, post } from "./boards.js";
import { grouped } from "./grouping.js";
import { listing } from "./listing.js";
import { $, breakable, followTheme, make, readText } from "./shared.js";
import { called, facts, t, titled, told, translatePage } from "./words.js";

translatePage();
followTheme($("theme"));
let cards = [];
let search = () => {};

function card(game) {
  const picture = make("div", { className: "picture", "data-none": t("no picture") });
  const image = make("img", { loading: "lazy", decoding: "async", alt: "", src: `/picture/${encodeURI(game.id)}` });
  image.addEventListener("error", () => { image.remove(); picture.classList.add("none"); explain(picture, image.src); });
  picture.append(image);
  const words = make("div", { className: "words" }, make("b", { textContent: titled(game.title) }), make("span", {}, ...breakable(facts(game.about))));
  const address = `/new?game=${encodeURIComponent(game.id)}`;
  const puzzles = game.puzzles ? [make("a", { className: "to-puzzles", href: `${address}&puzzle=1`, textContent: t("Puzzles ({count})", { count: game.puzzles }) })] : [];
  return make("li", {}, make("a", { className: "card", href: address }, picture, words), ...puzzles);
}

/** Update the cards with facts that the server has computed since the page was loaded: title, players and board from the checked rules. */
async function learn(seconds) {
  const { games, waiting } = await (await fetch("/api/games")).json();
  const byId = new Map(games.map((game) => [game.id, game]));
  for (const card of cards) {
    const game = byId.get(card.id);
    if (!game) continue;
    card.words = game.words;
    card.item.querySelector("b").textContent = titled(game.title);
    card.item.querySelector(".words span").replaceChildren(...breakable(facts(game.about)));
  }
  search();
  if (waiting) setTimeout(() => learn(1.5 * seconds).catch(() => {}), 1000 * seconds);
}

/** Show on the card why there is no picture: the first message about the rules file. */
async function explain(picture, address) {
  try {
    const { error } = await (await fetch(address)).json();
    picture.append(make("p", { className: "fault", textContent: error.summary, title: error.text ?? "" }));
  } catch { /* the server can't be reached */ }
}

function fill(games) {
  for (const [name, members] of grouped(games, (game) => game.group)) {
    const list = make("ul", { className: "cards" });
    const section = make("section", {}, make("h2", {}, t(name), make("small", { textContent: members.length })), list);
    for (const game of members) {
      const item = card(game);
      list.append(item);
      cards.push({ id: game.id, item, section, file: game.file, words: game.words });
    }
    $("games").append(section);
  }
  search = listing(cards);
}

/** List the boards that this browser has last played on: picture, players, state, time of the last move. */
async function recent() {
  const ids = boards().map((b) => b.id);
  const { boards: listed } = await post("/api/boards", { ids });
  const existing = new Set(listed.map((b) => b.id));
  for (const id of ids) if (!existing.has(id)) keepBoard(id, null); // only requested ids: another tab may have created boards meanwhile
  const begun = listed.filter((b) => b.plies > 0).sort((a, b) => b.touched - a.touched).slice(0, 12);
  $("recent").hidden = begun.length === 0;
  for (const board of begun) $("recent").querySelector("ul").append(recentBoard(board));
}

function recentBoard({ id, title, seats, plies, player, outcome, touched, names = {} }) {
  const picture = make("div", { className: "picture" }, make("img", { loading: "lazy", decoding: "async", alt: "", src: `/t/${encodeURIComponent(id)}/picture.svg` }));
  const players = Object.entries(seats).filter(([name]) => !name.startsWith("?")).map(([name, kind]) => `${called(name)}: ${names[name] || kindName(kind)}`).join(", ");
  const when = new Date(1000 * touched).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const facts = { player: called(player), plies };
  const state = outcome?.winners ? result(outcome) : outcome ? outcome.text ?? outcome : plies === 1 ? t("{player} to move, 1 move played", facts) : t("{player} to move, {plies} moves played", facts);
  const words = make("div", { className: "words" }, make("b", { textContent: titled(title) }),
    make("span", { textContent: state }),
    make("span", { textContent: players }), make("span", { textContent: when }));
  return make("li", {}, make("a", { className: "card", href: `/t/${encodeURIComponent(id)}` }, picture, words));
}

/** List the games in progress on this server that anyone may watch. */
async function playing() {
  const { boards: listed } = await (await fetch("/api/playing")).json();
  $("playing").hidden = listed.length === 0;
  $("playing").querySelector("ul").replaceChildren(...listed.map(recentBoard));
}

$("open").addEventListener("click", () => $("file").click());
$("file").addEventListener("change", async () => {
  try {
    const reply = await post("/api/tables", { zsg: await readText($("file").files[0]) });
    if (reply.error) throw new Error(reply.error.summary);
    keepBoard(reply.id, { token: reply.token });
    location.assign(`/t/${reply.id}`);
  } catch (error) {
    $("count").textContent = t("Can't open this: {why}", { why: told(error.message) });
  }
});

playing().catch(() => { $("playing").hidden = true; });
recent().catch(() => { $("recent").hidden = true; });
try {
  const { games, waiting } = await (await fetch("/api/games")).json();
  fill(games);
  if (waiting) setTimeout(() => learn(2).catch(() => {}), 1000);
} catch {
  $("count").textContent = t("The server isn't responding.");
}
