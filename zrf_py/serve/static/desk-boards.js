/* The Board tab of the rules editor: makes boards, by shape and size or from points and lines added by clicks; paints zones. */
import { drawing, options, pickable } from "./desk-setup.js";
import { frame } from "./desk-why.js";
import { $, draw, make } from "./shared.js";
import { t } from "./words.js";

const ROOM = 48; // pixels between points, and around them
const COMPASS = ["e", "se", "s", "sw", "w", "nw", "n", "ne"]; // clockwise on the screen

export class Boards {
  constructor(desk) {
    this.desk = desk;
    this.points = new Map();
    this.chosen = "";
    this.update = $("make-board").querySelector("button");
    $("make-board").oninput = () => { this.update.disabled = false; };
    $("shape").onchange = () => this.showShape();
    $("make-board").onsubmit = (event) => { event.preventDefault(); this.makeBoard(); };
    $("add-point").onclick = () => this.addPoint(...this.free());
    $("remove-point").onclick = () => this.removePoint();
    for (const id of ["point-name", "point-x", "point-y"]) $(id).onchange = () => this.changePoint();
    $("zone").onchange = () => this.choose();
    $("write-zone").onclick = () => this.writeZone();
    $("reload-zone").onclick = () => this.load();
  }

  async load() {
    const parts = await this.desk.ask("board-parts", { title: this.desk.title() });
    if (!parts) return;
    this.parts = parts;
    this.points = new Map(parts.points.map(([name, x, y]) => [name, [x, y]]));
    if (!parts.points.length) this.update.disabled = false; // an empty text gets its first board
    const [columns, rows] = [1, 2].map((axis) => new Set(parts.points.map((point) => point[axis])).size);
    const known = [["rectangle", columns, rows, columns * rows], ["hexagon", (rows + 1) / 2, rows, (3 * rows ** 2 + 1) / 4], ["star", (rows - 1) / 4, rows, (3 * rows ** 2 + 6 * rows - 1) / 8]].find(([, , , squares]) => squares === parts.points.length);
    if (this.update.disabled) [$("shape").value, $("columns").value, $("rows").value] = (known ?? ["points", 8, 8]).map(String); // other boards are shown as points
    this.pairs = [...new Set(parts.links.filter(([, a, b]) => a !== b).map(([, a, b]) => [a, b].sort().join(" ")))].map((pair) => pair.split(" "));
    options($("zone"), [["", t("a new zone")], ...parts.zones.map(([name, players]) => [JSON.stringify([name, players]), `${name} (${players.join(", ")})`])], $("zone").value);
    this.choose();
    this.showShape();
  }

  showShape() {
    const shape = $("shape").value;
    $("points").hidden = shape !== "points";
    $("columns").parentElement.hidden = shape === "points";
    $("rows-label").hidden = shape !== "rectangle";
    $("columns-name").textContent = shape === "rectangle" ? t("Columns") : t("Side");
    if (shape === "points") this.showPoints();
  }

  async makeBoard() {
    await this.desk.edit("make-board", { kind: $("shape").value, columns: Number($("columns").value), rows: Number($("rows").value), points: [...this.points].map(([name, at]) => [name, ...at]), links: this.links() });
  }

  /** The lines in both directions, by direction name: existing names stay, others follow the compass; at each point they differ. */
  links() {
    const links = {};
    const used = new Set();
    const put = (way, a, b) => { (links[way] ??= []).push([a, b]); used.add(`${way} ${a}`); };
    const known = (a, b) => this.parts.links.filter(([, from, to]) => from === a && to === b);
    const both = this.pairs.flatMap(([a, b]) => [[a, b], [b, a]]);
    for (const [a, b] of both) for (const [way] of known(a, b)) put(way, a, b);
    for (const [a, b] of both.filter((pair) => !known(...pair).length)) {
      const [[x1, y1], [x2, y2]] = [this.points.get(a), this.points.get(b)];
      const way = COMPASS[(Math.round(Math.atan2(y2 - y1, x2 - x1) / (Math.PI / 4)) + 8) % 8];
      let name = way;
      for (let number = 2; used.has(`${name} ${a}`); number++) name = way + number;
      put(name, a, b);
    }
    return links;
  }

  // ---- points and lines

  showPoints() {
    const [xs, ys] = [0, 1].map((n) => [...this.points.values()].map((at) => at[n]));
    const [left, top] = [Math.min(0, ...xs) - ROOM, Math.min(0, ...ys) - ROOM];
    const [width, height] = [Math.max(4 * ROOM, ...xs) + ROOM - left, Math.max(3 * ROOM, ...ys) + ROOM - top];
    const svg = draw("svg", { viewBox: `${left} ${top} ${width} ${height}`, "aria-label": t("Points and lines") });
    for (const [a, b] of this.pairs) {
      const [[x1, y1], [x2, y2]] = [this.points.get(a), this.points.get(b)];
      svg.append(draw("line", { class: "line", x1, y1, x2, y2 }));
    }
    for (const [name, [x, y]] of this.points) {
      const text = draw("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 10, "pointer-events": "none" }, name);
      svg.append(draw("circle", { class: `place point${name === this.chosen ? " chosen" : ""}`, "data-place": name, cx: x, cy: y, r: 12 }), text);
    }
    $("points-board").replaceChildren(svg);
    pickable(svg, (name, event) => (name ? this.pickPoint(name) : this.addPoint(...this.at(svg, event))),
      (name) => [name, ...this.pairs.filter((pair) => pair.includes(name)).map(([a, b]) => (a === name ? b : a))].join(" – "));
    const [x, y] = this.points.get(this.chosen) ?? ["", ""];
    for (const [id, value] of [["point-name", this.chosen], ["point-x", x], ["point-y", y]]) {
      $(id).value = value;
      $(id).disabled = !this.chosen;
    }
    $("remove-point").disabled = !this.chosen;
  }

  /** The position of a click in the drawing, rounded to a quarter of the usual distance. */
  at(svg, event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y].map((value) => Math.round(value / (ROOM / 4)) * (ROOM / 4));
  }

  /** A free position below all other points. */
  free() { return [ROOM, Math.max(0, ...[...this.points.values()].map(([, y]) => y)) + ROOM]; }

  addPoint(x, y) {
    let number = this.points.size + 1;
    while (this.points.has(`p${number}`)) number += 1;
    this.points.set(this.chosen = `p${number}`, [x, y]);
    this.showPoints();
  }

  /** Connect the second of two clicked points to the first, or disconnect them. */
  pickPoint(name) {
    const first = this.chosen;
    const others = this.pairs.filter((pair) => !(pair.includes(first) && pair.includes(name)));
    if (first && first !== name) this.pairs = others.length < this.pairs.length ? others : [...this.pairs, [first, name]];
    this.chosen = first ? "" : name;
    this.showPoints();
  }

  removePoint() {
    this.points.delete(this.chosen);
    this.pairs = this.pairs.filter((pair) => !pair.includes(this.chosen));
    this.chosen = "";
    this.showPoints();
  }

  changePoint() {
    const name = $("point-name").value.trim();
    const [old, at] = [this.chosen, [Number($("point-x").value), Number($("point-y").value)]];
    const now = name && !this.points.has(name) ? name : old;
    this.points = new Map([...this.points].map(([other, place]) => (other === old ? [now, at] : [other, place])));
    this.pairs = this.pairs.map((pair) => pair.map((other) => (other === old ? now : other)));
    this.chosen = now;
    this.showPoints();
  }

  // ---- zones

  /** Show the chosen zone, or the fields for a new one. */
  choose() {
    const wish = $("zone").value;
    const [, players, squares] = this.parts.zones.find(([name, owners]) => JSON.stringify([name, owners]) === wish) ?? ["", this.parts.players, []];
    this.squares = squares;
    $("zone-label").hidden = $("zone-players").hidden = Boolean(wish);
    $("zone-players").replaceChildren(...this.parts.players.map((name) => make("label", {}, make("input", { type: "checkbox", value: name, checked: players.includes(name) }), ` ${name} `)));
    this.showZone();
  }

  showZone() {
    const svg = drawing($("zone-board"), this.parts.svg);
    for (const square of this.squares) frame(svg, square, "zone", 0.94);
    pickable(svg, (square) => { if (square) this.paint(square); }, (square) => (this.squares.includes(square) ? t("{square} in the zone", { square }) : square));
  }

  paint(square) {
    this.squares = this.squares.includes(square) ? this.squares.filter((other) => other !== square) : [...this.squares, square];
    this.showZone();
  }

  async writeZone() {
    const [name, players] = $("zone").value ? JSON.parse($("zone").value)
      : [$("zone-name").value.trim(), [...$("zone-players").querySelectorAll("input:checked")].map((box) => box.value)];
    if (!name || !players.length) return $("zone-name").focus();
    await this.desk.edit("zone", { name, players, squares: this.squares });
  }
}
