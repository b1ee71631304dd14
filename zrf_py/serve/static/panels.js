// The panels beside a board: who plays, the moves, what the rules say about the game.
import { $, make } from "./shared.js";

const KINDS = { human: "Human", link: "By link", random: "Random", greedy: "Greedy" };

export function kindName(kind) {
  const level = /^ai:(\d+)$/.exec(kind);
  return level ? `Computer ${level[1]}` : KINDS[kind] ?? kind;
}

/** A player's name; that of chance has a question mark in the rules. */
export const called = (name) => name.replace(/^\?(?=.)/, "");

/** Players and who plays them; `ask` sends a message, `invite` shows a link. */
export function showSeats(state, info, kinds, ask, invite) {
  const rows = info.players.filter((p) => p.kind !== "neutral").map((player) => {
    const who = state.seats[player.name] ?? "human";
    const row = make("div", { className: `seat${state.player === player.name && !state.outcome ? " on" : ""}` },
      make("b", { textContent: called(player.name) }));
    if (player.kind === "random") row.append(make("span", { className: "soft", textContent: "by chance" }));
    else if (state.owner) row.append(picker(player.name, who, kinds, ask));
    else row.append(make("span", { className: "soft", textContent: state.you.includes(player.name) ? "You" : kindName(who) }));
    const token = state.links?.[player.name];
    if (token) {
      const button = make("button", { type: "button", className: "button link", textContent: "Link for this seat" });
      button.addEventListener("click", () => invite(player.name, token));
      row.append(button);
    }
    return row;
  });
  const scores = (state.scores ?? []).map(([name, score]) => make("div", { className: "soft", textContent: `${name}: ${score} points` }));
  $("seats").replaceChildren(...rows, ...scores);
}

function picker(player, who, kinds, ask) {
  const select = make("select", { "aria-label": `Who plays ${player}` });
  for (const kind of ["human", "link", ...kinds]) {
    select.append(make("option", { value: kind, textContent: kindName(kind), selected: kind === who }));
  }
  select.addEventListener("change", () => ask({ type: "seat", player, who: select.value }));
  return select;
}

const [TEXT, , GOES_ON, IS_EDIT, ENDS_ROUND] = [0, 1, 2, 3, 4];

/** The moves in the notation of saved games; a click goes to the position after one. */
export class MoveList {
  constructor(ask) {
    this.ask = ask;
    this.home = $("list");
    this.rows = [];
    this.home.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.ask({ type: "goto", ply: Number(button.dataset.ply) });
    });
  }

  /** Rows are only made for what is new. */
  show(plies, from, ply, mayGo) {
    for (const row of this.rows.splice(from)) row.remove();
    let number = 1;
    plies.forEach((entry, i) => {
      if (i >= from) this.append(plies, i, number);
      if (entry[ENDS_ROUND]) number += 1;
    });
    this.rows.forEach((row, i) => {
      const button = row.lastElementChild;
      button.disabled = !mayGo;
      button.classList.toggle("undone", i >= ply);
      button.classList.toggle("now", i === ply - 1);
      if (i === ply - 1) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const now = this.rows[ply - 1];
    if (now) {
      const top = now.offsetTop - this.home.offsetTop;
      if (top < this.home.scrollTop || top > this.home.scrollTop + this.home.clientHeight - 30) this.home.scrollTop = top - this.home.clientHeight / 2;
    } else this.home.scrollTop = 0;
  }

  append(plies, i, number) {
    const [entry, previous] = [plies[i], plies[i - 1]];
    const first = !previous || previous[ENDS_ROUND];
    const button = make("button", {
      type: "button", textContent: entry[TEXT], className: previous?.[GOES_ON] && !entry[IS_EDIT] ? "leg" : "", "data-ply": i + 1,
    });
    const row = make("li", {}, make("span", { className: "number", textContent: first ? `${number}.` : "" }), button);
    this.rows.push(row);
    this.home.append(row);
  }
}

/** The rules' own texts, as text. */
export function showNotes(notes) {
  $("notes").hidden = notes.length === 0;
  const home = $("notes").querySelector("div");
  home.replaceChildren();
  for (const note of notes) {
    home.append(make("h3", { textContent: note.name }), ...note.lines.filter(Boolean).map((line) => make("p", { textContent: line })));
  }
}

/** Who stands better: of two players the first one's chances, of more those of whoever is to move. */
export function showWorth({ ply, player, chance }, info) {
  const two = info.players.filter((p) => p.kind === "player");
  const turned = two.length === 2 && player !== two[0].name;
  const shown = two.length === 2 ? two[0].name : player;
  const percent = Math.round(100 * (turned ? 1 - chance : chance));
  $("worth").querySelector(".scale div").style.width = `${percent}%`;
  $("worth").querySelector("span").textContent = `${called(shown)} ${percent} %`;
  $("worth").dataset.ply = ply;
  $("worth").classList.remove("old");
}

let hiding = 0;

/** A few words that go by themselves. */
export function toast(words) {
  clearTimeout(hiding);
  $("toast").textContent = words;
  $("toast").hidden = false;
  hiding = setTimeout(() => { $("toast").hidden = true; }, 4500);
}

/** What is said to those who don't see the board. */
export function announce(words) {
  $("live").textContent = words;
}
