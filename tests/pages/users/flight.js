import { handlers, asked } from "./server.js";
import { ready } from "./board.js";
const flights = [];
Element.prototype.animate = function animate(frames, { duration }) {
  const flight = { group: this, frames, duration, currentTime: 0 };
  flight.finished = new Promise((done) => { flight.end = done; });
  flights.push(flight);
  return flight;
};
Element.prototype.replaceWith = function replaceWith(node) { const home = this.parentNode; node.remove(); home.insert(home.childNodes.indexOf(this), [node]); this.remove(); };
document.createComment = () => document.createElement("comment");
const svg = () => document.querySelector("#board svg");
const told = () => flights.splice(0).map((flight) => {
  const piece = flight.group.querySelector(".piece");
  return [flight.frames.map(({ transform, opacity }) => transform ?? opacity), piece?.dataset.place ?? "ghost", piece?.dataset.type ?? "", flight.duration > 0, flight];
});
const seenOf = (rows) => rows.map((row) => row.slice(0, 4));
const land = async (rows) => { for (const [, , , , flight] of rows) flight.end(); for (let n = 0; n < 9; n += 1) await null; return [svg().querySelectorAll(".piece").every((piece) => piece.parentNode.getAttribute("data-layer") === "pieces"), svg().querySelectorAll("comment").length]; };
(async () => {
  handlers.state(STATES[0]);
  show([ready, flights.length]);
  for (const n of [1, 2, 3, 4, 3, 2, 1, 0]) {
    handlers.state({ ...STATES[n], svg: STATES[n].svg });
    const rows = told();
    show([n, seenOf(rows)]);
    show(await land(rows));
  }
  it("turn").click();
  handlers.state(STATES[1]);
  const rows = told();
  show([1, seenOf(rows)]);
  show(await land(rows));
})();
