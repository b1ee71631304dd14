/* Trials of the text: after each check without errors, run the tests and a second of random games; on request, write
   the full report on the game. */
import { $, make, reason } from "./shared.js";
import { called, t } from "./words.js";

const PAUSE = 600; // milliseconds without a change before the trials begin

export class Trials {
  /** `desk.page()` returns the text of the page of tests (null: as saved), `desk.goto(file, line)` shows a line. */
  constructor(desk) {
    this.desk = desk;
    this.isBusy = this.isDue = false;
    this.progress = null;
    $("margin-line").onclick = () => desk.tab("judge");
    $("tests-now").onclick = () => desk.tab("run");
    $("run-tests").onclick = () => this.test();
    $("judge-start").onclick = () => this.judge();
    $("judge-stop").onclick = () => desk.ask("stop", {}, true).catch(() => null);
    $("remember").onclick = () => this.remember(false);
    $("remember-move").onclick = () => this.remember(true);
  }

  /** Start the trials after a pause, and after any trials of an older text; called for a text without errors. */
  soon() {
    clearTimeout(this.timer);
    this.isDue = true;
    this.timer = setTimeout(() => this.run(), PAUSE);
  }

  /** Cancel the trials (a timer that still runs finds nothing due) and hide the last results; called for a text with errors. */
  none() {
    this.isDue = false;
    $("margin").hidden = true;
  }

  async run() {
    if (this.isBusy || !this.isDue) return;
    this.isBusy = true;
    this.isDue = false;
    await this.test(true);
    await this.play();
    this.isBusy = false;
    if (this.isDue) this.soon();
  }

  async play() {
    try {
      const reply = await this.desk.ask("margin", { title: this.desk.title() });
      if (!reply) return;
      $("margin-line").textContent = reply.line.map(([template, { side = "", ...values }]) => t(template, { ...values, side: called(side) })).join(" · ");
      $("margin-line").title = reply.never.length ? t("never used: {names}", { names: reply.never.join(", ") }) : "";
    } catch (problem) { $("margin-line").textContent = problem.message; }
    $("margin").hidden = false;
  }

  /** Run the tests on the text as typed; `isAside`: automatically, not by the user. */
  async test(isAside = false) {
    if (!isAside) $("said").textContent = "…";
    try {
      const results = await this.desk.ask("tests", { page: this.desk.page() });
      if (results) this.show(results, isAside);
    } catch (problem) { if (!isAside) $("said").textContent = problem.message; }
  }

  /** Show each test as a button that leads to its line, with the problem below it if it failed. */
  show(results, isAside) {
    const failed = results.filter(({ problem }) => problem).length;
    const sum = t("{passed} passed, {failed} failed", { passed: results.length - failed, failed });
    $("tests-now").hidden = !results.length;
    $("tests-now").textContent = t("Tests: {sum}", { sum });
    $("tests-now").classList.toggle("error", failed > 0);
    if (results.length) $("margin").hidden = false;
    else if (isAside) return;
    $("said").textContent = results.length ? sum : t("There are no tests yet. The buttons on the Play tab add one.");
    $("results").replaceChildren(...results.map(({ name, file, line, problem }) => {
      const outcome = make("span", { className: problem ? "error" : "passed", textContent: problem ? t("failed") : t("passed") });
      const go = make("button", { className: "go" }, outcome, ` ${name} `, make("span", { className: "soft", textContent: `${file}:${line}` }));
      go.onclick = () => this.desk.goto(file, line);
      return make("li", {}, go, ...(problem ? [make("pre", { textContent: problem })] : []));
    }));
  }

  /** Append a test of the position on the board, or of the last move, to the page of tests. */
  async remember(last) {
    const shown = $("board").contentWindow?.zrfShown?.();
    if (!shown) return;
    try {
      const { block } = await this.desk.ask("remember", { title: shown.title, moves: shown.moves, last }, true);
      await this.desk.append(block);
    } catch (problem) { this.desk.say(reason(problem), true); }
  }

  async judge() {
    const [begin, stop, page] = [$("judge-start"), $("judge-stop"), $("judge-page")];
    begin.disabled = true;
    stop.hidden = false;
    page.hidden = true;
    this.progress = ({ title, done, of }) => { $("judge-now").textContent = `${title}: ${done} / ${of}`; };
    try {
      const report = await this.desk.ask("judge", { title: this.desk.title() }, true, (value) => this.progress(value));
      $("judge-report").textContent = report.text;
      URL.revokeObjectURL(page.href);
      page.href = URL.createObjectURL(new Blob([report.page], { type: "text/html" }));
      page.download = `${this.desk.title()}.html`;
      page.hidden = false;
    } catch (problem) { $("judge-report").textContent = problem.message; }
    $("judge-now").textContent = "";
    begin.disabled = false;
    stop.hidden = true;
  }
}
