// The board on the page: the server's SVG, the positions of its places, marks over it, and animated pieces.
import { boxOf, fit, half, upright } from "./fitting.js";
import { Patched, parsed } from "./patching.js";
import { draw } from "./shared.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
/** Factor for the duration of animations: 1 is the normal speed, 2 is half as fast, 0 disables them. */
export const motion = { slowness: 1 };

const EASING = "cubic-bezier(.3,.1,.2,1)";
const FADES = 260; // milliseconds
const FEW = 8; // as in play/standing.py

export class Drawing {
  constructor(home) {
    this.home = home;
    this.svg = null;
    this.places = []; // {index, name, x, y, w, h, r, node}
    this.isTurned = false; // whether the board is seen from the other side
    this.running = new Map(); // animated pieces → the function that ends the animation
    this.carried = -1; // the place to which the user has already dragged the piece, or to which it has flown since `began`
    this.began = 0;
    addEventListener("resize", () => { this.room = null; });
  }

  /** Show another SVG; `moved` ([[from, to]…]) are animated from their old places, backwards if `back`. @param {string} text @param {State["moved"]} moved */
  show(text, moved = [], back = false) {
    const isSame = this.svg && this.wasTurned === this.isTurned;
    if (isSame && text === this.text) return;
    if (this.svg && !this.text) { // `text` is what the adopted drawing was made from
      this.text = text;
      this.patched = new Patched(this.svg, text);
      if (isSame) return;
    }
    const before = this.svg ? this.pieces() : null;
    if (!(isSame && this.follow(text)) && !this.replace(text)) return;
    this.text = text;
    this.standing = null;
    if (before && !STILL.matches && motion.slowness) this.travel(before, moved, back);
    this.carried = -1;
    this.began = 0;
  }

  /** Take over a drawing that is already in the page and fitted; the first text received is the one it was made from. */
  adopt({ svg, isTurned }) {
    this.svg = svg; this.isTurned = isTurned;
    this.begin();
  }

  /** Patch the existing drawing; return whether that was possible. */
  follow(text) {
    for (const end of this.running.values()) end();
    const nodes = this.patched.become(text);
    if (!nodes) return false;
    for (const ghost of this.svg.querySelectorAll(".dragged")) ghost.parentNode.remove();
    for (const piece of this.svg.querySelectorAll(".piece[opacity]")) piece.removeAttribute("opacity");
    if (this.isTurned) nodes.forEach(upright);
    return true;
  }

  replace(text) {
    const svg = parsed(text);
    if (!svg) return false;
    this.svg = svg;
    this.patched = new Patched(svg, text);
    this.home.replaceChildren(svg);
    fit(svg, () => this.room ??= this.home.getBoundingClientRect(), this.isTurned); // measuring each time would take longer than all the rest
    this.begin();
    return true;
  }

  /** Prepare a new drawing: its labels, the positions of its places, layers for marks. */
  begin() {
    const { svg } = this;
    svg.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "Board");
    svg.setAttribute("role", "group");
    this.half = this.isTurned ? half(svg) : "";
    this.measure();
    this.under = draw("g", { class: "lit" });
    this.over = draw("g", { class: "lit" });
    this.ghosts = draw("g", { class: "lit" });
    svg.querySelector(':scope > .labels, [data-layer="pieces"]').before(this.under, this.ghosts);
    svg.append(this.over);
  }

  /** Show the same drawing again, turned or with other settings. */
  again() {
    if (!this.text) return;
    this.room = null;
    this.replace(this.text);
    this.standing = null;
  }

  /** Copy a piece, for use outside its layer. */
  copy(node) {
    const copy = node.cloneNode(true);
    copy.removeAttribute("data-place");
    if (!this.isTurned) return copy;
    return draw("g", { transform: this.half }, copy);
  }

  /** Measure the positions of all places; they don't change during a game. */
  measure() {
    const view = this.svg.getAttribute("viewBox");
    const nodes = [...this.svg.querySelectorAll(".place")];
    if (this.view === view && this.wasTurned === this.isTurned && nodes.length === this.places.length && nodes.every((node, i) => node.id === this.places[i].node.id)) {
      nodes.forEach((node, i) => { this.places[i].node = node; });
      return;
    }
    this.view = view;
    this.wasTurned = this.isTurned;
    this.places = nodes.map((node) => {
      const box = { index: Number(node.id.slice("place-".length)), name: node.dataset.place, node, ...boxOf(this.svg, node) };
      return { ...box, r: Math.min(box.w, box.h) / 2 };
    });
    this.byIndex = new Map(this.places.map((p) => [p.index, p]));
    const gaps = this.places.map((p) => p.r).sort((a, b) => a - b);
    this.unit = gaps[gaps.length >> 1] || 20;
    this.reach();
  }

  /** Points are drawn small; their clickable area extends as far as the distance to the next place allows. */
  reach() {
    for (const p of this.places) {
      const distances = this.places.map((q) => Math.hypot(p.x - q.x, p.y - q.y)).filter((far) => far > .5); // places of one stack have the same position
      p.reach = Math.max(p.r, Math.min(...distances.map((far) => far / 2), this.unit * 3));
    }
    const usual = this.places.map((p) => p.reach).sort((a, b) => a - b)[this.places.length >> 1];
    for (const p of this.places) p.mark = Math.min(p.reach, Math.max(Math.min(p.r, usual), usual * .9));
  }

  /** Map place names to pieces. */
  pieces() {
    this.standing ??= new Map([...this.svg.querySelectorAll(".piece")].map((node) => [node.dataset.place, node]));
    return this.standing;
  }

  /** The pieces on the board, as rows [player, type, 1]. */
  men(types) { return [...this.pieces().values()].map(({ dataset }) => [Number(dataset.player), types.indexOf(dataset.type), 1]); }

  point(event) {
    const matrix = this.svg?.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : null;
  }

  /** The element under the pointer: {place}, or null. */
  hit(event) {
    const p = this.point(event);
    if (!p) return null;
    let best = null;
    let distance = Infinity;
    for (const place of this.places) {
      const d = Math.hypot(p.x - place.x, p.y - place.y);
      const isBetter = d < distance - .5 || (d < distance + .5 && best && !best.node.classList.contains("can") && place.node.classList.contains("can"));
      if (isBetter) [best, distance] = [place, d];
    }
    return best && distance <= Math.max(best.reach, Math.hypot(best.w, best.h) / 2) * 1.05 ? { place: best } : null;
  }

  /** The position of a place on the screen. */
  onScreen({ x, y }) {
    return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
  }

  // ---- marks ----

  clear() {
    this.under?.replaceChildren();
    this.over?.replaceChildren();
  }

  frame(place, kind) {
    const pad = this.unit * .06;
    const isSmall = place.r !== undefined && place.mark > place.r * 1.3;
    const shape = isSmall
      ? draw("circle", { cx: place.x, cy: place.y, r: place.mark })
      : draw("rect", { x: place.x - place.w / 2 + pad, y: place.y - place.h / 2 + pad, width: place.w - 2 * pad,
        height: place.h - 2 * pad, rx: this.unit * .16 });
    shape.setAttribute("class", kind);
    shape.setAttribute("stroke-width", this.unit * .1);
    return shape;
  }

  /** Frame the place of a selected piece, of one that can be selected or that decided the game, of a king in check, of a premove or of a move to be confirmed. */
  framed(place, kind) { if (place) this.under.append(this.frame(place, kind)); }

  /** Mark a place that a player's pieces must reach, in the player's colour. */
  goal(place, colour) {
    if (place) this.under.append(draw("circle", { class: "goal", cx: place.x, cy: place.y, r: place.mark * .97, stroke: colour, "stroke-width": place.mark * .1 }));
  }

  /** Mark a legal destination: a dot on an empty place, a ring on an occupied one. */
  target(place, isTaken) {
    const rings = isTaken ? [["take back", .86, .21], ["take", .86, .13]] : [["go", .3, .07]];
    for (const [kind, radius, width] of rings) this.over.append(ring(place, kind, radius, width));
  }

  /** Mark a place that a chain of legs reaches. */
  far(place) { this.over.append(ring(place, "far", .2, .1)); }

  /** Show the keyboard cursor. */
  cursor(place) {
    this.over.querySelectorAll(".cursor").forEach((node) => node.remove());
    if (!place) return;
    for (const kind of ["cursor back", "cursor"]) {
      const shape = this.frame(place, kind);
      shape.setAttribute("stroke-width", this.unit * (kind === "cursor" ? .12 : .24));
      this.over.append(shape);
    }
  }

  hint(from, to) {
    for (const place of [from, to].filter(Boolean)) this.over.append(ring(place, "hint", .9, .14));
    if (from && to) this.over.append(draw("line", { class: "hint", x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-width": this.unit * .14, "stroke-linecap": "round" }));
  }

  // ---- animation ----

  /** Show a leg before the server sends its drawing, by moving its piece; return a function that takes it back, or null if this is impossible. @param {Leg} leg @param {Index} side */
  ahead([, start, end, kind, , , taken], side) {
    const [p, q] = [this.byIndex.get(start), this.byIndex.get(end)];
    const piece = kind < 0 && p ? this.pieces().get(p.name) : null;
    const symbol = `piece-${side}-${kind}`;
    if (!q || p === q || !(piece || document.getElementById(symbol))) return null;
    const [unit, group] = [this.unit, draw("g", { class: "lit" })];
    const copy = piece ? this.copy(piece) : draw("use", { href: `#${symbol}`, x: q.x - unit, y: q.y - unit, width: 2 * unit, height: 2 * unit });
    copy.setAttribute("class", "dragged");
    group.append(copy);
    this.svg.append(group);
    const gone = [piece, ...[end, ...taken ?? []].map((index) => this.pieces().get(this.byIndex.get(index)?.name))].filter(Boolean);
    for (const one of gone) one.setAttribute("opacity", "0");
    this.carried = end;
    if (piece) {
      const [x, y] = [q.x - p.x, q.y - p.y];
      group.setAttribute("transform", `translate(${x} ${y})`);
      this.began = performance.now();
      if (!STILL.matches && motion.slowness) group.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }], { duration: this.lasts(x, y), easing: EASING });
    }
    return () => {
      group.remove();
      for (const one of gone) one.removeAttribute("opacity");
      this.carried = -1;
    };
  }

  /** Milliseconds that a piece takes to travel an offset. */
  lasts(x, y) { return Math.min(420, 160 + Math.hypot(x, y) / this.unit * 14) * motion.slowness; }

  travel(before, moved, back) {
    const now = this.pieces();
    const name = (index) => this.byIndex.get(index)?.name;
    const arrived = new Set();
    for (const [a, b] of moved) {
      const [start, end] = back ? [b, a] : [a, b];
      const piece = now.get(name(end));
      const [p, q] = [this.byIndex.get(start), this.byIndex.get(end)];
      if (!piece || !p || !q || arrived.has(piece)) continue;
      arrived.add(piece);
      const flown = end === this.carried ? performance.now() - this.began : 0;
      if (flown >= this.lasts(p.x - q.x, p.y - q.y)) continue;
      this.animate(piece, [{ transform: `translate(${(p.x - q.x) * (this.isTurned ? -1 : 1)}px, ${(p.y - q.y) * (this.isTurned ? -1 : 1)}px)` }, { transform: "none" }],
        this.lasts(p.x - q.x, p.y - q.y), true, flown);
    }
    const left = new Set(moved.map(([a, b]) => name(back ? b : a)));
    for (const [place, old] of before) {
      const piece = now.get(place);
      const same = piece && piece.dataset.player === old.dataset.player && piece.dataset.type === old.dataset.type;
      if (same || (left.has(place) && !piece)) continue;
      if (!arrived.size || !left.has(place)) this.fade(old);
      if (piece && !arrived.has(piece)) this.animate(piece, [{ opacity: 0 }, { opacity: 1 }], FADES * motion.slowness);
    }
    for (const [place, piece] of now) if (!before.has(place) && !arrived.has(piece)) this.animate(piece, [{ opacity: 0 }, { opacity: 1 }], FADES * motion.slowness);
  }

  /** Animate a group around the piece, since the piece may have a transform of its own; on top if it moves between places. */
  animate(piece, frames, duration, onTop = false, flown = 0) {
    const group = draw("g");
    const place = document.createComment("");
    piece.replaceWith(onTop ? place : group);
    if (onTop) place.parentNode.append(group);
    group.append(piece);
    const end = () => {
      if (this.running.get(piece) !== end) return;
      this.running.delete(piece);
      (onTop ? place : group).replaceWith(piece);
      group.remove();
    };
    this.running.set(piece, end);
    const flight = group.animate(frames, { duration, easing: EASING });
    flight.currentTime = flown;
    flight.finished.then(end, end);
  }

  /** Fade out a captured piece. */
  fade(old) {
    const ghost = this.copy(old);
    ghost.setAttribute("class", "lit");
    const group = draw("g", {}, ghost);
    this.ghosts.append(group);
    const { x, y } = boxOf(this.svg, ghost);
    group.style.transformOrigin = `${x}px ${y}px`;
    group.animate([{ opacity: 1 }, { opacity: 1, transform: "scale(1.1)", offset: .3 }, { opacity: 0, transform: "scale(.3)" }], { duration: 420, fill: "forwards" }).finished
      .then(() => group.remove(), () => {});
  }
}

/** A ring around the centre of a place; `radius` and `width` are shares of the place's mark. */
export const ring = ({ x, y, mark }, kind, radius, width) => draw("circle", { class: kind, cx: x, cy: y, r: mark * radius, "stroke-width": mark * width });

/** Filter the pieces off the board, rows [player, type, number]: a supply that can't run out gets the number 0, and
* is left out if its player has nothing else. */
export function supplies(held, places, men) {
  const count = (type, rows) => rows.reduce((sum, row) => sum + (row[1] === type ? row[2] : 0), 0);
  const isEndless = (type) => count(type, held) >= places - men.length && count(type, [...held, ...men]) > FEW;
  const rows = held.map(([player, type, number]) => [player, type, isEndless(type) ? 0 : number]);
  return rows.filter(([player, , number]) => number || rows.filter((row) => row[0] === player).length > 1);
}
