// The page of a board: what the server says is shown, what people do is asked of the server.
import { Choosing, fromOf, labelOf, labels, textOf, toOf } from "./choosing.js";
import { Drawing } from "./drawing.js";
import { Keys } from "./keys.js";
import { Link } from "./link.js";
import { MoveList, announce, called, showNotes, showSeats, showWorth, toast } from "./panels.js";
import { $, boards, draw, followTheme, keepBoard, make, readText } from "./shared.js";

const id = decodeURIComponent(location.pathname.split("/").pop());
const drawing = new Drawing($("board"));
let info = { players: [], types: [], places: [], variants: [], notes: [], title: "" };
let state = { ply: 0, length: 0, legs: [], you: [], seats: {}, moved: [] };
let plies = [];
let kinds = [];
let choosing = new Choosing({});
let site = { address: "", local: true, watch: false };
let lit = { targets: new Set(), starts: new Set() }; // places where a click does something, as last shown
let waiting = false; // a move was sent and isn't on the board yet

followTheme($("theme"));

// ---- the server ----

/** A link may bring the right to a seat: kept by this browser, and taken out of the address. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (given) {
    keepBoard(id, { token: given });
    history.replaceState(null, "", location.pathname);
  }
  return boards().find((b) => b.id === id)?.token ?? "";
}

const link = new Link(id, token(), {
  state: receive,
  hint: ({ ply, legs }) => { if (ply === state.ply) showHint(legs); },
  evaluation: (message) => showWorth(message, info),
  link: (message) => showLink("Share this position", "Whoever opens it gets a board of their own that starts from here.", `${location.origin}/new#${message.link}`),
  problem: (message) => { waiting = false; toast(message.summary); refresh(); },
  gone: (message) => { $("title").textContent = "No board"; $("status").textContent = message.summary; },
  opened: () => { if ($("desk").querySelector("input:checked")) askForView(); },
  away: (isAway) => { $("away").hidden = !isAway; },
});
const ask = (message) => link.ask(message);
const moves = new MoveList(ask);

function receive(news) {
  const before = state;
  const wasMine = isMine();
  state = { ...state, ...news };
  waiting = false;
  if (news.info) tell(news.info);
  plies.length = Math.min(plies.length, news.from);
  plies.push(...news.plies);
  if (news.svg !== undefined) {
    const step = state.ply - before.ply;
    drawing.show(news.svg, step === 1 ? state.moved : step === -1 ? before.moved : [], step === -1);
  }
  drawing.svg?.setAttribute("data-ply", state.ply);
  if (drawing.svg?.querySelector("image")) $("plain-label").hidden = false;
  const isSame = news.svg === undefined && state.ply === before.ply && wasMine === isMine(); // only who watches, perhaps
  if (!isSame) choosing = new Choosing({ ...(isMine() ? state : {}), types: info.types });
  moves.show(plies, news.from, state.ply, maySteer());
  showSeats(state, info, kinds, ask, invite);
  showState();
  refresh();
  speak(before);
}

const isMine = () => !state.error && state.you.includes(state.player);
const maySteer = () => state.owner || state.you.length > 0;

function tell(news) {
  info = news;
  kinds = news.kinds ?? kinds;
  $("title").textContent = document.title = info.title;
  keepBoard(id, { title: info.title });
  $("variant").hidden = info.variants.length < 2;
  $("title").classList.toggle("sr", info.variants.length > 1);
  $("variant").replaceChildren(...info.variants.map((title) => make("option", { value: title, textContent: title, selected: title === info.title })));
  showNotes(info.notes);
  $("warnings").hidden = !info.warnings;
  $("warnings").textContent = info.warnings;
}

// ---- what is shown ----

function showState() {
  $("broken").hidden = !state.error;
  $("broken").querySelector("pre").textContent = state.error ?? "";
  $("note").hidden = !state.note;
  $("note").textContent = state.note;
  $("status").textContent = words();
  $("dot").className = `dot${state.thinking ? " busy" : state.outcome || state.error ? " over" : ""}`;
  const steers = maySteer() && !state.error;
  $("undo").disabled = $("first").disabled = !steers || state.ply === 0;
  $("redo").disabled = $("last").disabled = !steers || state.ply >= state.length;
  $("hint").disabled = !isMine();
  $("evaluate").disabled = !state.owner;
  $("evaluate").setAttribute("aria-pressed", String(Boolean(state.judged)));
  $("worth").hidden = !state.judged;
  $("worth").classList.toggle("old", Number($("worth").dataset.ply) !== state.ply);
  $("resume").hidden = !(state.paused && steers && !state.outcome);
  for (const name of ["new", "load", "variant"]) $(name).disabled = !state.owner;
  $("save").href = `/t/${encodeURIComponent(id)}/game.zsg`;
}

function words() {
  if (state.error) return "The rules have to be put right";
  if (state.outcome) return state.outcome.text;
  const who = state.seats[state.player] ?? "human";
  const name = called(state.player);
  if (state.thinking) return who === "random" ? `${name} …` : `${name} is thinking …`;
  if (state.inTurn) return `${name}: go on${choosing.free.length ? ", or end the turn" : ""}`;
  const whose = isMine() || !["human", "link"].includes(who) ? "" : " (somebody else)";
  return state.player ? `${name} to move${whose}` : "Nobody is to move";
}

function refresh() {
  if (!drawing.svg) return;
  drawing.clear();
  const occupied = new Set(drawing.pieces().keys());
  lit = { targets: choosing.targets(), starts: choosing.canStart() };
  const can = new Set(lit.starts);
  if (choosing.chosen && "from" in choosing.chosen) drawing.chosen(drawing.byIndex.get(choosing.chosen.from));
  for (const store of drawing.stores) {
    const isUsable = choosing.canDrop(store.player, store.type);
    store.node.classList.toggle("can", isUsable);
    if (choosing.chosen?.type === info.types.indexOf(store.type) && isUsable) drawing.chosen(store);
  }
  if (choosing.isPicked) {
    for (const index of lit.targets) {
      const place = drawing.byIndex.get(index);
      if (place) drawing.target(place, occupied.has(place.name));
      can.add(index);
    }
  } else showStarts(occupied);
  for (const place of drawing.places) place.node.classList.toggle("can", can.has(place.index));
  for (const node of drawing.pieces().values()) node.classList.toggle("can", can.has(Number(node.dataset.index)));
  showFree();
  keys.refresh();
}

/** Where there are few possibilities they are shown from the start; many would only be noise. */
function showStarts(occupied) {
  const few = choosing.here.size <= 40 && (state.inTurn || choosing.sources.size === 0);
  for (const index of few ? choosing.here.keys() : []) {
    const place = drawing.byIndex.get(index);
    if (place) drawing.target(place, occupied.has(place.name));
  }
  if (choosing.sources.size && choosing.sources.size <= 3) {
    for (const index of choosing.sources.keys()) drawing.source(drawing.byIndex.get(index));
  }
}

/** Moves that have no place on the board, such as a pass, are buttons. */
function showFree() {
  $("choices").replaceChildren(...choosing.free.slice(0, 24).map((leg) => {
    const isPass = textOf(leg) === "Pass";
    const button = make("button", { type: "button", className: "button main", textContent: isPass && state.inTurn ? "End the turn" : textOf(leg) });
    button.addEventListener("click", () => play(leg));
    return button;
  }));
}

function showHint(legs) {
  choosing.release();
  refresh();
  const leg = state.legs.find((l) => textOf(l) === legs[0]);
  if (leg) drawing.hint(drawing.byIndex.get(fromOf(leg)), drawing.byIndex.get(toOf(leg)));
  toast(`Hint: ${legs.join(", then ")}`);
  announce(`Hint: ${legs.join(", then ")}`);
}

/** Moves are told to those who don't see them, with who is to move next. */
function speak(before) {
  const last = plies[state.ply - 1];
  if (state.ply > before.ply && last) announce(`${called(last[1])}: ${last[0]}. ${words()}`);
  else if (state.ply !== before.ply) announce(`Position after ${state.ply} moves. ${words()}`);
}

// ---- what people do ----

function play(leg) {
  if (waiting) return;
  closeMenu();
  waiting = true;
  ask({ type: "play", ply: state.ply, move: textOf(leg) });
}

function offer(legs, where) {
  if (legs.length === 1) play(legs[0]);
  else if (legs.length) openMenu(legs, where);
  else refresh();
}

function clickPlace(place) {
  if (!waiting) offer(choosing.click(place.index), place);
}

function clickStore(store) {
  if (waiting) return;
  choosing.clickStore(store.player, store.type);
  refresh();
}

let cameByKey = false; // whether the keyboard goes back to the board after a menu

function openMenu(legs, where) {
  cameByKey = Boolean(keys.wanted);
  refresh();
  const names = labels(legs);
  $("menu").replaceChildren(...legs.map((leg, i) => {
    const button = make("button", { type: "button", role: "menuitem" }, ...pictureOf(leg), names[i]);
    button.addEventListener("click", () => play(leg));
    return button;
  }));
  $("menu").hidden = false;
  const at = drawing.onScreen(where);
  const box = $("menu").getBoundingClientRect();
  $("menu").style.left = `${Math.max(6, Math.min(at.x + 8, innerWidth - box.width - 6))}px`;
  $("menu").style.top = `${Math.max(6, Math.min(at.y + 8, innerHeight - box.height - 6))}px`;
  $("menu").firstElementChild.focus();
}

/** The piece that a leg makes or places, if the drawing has one like it. */
function pictureOf(leg) {
  const symbol = `piece-${state.side}-${info.types.indexOf(labelOf(leg))}`;
  if (!document.getElementById(symbol)) return [];
  return [draw("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, draw("use", { href: `#${symbol}`, width: 100, height: 100 }))];
}

function closeMenu() {
  if ($("menu").hidden) return false;
  keys.wanted = cameByKey;
  $("menu").hidden = true;
  return true;
}

function cancel() {
  if (closeMenu()) keys.focus();
  choosing.release();
  refresh();
}

$("menu").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const all = [...$("menu").children];
  if (step) all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
  if (event.key === "Escape") cancel();
  if (step || event.key === "Escape") event.preventDefault();
  event.stopPropagation();
});
document.addEventListener("pointerdown", (event) => {
  if (!$("menu").contains(event.target) && closeMenu()) { choosing.release(); refresh(); }
});

const keys = new Keys($("board"), drawing, {
  label: (place) => {
    const piece = drawing.pieces().get(place.name);
    const player = piece && info.players[Number(piece.dataset.player)]?.name;
    const what = piece ? `${player} ${piece.dataset.type}` : "empty";
    const may = lit.targets.has(place.index) ? ", may be gone to" : lit.starts.has(place.index) ? ", may be chosen" : "";
    return `${place.name}, ${what}${may}`;
  },
  press: clickPlace, cancel, stores: () => drawing.stores.filter((s) => choosing.canDrop(s.player, s.type)), pressStore: clickStore,
  tell: (store) => announce(store.node.querySelector("title")?.textContent ?? store.type),
});
keys.drags({
  canDrag: (hit) => !waiting && (hit.store ? choosing.canDrop(hit.store.player, hit.store.type) : choosing.sources.has(hit.place.index)),
  start: (hit) => {
    if (hit.store) { if (choosing.chosen?.type !== info.types.indexOf(hit.store.type)) clickStore(hit.store); }
    else { choosing.chosen = { from: hit.place.index }; refresh(); }
  },
  drop: (place) => {
    const found = place ? choosing.picked().filter((leg) => toOf(leg) === place.index) : [];
    if (found.length) offer(found, place);
    else { choosing.release(); refresh(); }
  },
  click: (hit) => (hit?.store ? clickStore(hit.store) : hit ? clickPlace(hit.place) : cancel()),
});

const commands = {
  undo: () => ask({ type: "undo" }), redo: () => ask({ type: "redo" }), first: () => ask({ type: "goto", ply: 0 }),
  last: () => ask({ type: "goto", ply: state.length }), hint: () => ask({ type: "hint" }),
  evaluate: () => ask({ type: "evaluate", on: !state.judged }), resume: () => ask({ type: "resume" }),
  new: () => ask({ type: "new" }), share: () => ask({ type: "link" }), load: () => $("file").click(),
};
for (const [name, run] of Object.entries(commands)) $(name).addEventListener("click", run);
const help = "Arrow keys and Enter play, s takes from the store, Escape puts back; u, r, Home and End go through the game; h is a hint, e the balance";
const shortcuts = { u: "undo", r: "redo", h: "hint", e: "evaluate", Home: "first", End: "last" };
document.addEventListener("keydown", (event) => {
  const name = shortcuts[event.key];
  if (event.key === "?") toast(help);
  if (!name || event.ctrlKey || event.metaKey || event.altKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
  if (!$(name).disabled) commands[name]();
  event.preventDefault();
});
$("variant").addEventListener("change", () => ask({ type: "new", variant: $("variant").value }));
$("file").addEventListener("change", async () => {
  try {
    ask({ type: "load", text: await readText($("file").files[0]) });
  } catch (error) {
    toast(error.message);
  }
  $("file").value = "";
});
function askForView() {
  const chosen = [...$("desk").querySelectorAll("input:checked")].filter((box) => box.id !== "plain").map((box) => box.value);
  ask({ type: "overlays", overlays: chosen, plain: $("plain").checked });
}
$("desk").addEventListener("change", askForView);

// ---- links ----

/** Others reach the server under its name in the network, if it listens there at all. */
function invite(player, seat) {
  const where = site.local ? " Only this machine is served now; `zrf serve --host 0.0.0.0` serves the whole network." : "";
  showLink(`Play ${called(player)}`, `Whoever opens this link plays ${called(player)} at this board.${where}`,
    `${site.address || location.origin}/t/${encodeURIComponent(id)}#seat=${encodeURIComponent(seat)}`);
}

function showLink(title, about, text) {
  $("link-title").textContent = title;
  $("link-words").textContent = about;
  $("link-text").value = text;
  if (!$("link").open) $("link").showModal();
  $("link-text").select();
}

$("link-close").addEventListener("click", () => $("link").close());
$("link-copy").addEventListener("click", async () => {
  $("link-text").select();
  try {
    await navigator.clipboard.writeText($("link-text").value);
    toast("Copied");
  } catch {
    document.execCommand("copy");
  }
});

try {
  site = await (await fetch("/api/site")).json();
  $("follows").hidden = !site.watch;
  $("desk").open = site.watch;
} catch { /* the socket will say that the server is away */ }
link.open();
