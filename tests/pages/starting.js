import { beginGame, showStart } from "./starting.js";
import { result, showEnding } from "./ending.js";
const info = { title: "T", types: ["Pawn", "King"], about: "A short game.", players: [{ name: "White", kind: "player" }, { name: "?D", kind: "random" }, { name: "Black", kind: "player" }],
  notes: [{ name: "Description", lines: ["A short game.", "With more to say."] }], help: [[0, "Pawn: forward"], [1, "King: any way"]] };
const state = { owner: true, length: 2, opening: 2, seats: { White: "ai:4", Black: "human" }, may: { offer: "yes" }, clock: { seconds: 300, increment: 3 }, help: { hints: true } };
showStart(state, info, ask);
show([it("start").hidden, inside("start"), document.querySelector(".table").className]);
const [side, rival, time] = it("start").querySelectorAll("fieldset");
show([side.chosen, rival.chosen, time.chosen]);
beginGame();
show(asked.splice(0));
const choose = (set, value) => { for (const input of set.querySelectorAll("input")) input.checked = input.value === value; set.dispatch("change"); };
choose(side, "White"); choose(rival, "ai:7"); choose(time, "600 5");
show(asked.splice(0));
beginGame(); beginGame();
show(asked.splice(0));
choose(time, ""); beginGame();
Math.random = () => .9; choose(side, "?"); beginGame();
const invited = [];
choose(rival, "link"); beginGame(); show([asked.splice(0), it("start").dataset.invites]);
for (const links of [undefined, { White: "w" }, { White: "w" }]) showStart({ ...state, links }, info, ask, (...seat) => invited.push(seat));
show(invited);
const boxes = it("start").querySelectorAll(".checks input");
boxes[0].checked = false; boxes[0].dispatch("change"); boxes[1].checked = true; boxes[1].dispatch("change");
show(asked.splice(0));
for (const more of [{ owner: false }, { length: 3 }, { error: "x" }, {}]) { showStart({ ...state, ...more }, info, ask); show(it("start").hidden); }
showStart({ ...state, may: {} }, { ...info, title: "U", about: "", notes: [], players: info.players.slice(0, 2), help: [[0, "x"]] }, ask);
show([it("start").hidden, inside("start")]);
showStart({ ...state, seats: { White: "ai:2", Black: "ai:3" } }, { ...info, title: "V" }, ask);
show(it("start").querySelectorAll("fieldset").map((set) => set.chosen));
it("start").querySelectorAll(".wide")[0].click();
show([it("start").hidden, document.querySelector(".table").className, asked.splice(0)]);
for (const length of [2, 3, 2]) { showStart({ ...state, length }, { ...info, title: "V" }, ask); show(it("start").hidden); }
const outcome = (winners, losers) => ({ winners, losers, sentence: "checkmate", number: "", name: "", reason: "", places: [] });
for (const [one, scores] of [[outcome(["White"], ["Black"])], [outcome(["White", "Red"], [])], [outcome([], ["White"])], [outcome([], ["White", "Red"])], [outcome([], [])],
  [outcome([], []), [["White", 3], ["?Dice", 4]]]]) show(result(one, scores));
const doing = { again: (swap) => asked.push(["again", swap]), share: () => asked.push("share"), look: () => asked.push("look"), review: () => asked.push("review") };
for (const more of [{ may: { new: "yes" } }, { may: { new: "ask", review: "yes" }, node: 2 }, { may: {}, node: 3 }, { may: { new: "yes" }, node: 4, isOnlySeen: true }, { node: 5, error: "x" }, { node: 6, outcome: null }]) {
  showEnding({ node: 1, outcome: outcome(["White"], ["Black"]), ...more }, info, doing);
  show([it("ending").hidden, it("ribbon").hidden, it("ending").hidden ? "" : inside("ending") + inside("ribbon")]);
  if (!it("ending").hidden) for (const button of it("ending").querySelectorAll("button").slice(1)) button.click();
}
show(asked);
showEnding({ node: 9, outcome: outcome(["White"], []), may: {} }, info, doing);
document.dispatch("keydown", { key: "x" }); show(it("ending").hidden);
document.dispatch("keydown", { key: "Escape" }); show(it("ending").hidden);
showEnding({ node: 9, outcome: outcome(["White"], []), may: {} }, info, doing); show(it("ending").hidden);
showEnding({ node: 10, outcome: outcome(["White"], []), may: {} }, info, doing); show(it("ending").hidden);
for (let node = 100; node < 160; node += 1) {
  showEnding({ node, outcome: outcome(["White"], []), may: {} }, info, doing);
  document.dispatch("keydown", { key: "Escape" });
}
show([JSON.parse(stored.get("zrf-closed")).length, JSON.parse(stored.get("zrf-closed"))[0]]);
