import { showAsked, showAnother, tellAnswer, showVariations, showClock, showWorth } from "./people.js";
const plies = [["x", "", false, true, false, "x"], ["a", "White", false, false, false, "a"], ["b", "Black", false, false, true, "b"]];
for (const one of [null, { by: "White", what: "undo", ply: 3, answer: true }, { by: "owner", what: "undo", ply: 2 }, { by: "White", what: "undo", ply: 3, own: true },
  { by: "White", what: "new", answer: true }, { by: "White", what: "new", own: true }]) {
  showAsked({ asked: one, seats: { White: "human", Black: "human" } }, ask);
  show([it("asked").hidden, one ? inside("asked") : ""]);
  for (const button of one ? it("asked").querySelectorAll("button") : []) button.click();
}
show(asked.splice(0));
showAnother({ id: "7" });
showAsked({ asked: null }, ask);
show([it("asked").hidden, inside("asked")]);
globalThis.setTimeout = () => 1;
globalThis.clearTimeout = () => {};
for (const one of [{ what: "new", agreed: false }, { what: "undo", agreed: true }, { what: "undo", agreed: false }]) { tellAnswer(one); show(it("toast").textContent); }
it("toast").textContent = "";
tellAnswer({ what: "undo", withdrawn: true });
show(it("toast").textContent);
showVariations({ variations: [{ ply: 2, node: 5, plies: [["a", "White", true, 0, 0, "A"], ["b", "White", false], ["c", "Black", false, 0, 0, "C"]], tried: true }, { ply: 3, node: 6, plies: [["d", "", false]], tried: false }] }, plies, ask);
show(inside("variations"));
it("variations").querySelectorAll("button")[1].click();
showVariations({}, plies, ask);
show([it("variations").hidden, asked]);
let run = null;
globalThis.setInterval = (act, every) => { run = act; show(every); return 3; };
globalThis.clearInterval = (it) => show(["cleared", it]);
const strips = () => document.querySelectorAll(".seat .time").map((node) => [node.className, node.textContent]);
const seats = (names) => it("below").replaceChildren(...names.map((name) => {
  const row = document.createElement("div");
  row.className = "seat"; row.dataset.player = name;
  const time = document.createElement("span"); time.className = "time"; row.append(time);
  return row;
}));
seats(["White", "Black"]);
showClock({ you: [], clock: { left: { White: 65.5, Black: 600 }, running: "White", seconds: 600 } });
show(strips());
now = 6400; run(); show(strips());
now = 50000; run(); show(strips());
now = 100000; run(); show(strips());
showClock({ you: [], clock: { left: { White: 19.96, Black: 20.5 }, running: "", seconds: 600 } }); show(strips());
seats(["White"]);
showClock({ you: [], clock: { left: { White: 3599.9 }, running: "", seconds: 3600 } }); show(strips());
showClock({}); show(strips());
seats(["Black"]);
const info = { players: [{ name: "White", fill: "#fff" }, { name: "Black", fill: "#000" }] };
const chances = [{ players: ["White"], share: .55, percent: 55 }, { players: ["Black", "Red"], share: .25, percent: 25 }, { players: [], share: .2, percent: 20 }];
for (const state of [{ judged: true, may: { evaluate: "yes" }, worth: { chances } }, { judged: true, may: { evaluate: "yes" }, worth: { chances: null, why: "because" } },
  { judged: true, may: { evaluate: "yes" }, worth: { chances: null } }, { judged: true, may: { evaluate: "yes" } }, { judged: false, may: { evaluate: "yes" } }, { judged: true }]) {
  showWorth(state, info);
  show([it("worth").hidden, it("scale").hidden, inside("worth"), it("scale").className, it("scale").querySelectorAll(".share").map(({ style }) => [style.flexGrow, style.order, style.background])]);
}
it("below").replaceChildren();
showWorth({ judged: true, may: { evaluate: "yes" }, worth: { chances } }, info);
show([it("scale").className, it("scale").querySelectorAll(".share").map(({ style }) => style.order)]);
