import { handlers } from "./server.js";
import { ready } from "./board.js";
const svg = () => document.querySelector("#board svg");
show(ready);
for (const turned of [false, true]) {
  if (turned) it("turn").click();
  else handlers.state(STATES[0]);
  show([svg().getAttribute("viewBox"), it("stage").style["--shape"], svg().querySelectorAll("text, tspan").map((node) => ["transform", "x", "y", "font-size"].map((name) => node.getAttribute(name) ?? "").join("|"))]);
}
