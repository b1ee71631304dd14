// Pointer and keyboard input on a board: clicks, drags, and a cursor that arrow keys move from place to place.
import { draw } from "./shared.js";

export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 5; // pixels after which a press becomes a drag

export class Keys {
  /** `doing`: label(place), press(place), cancel(), and for drags canDrag(hit), start(hit), drop(place or null). A hit
   * is {place}, or {store} for pieces off the board. */
  constructor(home, drawing, doing) {
    this.home = home; this.drawing = drawing; this.doing = doing;
    this.at = -1; // the place under the cursor
    this.hasFocus = false;
    this.byPointer = false; // true while the user plays with the pointer, which needs no cursor
    const page = home.ownerDocument;
    page.addEventListener("keydown", () => { this.byPointer = false; }, true);
    page.addEventListener("pointerdown", () => { this.byPointer = true; }, true);
    home.addEventListener("keydown", (event) => this.key(event));
    home.addEventListener("focusin", () => { this.hasFocus = true; });
    home.addEventListener("focusout", (event) => {
      this.hasFocus = false;
      if (event.relatedTarget && !home.contains(event.relatedTarget)) this.wanted = false;
      this.drawing.cursor(null);
    });
    page.addEventListener("pointerdown", (event) => { if (!home.contains(event.target)) this.wanted = false; });
    this.drags();
  }

  /** Update after every change: label the places, make one of them reachable with Tab, and keep the cursor. */
  refresh() {
    if (!this.drawing.byIndex?.has(this.at)) this.at = this.drawing.places[0]?.index ?? -1;
    for (const place of this.drawing.places) {
      set(place.node, "role", "button");
      set(place.node, "aria-label", this.doing.label(place));
      set(place.node, "tabindex", place.index === this.at ? "0" : "-1");
    }
    for (const piece of this.drawing.pieces().values()) set(piece, "aria-hidden", "true"); // the label of the place describes the piece
    if (this.hasFocus || this.wanted) this.focus();
  }

  focus() {
    const place = this.drawing.byIndex?.get(this.at);
    if (!place) return;
    this.wanted = true; // replacing the drawing removes the focus; the next drawing restores it
    place.node.focus({ preventScroll: true });
    if (!this.byPointer) this.drawing.cursor(place);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROWS[event.key];
    if (step) this.go(...step);
    else if (event.key === "Enter" || event.key === " ") this.doing.press(this.drawing.byIndex.get(this.at));
    else if (event.key === "Escape") this.doing.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the cursor to the next place in a direction. */
  go(dx, dy) {
    const origin = this.drawing.byIndex.get(this.at);
    const best = towards(this.drawing.places, origin, dx, dy);
    if (best) this.at = best.index;
    this.drawing.byIndex.get(this.at).node.setAttribute("tabindex", "0");
    if (best) origin.node.setAttribute("tabindex", "-1");
    this.focus();
  }

  drags() {
    const { doing } = this;
    let press = null;
    this.home.closest("main").addEventListener("pointerdown", (event) => {
      const store = event.target.closest?.(".held");
      if (event.button !== 0 || !this.drawing.svg || !(store || this.home.contains(event.target))) return;
      press = { hit: store ? { store } : this.drawing.hit(event), x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
      this.wanted = false;
      this.home.ownerDocument.activeElement?.blur?.();
      this.drawing.cursor(null);
      if (press.hit?.place) this.at = press.hit.place.index;
      if (press.hit && doing.canDrag(press.hit)) event.preventDefault();
    });
    this.home.ownerDocument.addEventListener("pointermove", (event) => {
      if (!press || event.pointerId !== press.id || !press.hit) return;
      if (!press.ghost) {
        const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > FAR;
        if (!far || !doing.canDrag(press.hit)) return;
        doing.start(press.hit);
        press.ghost = this.lift(press.hit);
        if (!press.ghost) { press = null; return; }
      }
      const p = this.drawing.point(event);
      press.ghost.setAttribute("transform", `translate(${p.x - press.from.x} ${p.y - press.from.y})`);
    });
    const end = (event) => {
      if (!press || event.pointerId !== press.id) return;
      const { ghost, hit, piece, from } = press;
      press = null;
      if (!ghost) {
        if (event.type !== "pointerup" || hit?.store) return;
        if (hit) doing.press(hit.place);
        else doing.cancel();
        return;
      }
      this.home.classList.remove("dragging");
      const place = event.type === "pointerup" ? this.drawing.hit(event)?.place ?? null : null;
      const back = () => { ghost.remove(); piece?.removeAttribute("opacity"); };
      if (!doing.drop(place)) { back(); return; }
      ghost.setAttribute("transform", `translate(${place.x - from.x} ${place.y - from.y})`);
      piece?.setAttribute("opacity", "0");
      this.putBack = back; // in case the move is not made
    };
    this.home.ownerDocument.addEventListener("pointerup", end);
    this.home.ownerDocument.addEventListener("pointercancel", end);
    this.lift = (hit) => {
      const { unit } = this.drawing;
      const href = hit.store?.querySelector("use")?.getAttribute("href");
      const node = hit.place ? this.drawing.pieces().get(hit.place.name) : href && draw("use", { href, x: -unit, y: -unit, width: 2 * unit, height: 2 * unit });
      if (!node) return null;
      press.from = hit.place ?? { x: 0, y: 0 };
      press.piece = hit.place ? node : null;
      const copy = hit.place ? this.drawing.copy(node) : node;
      copy.setAttribute("class", "dragged");
      const group = draw("g", { class: "lit" }, copy);
      this.drawing.svg.append(group);
      press.piece?.setAttribute("opacity", ".25");
      this.home.classList.add("dragging");
      return group;
    };
  }
}

/** Return the best of some places in a direction of the screen: near, and not far to the side; null if there is none. */
export function towards(places, { x, y }, dx, dy) {
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const along = (place.x - x) * dx + (place.y - y) * dy;
    const aside = Math.abs((place.x - x) * dy) + Math.abs((place.y - y) * dx);
    const cost = along + aside * 2.5;
    if (along > 1 && aside <= along * 2.2 && cost < least) [best, least] = [place, cost];
  }
  return best;
}

/** Set an attribute only if it differs: writing costs a browser more than reading. */
function set(node, name, value) { if (node.getAttribute(name) !== value) node.setAttribute(name, value); }
