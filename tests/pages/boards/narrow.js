import { handlers } from "./server.js";
import { ready } from "./board.js";
import { wish } from "./fitting.js";
const svg = () => document.querySelector("#board svg");
show(ready);
handlers.state(STATES[0]);
for (const coordinates of ["inside", "outside", "none"]) for (const turned of [false, true]) {
  wish.coordinates = coordinates;
  it("turn").click(); if (!turned) { it("turn").click(); } // the board is drawn again in either case
  show([coordinates, turned, svg().getAttribute("viewBox"), document.querySelector(".table").style["--ratio"], svg().querySelectorAll("text, tspan").map((node) => ["transform", "text-anchor", "x", "y", "font-size"].map((name) => node.getAttribute(name) ?? "").join("|"))]);
  if (turned) it("turn").click();
}
