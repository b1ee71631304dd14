import { handlers, asked } from "./server.js";
import { ready } from "./board.js";
import { settings } from "./settings.js";
globalThis.setTimeout = (act) => act;
globalThis.clearTimeout = () => {};
show(ready);
const svg = () => document.querySelector("#board svg");
const lit = () => svg().querySelectorAll(".lit").map((group) => group.children.map((node) => {
  const of = (name) => node.getAttribute(name);
  return [of("class"), ["cx", "cy", "r", "x", "y", "width", "height", "x1", "y1", "x2", "y2"].map((name) => of(name)).filter((it) => it !== null).map((it) => Math.round(10 * it) / 10).join(" ")].join(" ");
}));
const held = () => document.querySelectorAll(".held");
const take = (number, detail = 1) => held()[number].dispatch("click", { detail });
const told = () => show([asked.splice(0), it("status").textContent, lit(), it("live").textContent]);
const at = (name) => { const [x, y] = { a: 48, b: 88, c: 128 }[name[0]] ? [{ a: 48, b: 88, c: 128 }[name[0]], { 2: 86, 1: 126 }[name[1]]] : name; return { clientX: x, clientY: y, button: 0, pointerId: 1 }; };
const press = (name) => it("board").dispatch("pointerdown", at(name));
const move = (name) => document.dispatch("pointermove", at(name));
const lift = (name) => document.dispatch("pointerup", at(name));
const click = (name) => { press(name); lift(name); };
const labels = () => svg().querySelectorAll(".place").map((node) => [node.getAttribute("aria-label"), node.getAttribute("tabindex"), node.classList.contains("can")]);
const turned = () => svg().querySelectorAll(".layer, .piece, .store, text, tspan").map((node) => ["transform", "x", "y", "font-size"].map((name) => node.getAttribute(name) ?? "").join("|"));

show(asked.splice(0));
handlers.state(STATES[0]);
show([it("title").textContent, document.title, inside("variant"), labels(), held().map(seen)]);
told();
for (const name of ["a1", "a1", "b1", "c2", "a1", "a2"]) { click(name); told(); }
handlers.state({ ...STATES[0], from: 0 });
handlers.problem({ summary: "no such move" });
show(it("toast").textContent);
click("b1"); take(1); told(); take(1); told(); take(1); click("c1"); told();
handlers.problem({ summary: "no such move" });
held()[1].dispatch("pointerdown", at("a1")); move([90, 130]); told(); show(svg().querySelectorAll(".dragged").map((node) => [node.localName, node.getAttribute("href"), node.getAttribute("width")])); move("c1"); lift("c1"); told();
take(0); told(); held()[1].dispatch("pointerdown", at("a1")); document.dispatch("pointerup", { ...at("a1"), target: held()[1] }); told();
handlers.problem({ summary: "no such move" });
press("b1"); move([89, 127]); told(); move("b2"); told(); lift("b2"); told();
show([svg().querySelectorAll(".dragged").length, svg().querySelector('[data-place="b1"].piece').getAttribute("opacity"), svg().querySelectorAll(".lit").at(-1).getAttribute("transform")]);
handlers.problem({ summary: "no such move" });
show([svg().querySelectorAll(".dragged").length, svg().querySelector('[data-place="b1"].piece').getAttribute("opacity")]);
press("b1"); move("c2"); lift("c2"); told();
press("c2"); move("b2"); show(svg().querySelectorAll(".dragged").length); lift("b2"); told();
press("a1"); it("board").dispatch("x"); document.dispatch("pointercancel", at("a1")); told();
const key = (name, more = {}) => { const event = it("board").dispatch("keydown", { key: name, ...more }); show([name, event.defaultPrevented, document.activeElement?.id]); };
it("board").dispatch("focusin");
for (const name of ["ArrowLeft", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowDown", "Enter"]) key(name);
told();
key("ArrowUp"); key(" "); told();
handlers.problem({ summary: "no such move" });
key("s"); show(document.activeElement.className);
take(1, 0); told(); show([document.activeElement.id, held().map((node) => node.getAttribute("aria-pressed"))]);
key("Escape"); told();
key("u", { ctrlKey: true }); key("q");
handlers.hint({ ply: 0, legs: [STATES[0].legs[1][0]] }); told();
handlers.hint({ ply: 3, legs: [STATES[0].legs[0][0]] });
show(it("toast").textContent);
it("turn").click(); show(turned()); click([166 - 48, 222 - 126]); told(); show([it("above"), it("below")].map((home) => home.querySelectorAll(".seat").map((node) => node.dataset.player))); it("turn").click(); show(turned());
settings.confirm = true;
click("a1"); click("a2"); told(); show(inside("choices"));
it("choices").querySelectorAll("button")[1].click(); told(); show(inside("choices"));
click("a1"); click("a2"); it("choices").querySelectorAll("button")[0].click(); told();
handlers.problem({ summary: "no such move" });
press("b1"); move("b2"); lift("b2"); told(); show([inside("choices"), svg().querySelectorAll(".dragged").length]);
click("c1"); show(inside("choices"));
settings.confirm = false;
for (const state of STATES.slice(1)) {
  handlers.state(state);
  told();
  show([labels(), inside("choices"), inside("below").length > 100, it("save").getAttribute("href")]);
  for (const button of it("choices").querySelectorAll("button")) { button.click(); handlers.problem({ summary: "" }); }
  it("new").click(); await null; show([it("sure").open, it("sure-words").textContent, it("sure-yes").textContent]);
  it("sure-no").click(); await null; await null; await null;
  show([asked.splice(0), it("sure").open]);
}
const thinking = { ...STATES[0], from: 0, thinking: true, turn: "", player: "Black", you: ["White"], seats: { White: "human", Black: "ai:4" } };
for (const [from, to, next] of [["a1", "a2", STATES[0]], ["a1", "c2", STATES[0]], ["c2", "a2", STATES[0]], ["a1", "a1", STATES[0]]]) {
  handlers.state(thinking); told();
  click(from); told(); click(to); told();
  handlers.state({ ...next, from: 0, svg: undefined }); told();
  handlers.problem({ summary: "" });
}
handlers.state({ ...thinking, live: false }); click("a1"); told();
handlers.state({ ...STATES[0], from: 0 });
const cursors = () => svg().querySelectorAll(".cursor").length;
key("ArrowUp"); it("board").dispatch("focusin"); show(cursors());
it("board").dispatch("focusout", { relatedTarget: svg() }); show(cursors());
it("title").focus(); handlers.problem({ summary: "" }); show([cursors(), document.activeElement.id]);
it("board").dispatch("focusout", { relatedTarget: it("title") }); it("title").focus(); handlers.problem({ summary: "" }); show([cursors(), document.activeElement.id]);
it("board").dispatch("focusin"); key("ArrowUp"); it("board").dispatch("focusout", { relatedTarget: null }); it("title").focus(); handlers.problem({ summary: "" }); show([cursors(), document.activeElement.id]);
it("title").dispatch("pointerdown", at("a1")); it("title").focus(); handlers.problem({ summary: "" }); show([cursors(), document.activeElement.id]);
handlers.state(STATES.at(-1));
it("board").dispatch("pointerdown", { ...at("a1"), button: 2 }); it("board").dispatch("pointerup", { ...at("b2"), button: 2 });
show(svg().querySelectorAll(".drawn .arrow").map((node) => node.getAttribute("d")));
it("board").dispatch("pointerdown", { ...at("b1"), button: 2 }); it("board").dispatch("pointerup", { ...at("b1"), button: 2 });
show(svg().querySelectorAll(".drawn .arrow").map((node) => [node.localName, node.getAttribute("cx"), node.getAttribute("r")]));
it("board").dispatch("pointerdown", { ...at("a1"), button: 2 }); it("board").dispatch("pointerup", { ...at("b2"), button: 2 });
show(svg().querySelectorAll(".drawn .arrow").length);
press("c1"); lift("c1");
show(svg().querySelectorAll(".drawn").length);
asked.splice(0);
it("new").click(); await null; show([it("sure").open, it("sure-words").textContent, it("sure-yes").textContent]);
it("sure-no").click(); await null; await null; await null; show([asked.splice(0), it("sure").open]);
it("resign").click(); await null; it("sure-yes").click(); await null; await null; await null; show(asked.splice(0));
it("desk").querySelectorAll("input")[0].checked = true; it("desk").dispatch("change"); it("letters").checked = true; it("letters").dispatch("change"); show([asked.splice(0), stored.get("zrf-settings")]);
handlers.link({ link: "abc" }); show([it("link").open, it("link-title").textContent, it("link-text").value]);
handlers.away(true); show(it("away").hidden); handlers.away(false); show(it("away").hidden);
handlers.opened(); show(asked.splice(0));
handlers.state({ ...STATES[0], from: 0, judged: true }); handlers.opened(); show(asked.splice(0));
handlers.hint({ ply: 0, legs: [STATES[0].legs[0][0]] }); show([it("toast").textContent, it("toast").hidden]);
handlers.state({ ...STATES[0], from: 0, svg: undefined }); show(it("toast").hidden);
handlers.state(STATES[1]); show(it("toast").hidden); handlers.state({ ...STATES[0], from: 0 });
show([...new Set(svg().querySelectorAll(".place").map((node) => node.getAttribute("role")))]);
const choices = () => show(document.querySelectorAll(".seat select").map((select) => select.querySelectorAll("option").map((option) => option.getAttribute("value") ?? option.value)));
handlers.state({ ...STATES[0], owner: true, links: {}, info: { ...STATES[0].info, kinds: ["greedy", "ai:4"] } }); choices();
handlers.state({ ...STATES[0], owner: true, links: {}, info: { ...STATES[0].info, kinds: undefined } }); choices(); // news without kinds of players keep the earlier choices
const framed = () => show(lit());
const start = { ...STATES[0], from: 0, plies: [], ply: 0, length: 0 };
const goals = STATES[0].info.players.map((player, number) => ({ ...player, goal: [number, number + 3], fill: `f${number}` }));
handlers.state({ ...start, info: { ...STATES[0].info, players: goals } }); framed(); // two players: no rings round goals
handlers.state({ ...start, info: { ...STATES[0].info, players: [...goals, { ...goals[0], goal: [1], fill: "f2" }] } }); framed();
handlers.state({ ...start, info: STATES[0].info, check: [4] }); framed();
handlers.state({ ...STATES[2], from: 0, check: [3], outcome: { ...STATES.at(-1).outcome, places: [0, 1] } }); framed();
const timers = []; globalThis.setTimeout = (act, wait) => { timers.push([act, wait]); return timers.length; };
const ring = () => { for (const [act, wait] of timers.splice(0)) { show(wait); act(); } show(asked.splice(0)); };
const pass = STATES.flatMap((state) => state.legs).find((leg) => leg[0] === "Pass");
handlers.state({ ...start, legs: [pass] }); ring();
handlers.problem({ summary: "" }); timers.splice(0);
for (const more of [{ live: false }, { turn: "" }, { paused: true }, { legs: [pass, STATES[0].legs[0]] }, { legs: [STATES[0].legs[0]] }, { you: [] }]) {
  handlers.state({ ...start, legs: [pass], ...more }); ring();
}
handlers.state({ ...start, legs: [pass] }); handlers.state({ ...STATES[1], from: 0 }); ring();
handlers.state(start); held()[1].dispatch("click", { detail: 1 }); framed(); key("Escape"); framed();
it("edit").click(); click("b1"); framed(); click("c1"); framed(); show([inside("choices"), asked.splice(0)]); it("edit").click();
// A game whose rules are missing is only viewed: no pass, no panel to start it.
handlers.state({ ...STATES[0], from: 0, legs: [["Pass", -1, -1, -1, "pass", -1, [], []]] }); show([inside("choices"), it("start").hidden]);
handlers.state({ ...STATES[0], from: 0, info: { ...STATES[0].info, missing: "its rules are elsewhere" }, legs: [["Pass", -1, -1, -1, "pass", -1, [], []]] });
show([inside("choices"), it("start").hidden, it("status").textContent]);
handlers.gone({ summary: "This board is gone." }); show([it("title").textContent, document.body.classList.contains("gone"), seen(document.querySelector("main").lastElementChild)]);
