import { Review } from "./reviewing.js";
let marks = null;
const review = new Review(ask, (them) => { marks = them; });
const info = { players: [{ name: "White", fill: "#fff" }, { name: "Black", fill: "#000" }] };
review.follow({ length: SHARES.length - 1, opening: 0, ply: 4 }, info, PLIES, PLIES.map((_, n) => 101 + n));
SHARES.forEach(([white, black], ply) => review.tell({ ply, node: ply ? 100 + ply : 0, of: SHARES.length, why: "",
  chances: [{ players: ["White"], share: white, percent: 0 }, { players: ["Black"], share: black, percent: 0 }, { players: [], share: 1 - white - black, percent: 0 }],
  lines: [{ moves: [["better"]], turns: ["better"] }] }));
show([[...marks], it("falls").children.map((row) => row.textContent)]);
show(it("graph").querySelectorAll("polygon").map((shape) => [shape.getAttribute("fill"), shape.getAttribute("points").split(" ").map((point) => point.split(",").map(Number))]));
show(["even", "here"].map((name) => ["x1", "y1", "x2", "y2"].map((end) => Number(it("graph").querySelector(`.${name}`).getAttribute(end)))));
it("falls").querySelectorAll("button")[0].click();
it("graph").dispatch("click", { clientX: 100 * 7 / (SHARES.length - 1) });
show(asked.splice(0));
