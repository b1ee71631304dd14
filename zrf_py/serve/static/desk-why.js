/* The stepper: why a move is legal or not, block by block, on the board and in the text, forwards and backwards. */
import { draw } from "./desk-setup.js";

const $ = (id) => document.getElementById(id);

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
    if (!question) return;
    try {
      const found = await this.desk.ask("why", { title: this.desk.title(), play: $("played").value, question });
      if (!found) return;
      this.answer = found.answer;
      draw($("why-board"), found.svg);
      const { answer } = this;
      $("verdict").textContent = [`${answer.question}: ${answer.legal ? "legal" : "not legal"}`, answer.legal ? "" : answer.verdict, ...answer.remarks].filter(Boolean).join(" · ");
      $("block").replaceChildren(...answer.blocks.map((block, n) => new Option(
        `${block.man ?? block.piece}: ${block.block}${block.stop ? ` — ${block.stop}` : ""}`, n)));
      $("block").hidden = !answer.blocks.length;
      const best = answer.blocks.findIndex((block) => block.moves.some((move) => move.asked));
      const near = answer.blocks.findIndex((block) => block.steps.length);
      this.choose(best >= 0 ? best : Math.max(near, 0));
    } catch (problem) {
      $("verdict").textContent = [problem.message, problem.help].filter(Boolean).join(": ");
      $("block").hidden = $("stepper").hidden = true;
      $("step").textContent = "";
      this.steps = [];
    }
  }

  choose(number) {
    const block = this.answer.blocks[number];
    this.steps = block ? block.steps : [];
    $("block").value = String(number);
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
      step.operation + (step.macro ? ` (in ${step.macro})` : ""),
      step.is_test ? `${step.answer ? "yes" : "no"}${step.found ? `: ${step.found}` : ""}` : step.found,
      step.flags.length ? `flags: ${step.flags.join(", ")}` : "",
      step.writes.length ? `writes ${step.writes.join("; ")}` : "",
      step.ends ? "the block ends here" : "",
    ];
    $("step").textContent = lines.filter(Boolean).join(" · ");
    this.mark(step);
    if (step.place) this.desk.select(step.place.line, step.place.column, step.place.text.length);
  }

  mark(step) {
    const svg = $("why-board").firstElementChild;
    for (const old of svg.querySelectorAll(".marked")) old.remove();
    const put = (square, kind, inset) => {
      const place = square && svg.querySelector(`.place[data-place="${CSS.escape(square)}"]`);
      if (!place) return;
      const box = place.getBBox();
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [name, value] of Object.entries({ x: box.x + inset, y: box.y + inset,
        width: Math.max(box.width - 2 * inset, 2), height: Math.max(box.height - 2 * inset, 2), rx: 4 })) rect.setAttribute(name, value);
      rect.classList.add("marked", kind);
      rect.dataset.square = square;
      svg.append(rect);
    };
    put(step.from, "from", 1);
    put(step.to, "to", 4);
    put(step.mark, "mark", 6);
    for (const square of step.captures) put(square, "captures", 2);
    for (const squares of Object.values(step.position_flags)) for (const square of squares) put(square, "flag", 8);
    put(step.cursor, "cursor", 3);
  }
}
