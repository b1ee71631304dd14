import { showState, words } from "./status.js";
const base = { seats: { White: "human", Black: "ai:4", "?Dice": "random" }, you: ["White"], owner: true, live: true, turn: "play",
  player: "White", ply: 3, opening: 1, length: 4, tip: 9, begins: 2, game: 4, may: { hint: "yes", analyse: "yes", resign: "yes" } };
const won = { winners: ["White"], losers: ["Black"], sentence: "checkmate", number: "", name: "", places: [] };
for (const [more, choosing, isMine] of [[{}, {}, true], [{}, {}, false], [{ check: [3] }, {}, true], [{ error: "x" }, {}, true],
  [{ player: "Black", thinking: true }, {}, false], [{ player: "Black", thinking: true, preparing: true }, {}, false],
  [{ player: "?Dice", thinking: true }, {}, false], [{ player: "Black" }, {}, false],
  [{ live: false, turn: "try" }, {}, true], [{ live: false, turn: "" }, {}, true], [{ live: false, turn: "try", game: 2 }, {}, true], [{ live: false, turn: "go-on", game: -1 }, {}, true], [{ isOnlySeen: true }, {}, true],
  [{ outcome: won, scores: [["White", 3], ["Black", 0]] }, {}, true], [{}, { open: new Map() }, true],
  [{ inTurn: true }, { free: [1] }, true], [{ inTurn: true }, { free: [] }, true], [{ player: "" }, {}, true],
  [{ seats: { White: "link" }, away: ["White"] }, {}, false], [{ seats: { White: "link" }, away: [] }, {}, false]]) {
  show(words({ ...base, ...more }, { open: null, free: [], ...choosing }, isMine));
}
const names = ["back", "first", "forward", "last", "undo", "hint", "evaluate", "resume", "resign", "return", "analysis", "lines", "review", "edit",
  "new", "load", "variant", "broken", "note"];
const plies = [["6", "?Dice", false, false, false, "6"], ["a", "White", false, false, false, "a"]];
for (const more of [{}, { ply: 1 }, { ply: 4 }, { error: "bad" }, { you: [], owner: false }, { tip: 2 }, { asked: {} }, { paused: true },
  { paused: true, outcome: won }, { outcome: won }, { live: false }, { length: 1 }, { seats: { White: "human" } }, { may: {} }, { may: { evaluate: "yes", review: "yes" }, judged: true },
  { may: { draft: "yes" } }, { note: "no" }, { thinking: true }, { ply: 1, player: "White" }]) {
  showState({ ...base, ...more }, plies, { open: null, free: [] }, true);
  show([names.filter((name) => it(name).hidden), names.filter((name) => it(name).disabled), it("evaluate").getAttribute("aria-pressed"), it("dot").className, it("thrown").textContent]);
}
for (const more of [{}, { game: 3 }, { ply: 2 }, { puzzle: null }]) { // the position of a puzzle after a wrong move, and in a game that was played on
  showState({ ...base, puzzle: { moves: ["a"] }, ply: 1, game: 2, live: false, turn: "go-on", ...more }, plies, { open: null, free: [] }, true);
  show([it("return").hidden, it("status").textContent]);
}
