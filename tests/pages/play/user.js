// A user at the page of a board: random clicks, drags, keys and buttons. It shows rows: what was done, and what was then seen.
import { host, handlers, up, down, sent, pass, state } from "./table.js";
import { ready } from "./board.js";
import { settings } from "./settings.js";

let seed = 1;
const random = (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor(seed / 2 ** 32 * n); };
const any = (list) => list[random(list.length || 1)];
Math.random = () => random(2 ** 30) / 2 ** 30;

// ---- time: timers run out when all messages have arrived, as far as the script lets time pass

const turn = () => new Promise((done) => setImmediate(done));
async function settle() {
  for (let calm = 0; calm < 12;) {
    await turn();
    calm = await pass("up") || await pass("down") ? 0 : calm + 1;
  }
}
async function quiet(milliseconds = 0) {
  const end = now + milliseconds;
  for (;;) {
    await settle();
    const [first] = [...timers].filter(([, one]) => one.at <= end).sort(([, a], [, b]) => a.at - b.at);
    if (!first) break;
    now = Math.max(now, first[1].at);
    ring(...first);
  }
  now = end;
}

// ---- what is seen

const svg = () => document.querySelector("#board svg");
const places = () => svg().querySelectorAll(".place");
const visible = (id) => !it(id).hidden && !it(id).disabled;
const numbers = (node) => ["cx", "cy"].map((name) => Number(node.getAttribute(name)));
const middle = (place) => { const { x, y, width, height } = place.getBBox(); return [x + width / 2, y + height / 2]; };
/** Names of the places with a visible mark of some class in their middle. */
const under = (selector) => {
  const spots = svg().querySelectorAll(selector).filter((node) => node.parentNode.classes.includes("lit")).map((node) => (node.localName === "rect"
    ? [Number(node.getAttribute("x")) + Number(node.getAttribute("width")) / 2, Number(node.getAttribute("y")) + Number(node.getAttribute("height")) / 2] : numbers(node)));
  const matrix = (place) => { const [x, y] = middle(place); const m = place.getScreenCTM(); return [m.sign * x + m.e, m.sign * y + m.f]; };
  return places().filter((place) => { const [x, y] = matrix(place); return spots.some(([a, b]) => Math.hypot(a - x, b - y) < 2); }).map((place) => place.dataset.place).sort();
};
const view = () => ({
  ...globalThis.zrfShown(), legs: state.legs, ply: state.ply, length: state.length, live: state.live, player: state.player, you: state.you, opening: state.opening,
  line: state.plies.map(([text]) => text), node: state.node, tip: state.tip,
  pieces: Object.fromEntries(svg().querySelectorAll(".piece").filter((node) => node.parentNode.dataset.layer === "pieces").map((node) => [node.dataset.place, `${node.dataset.player} ${node.dataset.type}${node.getAttribute("opacity") ?? ""}`])),
  loose: svg().querySelectorAll(".dragged").length,
  can: places().filter((place) => place.classes.includes("can")).map((place) => place.dataset.place).sort(),
  targets: [...new Set([...under(".go"), ...under(".take")])].sort(), far: under(".far"), chosen: under(".chosen"), ahead: under(".ahead"),
  held: document.querySelectorAll(".held").map((node) => [Number(node.dataset.player), node.dataset.type, node.textContent, node.classes.includes("can"), node.getAttribute("aria-pressed")]),
  list: it("list").querySelectorAll("button").map((button) => [button.textContent, Number(button.dataset.ply), button.classes.includes("now"), button.classes.includes("undone")]),
  choices: it("choices").children.map((button) => button.textContent), menu: it("menu").hidden ? [] : it("menu").children.map((button) => button.textContent),
  labels: places().map((place) => place.getAttribute("aria-label")).sort(),
  status: it("status").textContent, toast: it("toast").textContent, sure: Boolean(it("sure").open),
  buttons: Object.fromEntries(["undo", "back", "forward", "first", "last", "return", "resume", "resign", "hint"].map((id) => [id, visible(id)])),
  variations: it("variations").children.length, seats: document.querySelectorAll(".seat").map((row) => [row.dataset.player, row.classes.includes("on"), row.querySelector(".time")?.textContent ?? ""]),
  sent: sent.length,
});
const tell = (what, more = {}) => { show([what, { confirm: settings.confirm, ...more }, view()]); it("toast").textContent = ""; };

// ---- what a user does

const place = (name) => places().find((one) => one.dataset.place === name);
const on = (name) => {
  const [x, y] = middle(place(name));
  const { sign, e, f } = place(name).getScreenCTM();
  return { clientX: sign * x + e, clientY: sign * y + f, button: 0, pointerId: 1 };
};
const press = (name) => it("board").dispatch("pointerdown", on(name));
const lift = (name, more = {}) => document.dispatch("pointerup", { ...on(name), ...more });
const click = (name) => { press(name); lift(name); };
const drag = (from, to) => { press(from); document.dispatch("pointermove", on(to)); lift(to); };
const key = (name) => it("board").dispatch("keydown", { key: name });
const cursor = () => places().find((one) => one.getAttribute("tabindex") === "0");
/** Go towards a place by arrow keys, and press Enter or the space bar at the end; false if that is another place. */
function strike(name) {
  it("board").dispatch("focusin");
  const [x, y] = [on(name).clientX, on(name).clientY];
  for (let n = 0; n < 40 && cursor().dataset.place !== name; n += 1) {
    const here = on(cursor().dataset.place);
    const [dx, dy] = [x - here.clientX, y - here.clientY];
    cursor().dispatch("keydown", { key: Math.abs(dx) > 1 ? (dx < 0 ? "ArrowLeft" : "ArrowRight") : dy < 0 ? "ArrowUp" : "ArrowDown" });
  }
  cursor().dispatch("keydown", { key: any(["Enter", " "]) });
  return cursor().dataset.place === name;
}
const names = () => places().map((one) => one.dataset.place);
const nameOf = (index) => place(index)?.dataset.place ?? svg().querySelector(`#place-${index}`)?.dataset.place ?? "";
const isMine = () => Boolean(state.turn);
const held = (type) => document.querySelectorAll(".held").find((node) => node.classes.includes("can") && node.dataset.type === state.info.types[type]);

/** Confirm a move by a double click if moves have to be confirmed; false if there was nothing to confirm. */
function isConfirmed() {
  if (!settings.confirm) return true;
  const button = it("choices").children.find((one) => one.textContent.startsWith("Confirm"));
  button?.click();
  button?.click();
  return Boolean(button);
}

/** Choose a leg by clicks, a drag, keys or a button; return which, or what was missing. */
async function choose(leg) {
  const [text, from, to, type, short, becomes, taken] = leg;
  const route = any(["clicks", "drag", "keys"]);
  if (from < 0 && to < 0) {
    const name = text !== "Pass" ? short : state.inTurn ? "End the turn" : "Pass";
    const button = it("choices").children.find((one) => one.textContent === name);
    if (!button) return "no button";
    button.click();
    return isConfirmed() ? "button" : "nothing to confirm";
  }
  const [a, b] = [nameOf(from), nameOf(to)];
  const isForced = view().chosen.length > 0;
  if (type >= 0 && from < 0) {
    const hand = held(type);
    if (!hand) return "no piece";
    if (route === "drag") {
      hand.dispatch("pointerdown", { ...on(b), clientX: -50, clientY: -50 });
      document.dispatch("pointermove", on(b));
      lift(b);
    } else { hand.dispatch("click", { detail: route === "keys" ? 0 : 1 }); if (route === "keys") strike(b); else click(b); }
  } else if (route === "drag") drag(a, b);
  else for (const name of isForced ? [b] : [a, b]) if (route === "keys") strike(name); else click(name);
  const rows = state.legs.filter((one) => one[1] === from && one[2] === to && (from >= 0 || one[3] === type));
  if (rows.length > 1) {
    const wanted = becomes >= 0 ? becomes : state.info.types.indexOf(svg().querySelectorAll(".piece").find((node) => node.dataset.place === a)?.dataset.type);
    const button = it("menu").hidden ? null : it("menu").children.find((one) => [state.info.types[wanted], short].includes(one.textContent));
    if (button) button.click();
    else if (it("menu").hidden && it("status").textContent.endsWith(": choose a move")) click(nameOf(taken[0]));
    else return `${route}, no menu`;
  }
  return isConfirmed() ? route : `${route}, nothing to confirm`;
}

const noise = { // acts that change nothing while a move is on its way
  click: () => click(any(names())), drag: () => drag(any(names()), any(names())), escape: () => key("Escape"),
  choice: () => any(it("choices").children.filter((button) => !button.textContent.startsWith("Confirm")))?.click(), turn: () => it("turn").click(),
  held: () => { const all = document.querySelectorAll(".held"); if (all.length) any(all).dispatch("click", { detail: random(2) }); },
};
const calm = () => { key("Escape"); document.dispatch("pointerdown", { target: document.body }); };
const goes = ["back", "forward", "first", "last", "return", "undo"];
const KEYS = { back: "[", forward: "]", first: "Home", last: "End", undo: "u" };

const acts = {
  async move() { // any legal move, in any way
    calm();
    if (!isMine() || !state.legs.length) return;
    const leg = any(state.legs);
    const route = await choose(leg);
    await quiet();
    tell("move", { text: leg[0], route });
  },
  async slow() { // a move whose answer is slow, while the user goes on clicking
    calm();
    if (!isMine() || !state.legs.length) return;
    const leg = any(state.legs);
    const route = await choose(leg);
    const many = sent.length;
    for (let n = random(6); n >= 0; n -= 1) noise[any(["click", "drag", "held", "choice", "escape", "turn"])]();
    const extra = sent.slice(many);
    await quiet();
    tell("move", { text: leg[0], route: `slow ${route}`, extra });
    calm();
    tell("calm");
  },
  async lost() { // a move that the server refuses, or a connection that breaks under it
    calm();
    if (!isMine() || !state.legs.length) return;
    const route = await choose(any(state.legs));
    up.length = 0;
    const isAway = random(2) === 1;
    if (isAway) { handlers.away(true); handlers.away(false); } else handlers.problem({ summary: "refused" });
    await quiet();
    tell("lost", { route, isAway });
    calm();
    tell("calm");
  },
  async select() { // a piece is chosen, given up, exchanged for another
    calm();
    if (!isMine() || !state.legs.some((leg) => leg[1] >= 0 && leg[2] >= 0)) return;
    for (const [from] of [1, 2].map(() => any(state.legs.filter((leg) => leg[1] >= 0 && leg[2] >= 0)).slice(1))) {
      if (view().chosen.includes(nameOf(from)) || view().targets.includes(nameOf(from))) continue;
      if (random(2)) click(nameOf(from)); else strike(nameOf(from));
      await quiet();
      tell("select", { from: nameOf(from) });
    }
    const { chosen: [piece], can } = view();
    const other = any(names().filter((name) => !can.includes(name)));
    if (piece && other && !state.inTurn) { if (random(2)) click(other); else key("Escape"); tell("calm"); }
  },
  async hand() { // a piece off the board is chosen and put back
    calm();
    const all = document.querySelectorAll(".held").filter((node) => node.classes.includes("can"));
    if (!isMine() || !all.length) return;
    const { type } = any(all).dataset;
    for (const on of [true, false]) {
      held(state.info.types.indexOf(type)).dispatch("click", { detail: 1 });
      await quiet();
      tell(on ? "hand" : "calm", { type });
    }
  },
  async dropped() { // a piece is dragged to where it can't go, or off the board
    calm();
    const { can, choices } = view();
    if (!isMine() || !can.length) return;
    const from = any(can);
    const to = any(names().filter((name) => !state.legs.some((leg) => nameOf(leg[1]) === from && nameOf(leg[2]) === name)));
    press(from);
    document.dispatch("pointermove", on(to));
    if (random(2)) lift(to); else document.dispatch("pointercancel", on(to));
    await quiet();
    if (from === to) { calm(); await quiet(); }
    tell("calm", { dropped: [from, to, choices] });
  },
  async go() {
    calm();
    const id = any(goes);
    const before = view();
    if (KEYS[id] && random(2)) key(KEYS[id]); else it(id).click();
    await quiet();
    tell("go", { id, was: before.buttons[id] });
  },
  async hurry() { // several steps before the first answer
    calm();
    const steps = [1, 2, 3].map(() => any(["back", "forward"]));
    const could = view().buttons;
    for (const id of steps) it(id).click();
    await quiet();
    tell("hurry", { steps, could });
  },
  async list() {
    calm();
    const buttons = it("list").querySelectorAll("button");
    if (!buttons.length) return;
    const button = any(buttons);
    const ply = Number(button.dataset.ply);
    button.dispatch("click");
    await quiet();
    tell("list", { ply });
  },
  async variation() {
    calm();
    const buttons = it("variations").querySelectorAll("button");
    if (!buttons.length) return;
    any(buttons).click();
    await quiet();
    tell("variation");
  },
  async turned() { it("turn").click(); await quiet(); tell("turned"); },
  async sure() { // what would end the game has to be confirmed, which is refused here
    calm();
    const id = any(["new", "resign"]);
    if (!visible(id)) return;
    it(id).click();
    await quiet();
    const { sure: isAsked } = view();
    if (isAsked) { it("sure-no").click(); await quiet(); }
    tell("sure", { id, isAsked });
  },
  async confirm() { settings.confirm = !settings.confirm; },
  async chain() { // a click on a place that only several legs reach
    calm();
    const starts = [...new Set(state.legs.filter((leg) => leg[0].startsWith("partial ")).map((leg) => nameOf(leg[1])))];
    if (!isMine() || !starts.length) return;
    const from = any(starts);
    if (!view().chosen.includes(from)) click(from);
    await quiet();
    const { far } = view();
    tell("select", { from });
    if (!far.length) return;
    const to = any(far);
    click(to);
    await quiet();
    tell("chain", { from, to });
  },
};

/** A game of one user with both sides, in some variant. */
async function alone(variant, steps) {
  settings.confirm = false;
  for (const player of ["White", "Black"]) up.push({ type: "seat", player, who: "human" });
  up.push({ type: "new", variant });
  await quiet();
  if (!it("start").hidden && random(2)) it("start").querySelectorAll("button").find((one) => one.textContent === "Play").click();
  tell("begin", { variant });
  const usual = ["move", "move", "move", "slow", "slow", "chain", "chain", "lost", "select", "hand", "hand", "dropped", "go", "go", "go", "hurry", "list", "variation", "turned", "sure", "confirm"];
  await acts.chain();
  for (let n = 0; n < steps; n += 1) await acts[any(usual)]();
}

/** A game against a computer: moves are made ahead while it thinks; clocks run. */
async function rival(variant, steps) {
  settings.confirm = false;
  for (const [player, who] of [["White", "human"], ["Black", "random"]]) up.push({ type: "seat", player, who });
  up.push({ type: "new", variant }, { type: "offer", clock: [600, 3] });
  await quiet();
  tell("begin", { variant });
  let legs = []; // those of the turn before, most of which will be legal again
  for (let n = 0; n < steps && state.player && !state.outcome; n += 1) {
    if (state.player === "White" && state.legs.length && !state.thinking) {
      const before = view();
      const leg = any(state.legs);
      legs = state.legs.filter(([, from, to]) => from >= 0 && to >= 0 && from !== leg[1] && to !== leg[2]);
      const route = await choose(leg);
      now += 1000;
      await settle();
      tell("own", { text: leg[0], route, before: before.seats });
      continue;
    }
    if (state.player !== "White" && state.thinking) {
      calm();
      const own = Object.entries(view().pieces).filter(([, man]) => man.startsWith("0")).map(([name]) => name);
      const [, from, to] = any(legs) ?? [];
      const wish = legs.length && random(3) ? [nameOf(from), nameOf(to)] : [any(own), any(names())];
      const clicks = random(5) ? [...wish, ...random(6) ? [] : [any(names())]] : [];
      for (const name of clicks) click(name);
      const { ahead, seats: before } = view();
      await quiet(random(300));
      tell("ahead", { clicks, ahead, before, own });
      if (state.player !== "White" && state.thinking) { await quiet(2000); tell("answer", { ahead: view().ahead, clicks, own }); }
      continue;
    }
    await quiet(1000);
    tell("idle");
    if (state.paused) { it("resume").click(); await quiet(); }
  }
}

await quiet();
await host.open("");
await quiet();
show(["ready", {}, ready]);
for (const [number, variant, kind, steps] of GAMES) {
  seed = number;
  await (kind === "alone" ? alone : rival)(variant, steps);
}
process.exit(0);
