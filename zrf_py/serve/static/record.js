// The list of moves: one text per turn; a click goes to the position after it.
import { $, make } from "./shared.js";
import { called, t } from "./words.js";

/** @type {[0, 1, 2, 3, 4, 5]} */
const [TEXT, PLAYER, GOES_ON, IS_EDIT, ENDS_ROUND, SAID] = [0, 1, 2, 3, 4, 5];

/** Return whether nobody has examined an entry of a record: mostly because it, or one before it, is illegal. */
const isUnknown = (ply) => !ply[PLAYER] && !ply[IS_EDIT];

/** Return whether an entry continues the turn of the one before it. */
const goesOn = (plies, i) => Boolean(plies[i - 1]?.[GOES_ON]) && !isUnknown(plies[i]);

/** Count the moves among the first entries, without the edits that set up a position. */
export const movesAmong = (plies, count) => plies.slice(0, count).filter((ply) => !ply[IS_EDIT]).length;

/** The number of a move's round: `12.`, or `12...` if it does not begin the round. */
export function numberOf(plies, ply) {
  let first = ply - 1;
  while (goesOn(plies, first)) first -= 1;
  return `${roundsBefore(plies, first) + 1}${opensRound(plies[first - 1]) ? "." : "..."}`;
}

/** Return whether the ply after `before` begins a round. */
const opensRound = (before) => !before || before[ENDS_ROUND] || before[IS_EDIT];

const roundsBefore = (plies, first) => plies.slice(0, first).filter((ply) => ply[ENDS_ROUND]).length;

/** The number of plies before the first choice: edits that set up a position, then rolls of dice. @param {Ply[]} plies */
export function openingOf(plies) {
  const first = plies.findIndex((ply) => !ply[IS_EDIT] && !ply[PLAYER].startsWith("?"));
  return first < 0 ? plies.length : first;
}

/** The rolls of chance for the player to move in this turn, joined by "+"; "" if there were none. */
export function thrownFor({ ply, player }, plies) {
  const end = plies.slice(0, ply).findLastIndex((one) => one[PLAYER] !== player) + 1;
  const begin = plies.slice(0, end).findLastIndex((one) => !one[PLAYER].startsWith("?")) + 1;
  return plies.slice(begin, end).map((one) => one[SAID]).join("+");
}

export class MoveList {
  constructor(ask) {
    this.ask = ask;
    this.home = $("list");
    this.turns = []; // {first, last, button}: the plies that make up a turn, counted from 1
    new ResizeObserver(() => this.scroll()).observe(this.home); // other panels leave it more or less room
    this.home.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.ask({ type: "goto", ply: Number(button.dataset.ply) });
    });
  }

  /** Update the list; only new turns are drawn. */
  show(plies, from, ply) {
    const unchanged = this.turns.findLastIndex((turn) => turn.last <= from) + 1;
    const safe = Math.max(0, unchanged - 1); // the last unchanged turn may continue
    for (const turn of this.turns.splice(safe)) turn.button.remove();
    for (const row of [...this.home.children]) if (!row.querySelector("button")) row.remove();
    const start = this.turns.at(-1)?.last ?? 0;
    for (let i = start; i < plies.length;) i = this.append(plies, i);
    const now = this.turns.find((turn) => turn.first <= ply && ply <= turn.last)?.button;
    for (const { first, button } of this.turns) {
      button.classList.toggle("undone", first > ply);
      button.classList.toggle("now", button === now);
      if (button === now) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    requestAnimationFrame(() => this.scroll()); // before a frame, the browser lays out the page anyway
  }

  /** Add the text of the turn that begins with a ply; return the ply that begins the next turn. */
  append(plies, first) {
    let last = first;
    const isChance = (i) => plies[i]?.[PLAYER].startsWith("?");
    const isChange = plies[first][IS_EDIT];
    const belongs = (i) => (isChange ? plies[i][IS_EDIT] : goesOn(plies, i) || (isChance(first) && isChance(i)));
    while (plies[last + 1] && belongs(last + 1)) last += 1;
    if (isChange || isUnknown(plies[first]) || opensRound(plies[first - 1]) || !this.home.lastElementChild) this.row(plies, first);
    const said = isChange ? t("Position set up") : isChance(first)
      ? plies.slice(first, last + 1).map((p) => p[SAID]).join("+") : plies[last][SAID] ?? plies[last][TEXT];
    const button = make("button", { type: "button", textContent: said === "pass" ? t("pass") : said, title: isChange ? t("Changes to the board: {count}", { count: last + 1 - first }) : called(plies[first][PLAYER]), "data-ply": last + 1 });
    button.className = isChange ? "set-up" : isChance(first) ? "chance" : isUnknown(plies[first]) ? "unknown" : "";
    this.home.lastElementChild.append(button);
    this.turns.push({ first: first + 1, last: last + 1, button });
    return last + 1;
  }

  /** Show the annotations of moves: `marks` by ply. */
  mark(marks) {
    for (const { first, last, button } of this.turns) {
      const ply = [...marks.keys()].findLast((at) => first <= at && at <= last);
      if (ply) button.dataset.mark = marks.get(ply);
      else delete button.dataset.mark;
    }
  }

  row(plies, first) {
    this.home.append(make("li", {}, make("span", { className: "number", textContent: plies[first][IS_EDIT] || isUnknown(plies[first]) ? "" : `${roundsBefore(plies, first) + 1}.` })));
  }

  /** Scroll the list so that the current turn can be seen. */
  scroll() {
    const now = this.home.querySelector(".now");
    if (!now) { if (this.turns.length) this.home.scrollTop = 0; return; }
    const [row, list] = [now, this.home].map((node) => node.getBoundingClientRect());
    if (row.top < list.top || row.bottom > list.bottom) this.home.scrollTop += row.top - list.top - list.height / 2;
  }
}
