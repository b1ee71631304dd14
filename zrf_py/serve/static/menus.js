// A menu at a place of the board, for legs that only words or pictures can tell apart.
import { fromOf, kindOf, labels } from "./choosing.js";
import { $, picture, press } from "./shared.js";
import { t } from "./words.js";

export class Menu {
  /** `doing`: play(leg); cancel() when Escape is pressed; away() on a click elsewhere. */
  constructor(drawing, doing) {
    this.drawing = drawing; this.doing = doing;
    $("menu").addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", (event) => {
      if (!$("menu").contains(event.target) && this.close()) doing.away();
    });
  }

  get isOpen() { return !$("menu").hidden; }

  /** `place` is a place or a store; `types` are the names of the types, `called` shorter ones, `side` the player whose pieces move. */
  open(legs, place, { types, called, side }) {
    const man = this.drawing.pieces().get(this.drawing.byIndex.get(fromOf(legs[0]))?.name);
    const own = types.indexOf(man?.dataset.type);
    const names = labels(legs, types, own, called);
    $("menu").replaceChildren(...legs.map((leg, i) => press([...picture(kindOf(leg) >= 0 ? kindOf(leg) : own, side), t(names[i])], () => this.doing.play(leg), "", { role: "menuitem" })));
    $("menu").hidden = false;
    const at = this.drawing.onScreen(place);
    const box = $("menu").getBoundingClientRect();
    $("menu").style.left = `${Math.max(6, Math.min(at.x + 8, innerWidth - box.width - 6))}px`;
    $("menu").style.top = `${Math.max(6, Math.min(at.y + 8, innerHeight - box.height - 6))}px`;
    $("menu").firstElementChild.focus();
  }

  /** Close the menu; return whether it was open. */
  close() {
    const wasOpen = this.isOpen;
    $("menu").hidden = true;
    return wasOpen;
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...$("menu").children];
    if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
    if (event.key === "Escape") this.doing.cancel();
    if (step || event.key === "Escape") event.preventDefault();
    event.stopPropagation();
  }
}
