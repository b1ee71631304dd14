/* The set-up tab of the rules editor: clicks change the pieces on the board, and a button writes them into the text. */
import { $, draw, make } from "./shared.js";
import { t } from "./words.js";

/** Show a drawing from the server in an element of the page. Drawings contain no scripts and are parsed as XML. */
export function drawing(holder, text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  holder.replaceChildren(document.importNode(svg, true));
  return holder.firstElementChild;
}

/** The places of a drawing can be clicked, or reached by arrow keys and taken by Enter; `pick` gets a square, or null and the
    event where there is none. */
export function pickable(svg, pick, label = (square) => square) {
  const holder = svg.parentElement;
  const places = [...svg.querySelectorAll(".place")];
  const focus = (place) => {
    for (const each of places) each.setAttribute("tabindex", each === place ? "0" : "-1");
    place.focus();
  };
  svg.setAttribute("role", "group");
  for (const place of places) {
    for (const [name, value] of [["role", "button"], ["tabindex", "-1"], ["aria-label", label(place.dataset.place)]]) place.setAttribute(name, value);
  }
  places[0]?.setAttribute("tabindex", "0");
  svg.addEventListener("click", (event) => { // zones are drawn above the squares: find the element below them
    const elements = document.elementsFromPoint(event.clientX, event.clientY);
    const place = elements.map((element) => element.closest(".place, .piece")).find((element) => element && svg.contains(element));
    pick(place ? place.dataset.place : null, event);
  });
  svg.addEventListener("keydown", (event) => {
    const place = event.target.closest(".place");
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (!place || !(dx || dy || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    const square = place.dataset.place;
    if (dx || dy) return focus(nearest(places, place, dx, dy));
    pick(square, event);
    holder.querySelector(`.place[data-place="${CSS.escape(square)}"]`)?.focus();
  });
}

/** The next place in a direction of the screen; the same if there is none. */
function nearest(places, from, dx, dy) {
  const [x, y] = middle(from);
  const away = (place) => {
    const [along, beside] = [(middle(place)[0] - x) * dx + (middle(place)[1] - y) * dy, (middle(place)[0] - x) * dy + (middle(place)[1] - y) * dx];
    return along > 1 && along >= Math.abs(beside) ? along + 2 * Math.abs(beside) : Infinity;
  };
  return places.reduce((best, place) => (away(place) < away(best) ? place : best), from);
}

export function middle(place) {
  const { x, y, width, height } = place.getBBox();
  return [x + width / 2, y + height / 2];
}

/** Fill a list with rows [value, text]; the chosen value is kept if it is still there. */
export function options(select, rows, chosen) {
  select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
  if (rows.some(([value]) => value === chosen)) select.value = chosen;
}

export class Setup {
  constructor(desk) {
    this.desk = desk;
    this.men = new Map();
    $("write").onclick = () => this.write();
    $("reload").onclick = () => this.load();
  }

  /** Load the game's set-up from the text. */
  async load() {
    const board = await this.desk.ask("board", { title: this.desk.title() });
    if (!board) return;
    this.board = board;
    this.men = new Map(board.men.map(([square, player, piece]) => [square, [player, piece]]));
    this.stores = board.stores.map((row) => [...row]);
    const choices = board.players.flatMap((player) => board.pieces.map((piece) => [JSON.stringify([player, piece]), `${player} ${piece}`]));
    options($("men"), [...choices, ["", t("empty square")]], $("men").value);
    this.show();
  }

  show() {
    const svg = drawing($("setup-board"), this.board.svg);
    const before = new Map(this.board.men.map(([square, player, piece]) => [square, `${player} ${piece}`]));
    pickable(svg, (square) => { if (square) this.click(square); }, (square) => `${square} ${this.men.get(square)?.join(" ") ?? ""}`);
    for (const piece of svg.querySelectorAll(".piece")) {
      const now = this.men.get(piece.dataset.place);
      if (!now || before.get(piece.dataset.place) !== now.join(" ")) piece.remove();
    }
    for (const [square, man] of this.men) {
      if (before.get(square) !== man.join(" ")) this.letter(svg, square, man);
    }
    $("stores").replaceChildren(...this.stores.map(([player, piece, count], n) => {
      const input = make("input", { type: "number", min: 0, max: 999, value: count });
      input.onchange = () => { this.stores[n][2] = Number(input.value) || 0; };
      return make("label", {}, `${t("{piece} off the board", { piece: `${player} ${piece}` })} `, input, " ");
    }));
  }

  /** Draw a piece that the drawing does not have yet, as two letters on its square. */
  letter(svg, square, [player, piece]) {
    const place = svg.querySelector(`.place[data-place="${CSS.escape(square)}"]`);
    if (!place) return;
    const box = place.getBBox();
    svg.append(draw("text", { x: box.x + box.width / 2, y: box.y + box.height / 2, "text-anchor": "middle", class: "new-man",
      "dominant-baseline": "central", "font-size": Math.min(box.width, box.height) * 0.42, "pointer-events": "none" }, player[0] + piece[0]));
  }

  click(square) {
    const value = $("men").value;
    const man = value ? JSON.parse(value) : null;
    const now = this.men.get(square);
    if (!man || (now && now.join(" ") === man.join(" "))) this.men.delete(square);
    else this.men.set(square, man);
    this.show();
  }

  async write() {
    const men = [...this.men].map(([square, man]) => [square, ...man]);
    await this.desk.edit("set-up", { men, stores: this.stores ?? [] });
  }
}
