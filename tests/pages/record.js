import { MoveList, numberOf, openingOf, movesAmong } from "./record.js";
const ply = (text, player, goesOn = false, isEdit = false, ends = false) => [text, player, goesOn, isEdit, ends, text];
const plies = [ply("x a1", "", false, true), ply("x a2", "", false, true), ply("3", "?Dice"), ply("5", "?Dice"), ply("a1-a2", "White", true), ply("a1-a2-a3", "White"),
  ply("pass", "Black", false, false, true), ply("b1", "White"), ply("b2", "Black", false, false, true), ply("c1", "White")];
const list = new MoveList(ask);
list.show(plies, 0, 6, true);
show(inside("list"));
show(plies.map((_, i) => numberOf(plies, i + 1)));
show([openingOf(plies), movesAmong(plies, 5)]);
list.mark(new Map([[6, "?!"], [9, "??"]]));
list.show([...plies.slice(0, 9), ply("c2", "White"), ply("c3", "Black")], 9, 9, true);
show(inside("list"));
list.mark(new Map([[6, "?"]]));
it("list").querySelectorAll("button").at(-1).click();
show(it("list").querySelectorAll("[data-mark]").map(seen));
list.show([...plies, ply("x c1", "", false, true), ply("x c2", "", false, true)], 9, 12, true);
show(it("list").querySelectorAll(".set-up").map(seen));
list.show(plies.slice(0, 4), 4, 0, true);
show(inside("list"));
show(asked);
const box = (top, bottom) => () => ({ top, bottom, height: bottom - top });
list.show(plies, 0, plies.length, true);
const current = it("list").querySelector(".now");
Object.assign(current, { getBoundingClientRect: box(300, 320) }); Object.assign(it("list"), { scrollTop: 0, getBoundingClientRect: box(100, 180) });
ResizeObserver.all.at(-1)(); // another panel opens, and the list has less room
show(it("list").scrollTop);
// A record that the rules refuse in the middle of a turn: the leg played is current, the rest has rows of its own.
asked.length = 0;
const refused = [...plies.slice(0, 5), ply("b1-b9", ""), ply("c1-c9", "")];
list.show(refused, 0, 5); show([inside("list"), numberOf(refused, 6)]);
it("list").querySelector(".unknown").click(); show(asked);
