// The best lines of the position shown, as a list and as arrows on the board.
import { firstTurn } from "./judging.js";
import { ring } from "./drawing.js";
import { arrow } from "./marking.js";
import { $, draw, make, press } from "./shared.js";
import { called, t } from "./words.js";

const [TEXT, FROM, TO] = [0, 1, 2];
const SHOWN = 6; // turns per line

export class Analysis {
  isOn = false; isFree = false; node = -1; found = null;

  /** `ask` sends a message; `play` plays the legs of a turn, given as texts. */
  constructor(drawing, ask, play) {
    this.drawing = drawing; this.ask = ask; this.play = play;
    $("lines").addEventListener("click", () => this.turn(!this.isOn));
  }

  turn(on) {
    this.isOn = on; this.node = -1; this.found = null;
    if (on) $("analysis").open = true;
    $("lines").setAttribute("aria-pressed", String(on));
    if (this.state) this.follow(this.state);
  }

  /** Analyse the position of a new state, if analysis is on and the position has changed. @param {Shown} state */
  follow(state) {
    this.state = state;
    this.isFree = state.may?.analyse === "yes" && !state.outcome && !state.error;
    if (this.isOn && this.isFree && state.node !== this.node) {
      this.node = state.node;
      this.found = null;
      this.ask({ type: "analyse" });
    }
    this.show();
  }

  tell(message) {
    if (message.node !== this.state?.node || !this.isOn) return;
    this.found = message;
    this.show();
  }

  show() {
    const lines = this.isOn && this.isFree ? this.found?.lines ?? null : [];
    const words = this.isOn && this.state.outcome ? t("The game is over in this position.") : lines === null ? t("Looking for the best lines …") : "";
    $("lines-words").textContent = this.found && this.isOn && lines?.length ? t("Evaluation for {name}:", { name: called(this.found.player) }) : words;
    $("best").replaceChildren(...(lines ?? []).map((line) => make("li", {}, this.button(line))));
    this.arrows();
  }

  button(line) {
    const turn = firstTurn(line.moves);
    const text = line.turns.slice(0, SHOWN).join("  ") + (line.turns.length > SHOWN ? " …" : "");
    const worth = make("b", { className: line.chance > .5 ? "good" : line.chance < .5 ? "bad" : "", textContent: this.worth(line) });
    return press([worth, make("span", { textContent: text })], () => this.play(turn.map((move) => move[TEXT])), "line", { title: t("Play this move") });
  }

  /** The value of a line in words: a proven end, or its score, with the expected result if chances are known. @param {Line} line */
  worth({ score, ends, chance }) {
    if (ends === null || ends === undefined) return this.found.chances ? `${score} (${t("{percent}%", { percent: Math.round(100 * chance) })})` : score;
    return ends > 0 ? t("wins in {number}", { number: ends }) : t("loses in {number}", { number: -ends });
  }

  /** Draw an arrow for each leg of the first turn of each line; the best line has the strongest arrow. */
  arrows() {
    const { svg, unit, byIndex } = this.drawing;
    svg?.querySelector(".lines")?.remove();
    const lines = this.isOn && this.isFree ? this.found?.lines ?? [] : [];
    if (!svg || !lines.length) return;
    const group = draw("g", { class: "lit lines" });
    for (const [rank, line] of [...lines.entries()].reverse()) {
      for (const move of firstTurn(line.moves)) {
        const [p, q] = [byIndex.get(move[FROM]), byIndex.get(move[TO])];
        const shape = p && q && p !== q ? arrow(p, q, unit * (1 - .22 * rank)) : null;
        const at = q ?? p;
        const mark = shape ?? (at && ring(at, "arrow", .8 - .15 * rank, .14));
        if (mark) { mark.classList.add(`rank${rank}`); group.append(mark); }
      }
    }
    svg.append(group);
  }
}
