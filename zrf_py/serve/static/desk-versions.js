/* Two versions of the rules side by side: the first position in which their games differ, and the changed lines. */
import { drawing } from "./desk-setup.js";
import { frame } from "./desk-why.js";
import { $, make } from "./shared.js";
import { t, w } from "./words.js";

const KINDS = { moves: w("Some moves are legal in only one version"), outcome: w("The results differ"), pieces: w("The pieces differ"), player: w("Different players are to move"), fault: w("One version fails") };

export class Versions {
  /** `desk.versions()` returns the other texts by name. */
  constructor(desk) {
    this.desk = desk;
    $("compare").onclick = () => this.compare();
    $("changes").onclick = () => this.changes();
  }

  async compare() {
    const said = $("compared");
    said.textContent = "…";
    $("two-boards").hidden = true;
    $("diff").replaceChildren();
    try {
      const reply = await this.desk.ask("compare", { title: this.desk.title(), old: this.old() });
      said.textContent = reply ? this.show(reply) : "";
    } catch (problem) { said.textContent = problem.message; }
  }

  old() { return this.desk.versions()[$("against").value]; }

  show({ positions, difference }) {
    if (!difference) return t("No differences in {count} positions from random games.", { count: positions });
    $("two-boards").hidden = false;
    for (const [side, label] of [["old", w("before: {what}")], ["new", w("now: {what}")]]) {
      const { svg, player, outcome, fault, only, squares } = difference[side];
      const board = drawing($(`${side}-board`), svg);
      for (const square of squares) frame(board, square, "captures", 0.9);
      $(`${side}-only`).textContent = t(label, { what: fault || outcome || only.join(", ") || t("{player} to move", { player }) });
    }
    const { kind, moves } = difference;
    return `${t(KINDS[kind])}: ${moves.length ? t("after {moves}", { moves: moves.join("; ") }) : t("at the start")}`;
  }

  async changes() {
    $("two-boards").hidden = true;
    try {
      const rows = await this.desk.ask("changes", { old: this.old() });
      if (!rows) return;
      $("compared").textContent = rows.length ? "" : t("The texts are identical.");
      $("diff").replaceChildren(...rows.map(([kind, line]) => make("span", { className: kind, textContent: `${line}\n` })));
    } catch (problem) { $("compared").textContent = problem.message; }
  }
}
