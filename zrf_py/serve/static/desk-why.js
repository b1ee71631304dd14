/* The stepper: explains why a move is legal or not, step by step through each block, on the board and in the text. */
import { drawing, placeOf } from "./desk-setup.js";
import { $, draw, reason } from "./shared.js";
import { t } from "./words.js";

const SHAPE = ["d", "points", "cx", "cy", "r", "rx", "ry", "x", "y", "width", "height"];

/** Draw a frame around a square: its outline, slightly smaller. */
export function frame(svg, square, kind, size) {
  const place = square && placeOf(svg, square);
  if (!place) return;
  const { x, y, width, height } = place.getBBox();
  const cell = draw(place.tagName, { class: `marked ${kind}`, "data-square": square,
    transform: `translate(${(1 - size) * (x + width / 2)} ${(1 - size) * (y + height / 2)}) scale(${size})` });
  for (const name of SHAPE) if (place.hasAttribute(name)) cell.setAttribute(name, place.getAttribute(name));
  svg.append(cell);
}

export class Stepper {
  constructor(desk) {
    this.desk = desk;
    this.steps = [];
    this.at = 0;
    $("ask").onsubmit = (event) => { event.preventDefault(); this.ask(); };
    $("block").onchange = () => this.choose(Number($("block").value));
    $("first").onclick = () => this.go(0);
    $("back").onclick = () => this.go(this.at - 1);
    $("forward").onclick = () => this.go(this.at + 1);
    $("last").onclick = () => this.go(this.steps.length - 1);
    $("why").addEventListener("keydown", (event) => {
      if (event.target.tagName === "INPUT") return;
      if (event.key === "ArrowRight") this.go(this.at + 1);
      else if (event.key === "ArrowLeft") this.go(this.at - 1);
    });
  }

  async ask() {
    const question = $("question").value.trim();
    if (!question) {
      $("verdict").textContent = t("Enter a move (a1 a2), a square (a2: all moves to it), or a piece and its square (Man@a1).");
      $("question").focus();
      return;
    }
    try {
      const reply = await this.desk.ask("why", { title: this.desk.title(), play: $("played").value, question });
      if (!reply) return;
      this.answer = reply.answer;
      drawing($("why-board"), reply.svg);
      const { answer } = this;
      $("verdict").textContent = [`${answer.question}: ${answer.legal ? t("legal") : t("not legal")}`, answer.legal ? "" : answer.verdict, ...answer.remarks].filter(Boolean).join(" · ");
      $("block").replaceChildren(...answer.blocks.map((block, n) => new Option(
        `${block.man ?? block.piece}: ${block.block}${block.stop ? ` — ${block.stop}` : ""}`, n)));
      $("block").hidden = !answer.blocks.length;
      const best = answer.blocks.findIndex((block) => block.moves.some((move) => move.asked));
      const near = answer.blocks.findIndex((block) => block.steps.length);
      this.choose(best >= 0 ? best : Math.max(near, 0));
    } catch (problem) {
      $("verdict").textContent = reason(problem);
      $("block").hidden = $("stepper").hidden = true;
      $("step").textContent = $("stop").textContent = "";
      this.steps = [];
    }
  }

  choose(number) {
    const block = this.answer.blocks[number];
    this.steps = block ? block.steps : [];
    $("block").value = String(number);
    $("stop").textContent = block?.stop ?? "";
    $("stepper").hidden = !this.steps.length;
    $("step").textContent = "";
    this.go(0);
  }

  go(number) {
    if (!this.steps.length) return;
    this.at = Math.max(0, Math.min(number, this.steps.length - 1));
    const step = this.steps[this.at];
    $("number").textContent = `${this.at + 1} / ${this.steps.length}`;
    const lines = [
      step.ends && !step.is_test ? "" : (step.text || step.operation) + (step.macro ? ` (${t("in {macro}", { macro: step.macro })})` : ""),
      step.is_test ? `${step.holds ? t("yes") : t("no")}${step.found ? `: ${step.found}` : ""}` : step.found,
      step.flags.length ? t("flags: {flags}", { flags: step.flags.join(", ") }) : "",
      step.writes.length ? t("sets {what}", { what: step.writes.join("; ") }) : "",
      step.ends ? t("the block ends here") : "",
    ];
    $("step").textContent = lines.filter(Boolean).join(" · ");
    this.mark(step);
    if (step.place) this.desk.select(step.place);
  }

  mark(step) {
    const svg = $("why-board").firstElementChild;
    for (const old of svg.querySelectorAll(".marked")) old.remove();
    const put = (square, kind, size) => frame(svg, square, kind, size);
    put(step.from, "from", 0.96);
    put(step.to, "to", 0.86);
    put(step.mark, "mark", 0.76);
    for (const square of step.captures) put(square, "captures", 0.92);
    for (const squares of Object.values(step.position_flags)) for (const square of squares) put(square, "flag", 0.68);
    put(step.cursor, "cursor", 0.9);
  }
}
