// Arrows and rings that the user draws on the board with the right mouse button; a left click clears them.
import { ring } from "./drawing.js";
import { draw } from "./shared.js";

export class Marking {
  constructor(home, drawing) {
    this.drawing = drawing;
    this.marks = new Map(); // "from to" → [from, to], as place indexes
    let from = null;
    home.addEventListener("contextmenu", (event) => event.preventDefault());
    home.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && this.marks.size) { this.marks.clear(); this.show(); }
      from = event.button === 2 ? drawing.hit(event)?.place ?? null : null;
    });
    home.addEventListener("pointerup", (event) => {
      const to = event.button === 2 && from ? drawing.hit(event)?.place : null;
      if (to) {
        const key = `${from.index} ${to.index}`;
        if (!this.marks.delete(key)) this.marks.set(key, [from.index, to.index]);
        this.show();
      }
      from = null;
    });
  }

  show() {
    const { svg, unit, byIndex } = this.drawing;
    if (!svg) return;
    svg.querySelector(".drawn")?.remove();
    if (!this.marks.size) return;
    const group = draw("g", { class: "lit drawn" });
    for (const [a, b] of this.marks.values()) {
      const [p, q] = [byIndex.get(a), byIndex.get(b)];
      if (p && q) group.append(a === b ? ring(p, "arrow", .9, .14) : arrow(p, q, unit));
    }
    svg.append(group);
  }
}

export function arrow(p, q, unit) {
  const far = Math.hypot(q.x - p.x, q.y - p.y) || 1;
  const [dx, dy] = [(q.x - p.x) / far, (q.y - p.y) / far];
  const head = unit * .55;
  const [x, y] = [q.x - dx * head, q.y - dy * head];
  const side = head * .55;
  return draw("path", {
    class: "arrow", "stroke-width": unit * .2, "stroke-linecap": "round", "stroke-linejoin": "round",
    d: `M${p.x} ${p.y}L${x} ${y}M${x - dy * side} ${y + dx * side}L${q.x} ${q.y}L${x + dy * side} ${y - dx * side}`,
  });
}
