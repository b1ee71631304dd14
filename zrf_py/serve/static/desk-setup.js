/* The set-up tab of the rules editor: clicks change the pieces on the board, and a button writes them into the text. */
import { ARROWS, towards } from "./keys.js";
import { $, draw, make } from "./shared.js";
import { t } from "./words.js";

/** Show a drawing from the server in an element of the page. Drawings contain no scripts and are parsed as XML. */
export function drawing(holder, text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  holder.replaceChildren(document.importNode(svg, true));
  return holder.firstElementChild;
}

/** Let users choose a place of a drawing by a click, or by arrow keys and Enter. `pick(square, event)` is called with the
    name of the place, or null for a click outside all places. */
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
    const step = ARROWS[event.key];
    if (!place || !(step || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    if (step) return focus(towards(places.map(centred), centred(place), ...step)?.node ?? place);
    const square = place.dataset.place;
    pick(square, event);
    placeOf(holder, square)?.focus();
  });
}

/** The element of a square in a drawing; null if it is not drawn. */
export const placeOf = (svg, square) => svg.querySelector(`.place[data-place="${CSS.escape(square)}"]`);

export function middle(place) {
  const { x, y, width, height } = place.getBBox();
  return [x + width / 2, y + height / 2];
}

function centred(node) {
  const [x, y] = middle(node);
  return { node, x, y };
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
      return make("label", {}, `${t("{piece} in the store", { piece: `${player} ${piece}` })} `, input, " ");
    }));
  }

  /** Draw a piece that the drawing does not have yet, as two letters on its square. */
  letter(svg, square, [player, piece]) {
    const place = placeOf(svg, square);
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
