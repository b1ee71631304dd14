// The page of a board: shows the states that the server sends, and sends it the user's actions.
import { Analysis } from "./analysis.js";
import { Chains } from "./chains.js";
import { Choosing, fromOf, shortOf, textOf, toOf } from "./choosing.js";
import { command } from "./commands.js";
import { hear, showCompany, showTitle, tellPresence } from "./company.js";
import { showLink, sure } from "./dialogs.js";
import { Drawing, supplies } from "./drawing.js";
import { Editor } from "./editing.js";
import { showEnding } from "./ending.js";
import { Keys } from "./keys.js";
import { light } from "./lighting.js";
import { Marking } from "./marking.js";
import { Menu } from "./menus.js";
import { announce, showGone, showPace, showSeats, toast } from "./panels.js";
import { showAnother, showAsked, showClock, showVariations, showWorth, tellAnswer } from "./people.js";
import { Premove } from "./premoves.js";
import { showPuzzle } from "./puzzles.js";
import { MoveList, movesAmong, openingOf } from "./record.js";
import { Review } from "./reviewing.js";
import { showNotes } from "./rules.js";
import { about, connect, home, invitation, keep, LEAVING, moveOn, offerSave, shared, shown } from "./server.js";
import { $, followTheme, make, press, readText } from "./shared.js";
import { prepareSettings, settings } from "./settings.js";
import { ownSounds, play as sound } from "./sounds.js";
import { beginGame, showStart } from "./starting.js";
import { isFromAbove, showState, words } from "./status.js";
import { called, language, man, t, titled, told, translatePage } from "./words.js";

/** Everything shown on the page. @type {{ info: any, state: any, plies: Ply[], nodes: number[], choosing: Choosing, premove: Premove, chains?: Chains, isMine: boolean }} */
const page = {
  info: { players: [], types: [], places: [], variants: [], notes: [], stores: [], title: "" },
  state: { ply: 0, length: 0, legs: [], you: [], seats: {}, moved: [] },
  plies: [],
  nodes: [], // nodes of the tree, by ply
  choosing: new Choosing({}),
  premove: new Premove(),
  get isMine() { return !this.state.error && !this.state.isOnlySeen && Boolean(this.state.turn) && !editor.isOpen; },
};
const drawing = new Drawing($("board"));
let kinds = [];
let lit = { targets: new Set(), starts: new Set() }; // places where a click has an effect, as last shown
let pending = null; // a leg that waits for confirmation
let waiting = false; // a move was sent and is not on the board yet
let hinted = ""; // the text of the last hint
let turning = null; // whether the user wants the board turned; null: automatic, with the user's own side below
if (shown) drawing.adopt(shown);
translatePage();
followTheme($("theme"));

// ---- the server ----

const link = connect({
  state: receive,
  drawn: ({ svg, moved }) => { if (!editor.isOpen) { drawing.clear(); drawing.show(svg, moved); } },
  hint: ({ ply, legs }) => { if (ply === page.state.ply) showHint(legs); },
  moved: moveOn,
  another: showAnother,
  phrase: (message) => hear(message, page.state),
  answered: tellAnswer,
  reach: (message) => { page.chains.tell(message); refresh(); },
  learning: ({ why }) => { $("worth").querySelector("span").textContent = told(why); review.learning(told(why)); },
  analyse: (message) => analysis.tell(message),
  review: (message) => review.tell(message),
  draft: (message) => { editor.tell(message); refresh(); },
  link: (message) => showLink(...shared(message)),
  puzzle: (message) => location.assign(shared(message)[2]),
  problem: (message) => { putBack(); toast(told(message.summary)); refresh(); },
  gone: ({ summary }) => { keep(null); showGone(summary, home); },
  opened: () => { if (settings.letters || $("desk").querySelector("input:checked")) askForView(); if (page.state.judged) ask({ type: "evaluate", on: true }); },
  away: (isAway) => { $("away").hidden = !isAway; putBack(); page.choosing.release(); refresh(); },
});
const ask = (message) => link.ask(message);
const moves = new MoveList(ask);
const review = new Review(ask, (marks) => moves.mark(marks));
const analysis = new Analysis(drawing, ask, (texts) => page.isMine && playAll(texts));
const editor = new Editor(drawing, ask, {
  closed: () => { drawing.show(page.state.svg); redraw(); refresh(); },
  play: (position) => { editor.close(); location.assign(shared({ link: position })[2]); },
});
const marking = new Marking($("board"), drawing);
page.chains = new Chains(ask);

function receive(news) {
  const before = page.state;
  const wasMine = page.isMine;
  const state = page.state = { ...before, ...news };
  waiting = false;
  if (news.svg === undefined || news.svg === drawing.text) putBack();
  keys.putBack = null;
  if (news.info) tell(news.info);
  page.plies.splice(news.from, Infinity, ...news.plies);
  page.nodes.splice(news.from, Infinity, ...news.nodes ?? []);
  state.opening = openingOf(page.plies);
  state.begins = page.nodes[state.opening - 1] ?? 0; // the node of the position that the game started from
  state.isOnlySeen = Boolean(page.info.missing);
  drawing.isTurned = turning ?? isFromAbove(page.info, state);
  if (news.svg !== undefined && !editor.isOpen) {
    const step = state.ply - before.ply;
    drawing.show(news.svg, step === 1 ? state.moved : step === -1 ? before.moved : [], step === -1);
  }
  redraw();
  if (drawing.svg?.querySelector("image")) $("plain-label").hidden = false;
  const isSame = news.svg === undefined && state.ply === before.ply && wasMine === page.isMine; // perhaps only the spectators have changed
  if (!isSame && !page.chains.left.length) page.chains.forget();
  if (!isSame) { pending = null; if ($("toast").textContent === hinted) $("toast").hidden = true; }
  if (!isSame) page.choosing = new Choosing({ ...(page.isMine ? state : {}), types: page.info.types });
  showAll(news);
  refresh();
  speak(before);
  tellPresence(before, state);
  if (!isSame) goOn();
}

/** Restore marks and arrows after the board was redrawn. */
function redraw() {
  drawing.svg?.setAttribute("data-ply", page.state.ply);
  marking.show();
  analysis.arrows();
}

/** Update everything beside the board. */
function showAll(news) {
  const { state, info } = page;
  moves.show(page.plies, news.from, state.ply);
  showPlayers();
  showPace(state, ask);
  showState(state, page.plies, page.choosing, page.isMine);
  showAsked(state, ask);
  showVariations(state, page.plies, ask);
  showClock(state);
  showCompany(state, info, ask);
  showTitle(state, info, page.isMine);
  showWorth(state, info);
  offerSave($("save"));
  analysis.follow(state);
  review.follow(state, info, page.plies, page.nodes);
  editor.follow(state, info);
  showPuzzle(state, info, page.plies, { ask, play: playAll });
  showStart(state, info, ask, invite);
  showEnding(state, info, { again: (swap) => ask({ type: "new", swap }), share: () => ask({ type: "link" }), look: () => ask({ type: "goto", ply: state.opening }), review: () => { $("analysis").open = true; $("review").click(); } });
}

function showPlayers() {
  const { state, info } = page;
  const held = drawing.svg ? supplies(state.held ?? [], drawing.places.length, drawing.men(info.types)) : [];
  showSeats(state, info, kinds, held, drawing.isTurned, { ask, invite, take: clickStore });
}

/** Play moves that need no input: the rest of a chain, a premove, a pass if there is no other move. */
function goOn() {
  const { state, premove } = page;
  if (!page.isMine || waiting) return;
  const isAhead = premove.from >= 0;
  const onward = page.chains.next(state.legs) ?? (premove.isSet ? premove.take(page.choosing) : null);
  if (onward) { send(onward); return; }
  if (isAhead) { premove.clear(); refresh(); }
  const [only, ...others] = state.legs;
  const isNew = state.live && state.turn === "play" && !state.paused;
  if (isNew && only && !others.length && textOf(only) === "Pass") {
    setTimeout(() => { if (page.state.ply === state.ply && page.isMine) send(only); }, 700);
  }
}

function tell(news) {
  const info = page.info = { ...news, ...news[language] }; // with the author's texts in the page's language
  kinds = info.kinds ?? kinds;
  $("title").textContent = titled(info.title);
  keep({ title: info.title });
  $("variant").hidden = info.variants.length < 2;
  $("title").classList.toggle("sr", info.variants.length > 1);
  $("variant").replaceChildren(...info.variants.map((title) => make("option", { value: title, textContent: titled(title), selected: title === info.title })));
  showNotes(info);
  ownSounds(info.sounds);
  $("warnings").hidden = !info.warnings;
  $("warnings").textContent = info.warnings;
  $("letters").parentNode.hidden = !info.signs || page.state.may?.overlays !== "yes";
}

// ---- what is shown ----

function refresh() {
  if (!drawing.svg) return;
  if (editor.isOpen) {
    drawing.clear();
    lit = { targets: new Set(), starts: new Set() };
    if (editor.held >= 0) drawing.framed(drawing.byIndex.get(editor.held), "chosen");
    $("choices").replaceChildren();
  } else {
    lit = light(drawing, page);
    for (const at of pending ? [fromOf(pending), toOf(pending)] : []) drawing.framed(drawing.byIndex.get(at), "ahead");
    showFree();
  }
  keys.refresh();
}

/** Show buttons for moves without a place on the board, such as a pass, and for a move that waits for confirmation. */
function showFree() {
  const name = (leg) => (textOf(leg) !== "Pass" ? shortOf(leg) : page.state.inTurn ? t("End the turn") : t("Pass"));
  const buttons = pending ? [press(t("Confirm {move}", { move: name(pending) }), () => pending && send(pending), "button main"), press(t("Cancel"), cancel)]
    : page.choosing.free.slice(0, 24).map((leg) => press(name(leg), () => play(leg), "button main"));
  $("choices").replaceChildren(...buttons);
}

function showHint(legs) {
  page.choosing.release();
  refresh();
  const leg = page.state.legs.find((l) => textOf(l) === legs[0]);
  if (leg) drawing.hint(drawing.byIndex.get(fromOf(leg)), drawing.byIndex.get(toOf(leg)));
  hinted = t("Hint: {move}", { move: leg ? shortOf(leg) : legs.join(", ") });
  toast(hinted);
  announce(hinted);
}

const wordsNow = () => words(page.state, page.choosing, page.isMine);

/** Announce moves and the player to move to users of screen readers, and play the sound of a new move. */
function speak(before) {
  const { state, plies } = page;
  const last = plies[state.ply - 1];
  if (state.ply > before.ply && last) {
    announce(last[3] ? wordsNow() : `${called(last[1])}: ${last[5] ?? last[0]}. ${wordsNow()}`);
    const isTaking = /x/.test(last[5] ?? "");
    sound(state.outcome ? "end" : state.check?.length ? "check" : isTaking ? "take" : /\*/.test(last[5] ?? "") ? "drop" : "move");
  }
  else if (state.ply !== before.ply) announce(`${t("Moves played: {count}.", { count: movesAmong(plies, state.ply) })} ${wordsNow()}`);
}

// ---- user actions ----

function play(leg) {
  if (waiting) return;
  closeMenu();
  if (!settings.confirm) { send(leg); return; }
  pending = leg;
  page.choosing.release();
  refresh();
}

function send(leg) {
  pending = null;
  waiting = true;
  if (!$("start").hidden) beginGame();
  if (drawing.carried < 0 && page.state.live) keys.putBack = drawing.ahead(leg, page.state.side);
  ask({ type: "play", ply: page.state.ply, move: textOf(leg) });
}

/** Take back a move that was shown before the server confirmed it. */
function putBack() {
  waiting = false;
  keys.putBack?.();
  keys.putBack = null;
}

/** Play several legs one after the other, given as texts. */
function playAll([first, ...rest]) {
  const leg = page.state.legs.find((l) => textOf(l) === first);
  if (!leg) return;
  page.chains.forget();
  page.chains.left = rest;
  send(leg);
}

function offer(legs, place) {
  if (legs.length === 1) play(legs[0]);
  else if (legs.length && !page.choosing.ask(legs)) openMenu(legs, place);
  else refresh();
  $("status").textContent = wordsNow();
}

function clickPlace(place) {
  pending = null;
  if (editor.isOpen) { editor.click(place.index); refresh(); return; }
  const { chains, choosing, state } = page;
  if (waiting) return;
  const first = choosing.chosen?.from === chains.from && !choosing.open && !lit.targets.has(place.index) ? chains.begin(place.index) : "";
  const leg = first && state.legs.find((l) => textOf(l) === first);
  if (leg) { send(leg); return; }
  const isAhead = state.live && !page.isMine && !state.outcome && state.you.length && (state.thinking || !state.you.includes(state.player));
  if (isAhead) { page.premove.click(place.index, state.you.includes(ownerOf(place))); refresh(); return; }
  const held = choosing.chosen?.from ?? -1;
  const legs = choosing.click(place.index);
  offer(legs, place);
  if (legs.length || choosing.isPicked || !page.isMine || held === place.index) return;
  if (held >= 0) $("status").textContent = t("{place} is not a legal destination.", { place: place.name });
  else if (state.you.includes(ownerOf(place))) $("status").textContent = t("The piece on {place} can't move now.", { place: place.name });
}

const ownerOf = (place) => page.info.players[Number(drawing.pieces().get(place.name)?.dataset.player ?? -1)]?.name;

/** Handle a click on a piece off the board; with `byKey` (pressed by a key), the focus moves on to the board. */
function clickStore({ dataset }, byKey = false) {
  if (waiting || editor.isOpen) return;
  page.choosing.clickStore(Number(dataset.player), dataset.type);
  refresh();
  if (byKey) keys.focus();
}

let cameByKey = false; // whether the focus returns to the board after a menu

function openMenu(legs, place) {
  cameByKey = Boolean(keys.wanted);
  refresh();
  menu.open(legs, place, { types: page.info.types, called: page.info.called, side: page.state.side });
}

function closeMenu() {
  if (!menu.isOpen) return false;
  keys.wanted = cameByKey;
  return menu.close();
}

function cancel() {
  if (closeMenu()) keys.focus();
  pending = null;
  page.premove.clear();
  page.choosing.release();
  editor.held = -1;
  refresh();
}

const menu = new Menu(drawing, { play, cancel, away: () => { keys.wanted = cameByKey; page.choosing.release(); refresh(); } });

const keys = new Keys($("board"), drawing, {
  label: (place) => {
    const piece = drawing.pieces().get(place.name);
    const player = piece && page.info.players[Number(piece.dataset.player)]?.name;
    const content = piece ? man(player, piece.dataset.type) : t("empty");
    const may = lit.targets.has(place.index) ? t(", legal destination") : lit.starts.has(place.index) ? t(", can be selected") : "";
    return `${place.name}, ${content}${may}`;
  },
  press: clickPlace, cancel,
  canDrag: (hit) => {
    if (editor.isOpen) return Boolean(hit.place && editor.men.has(hit.place.index));
    return !waiting && (hit.store ? hit.store.classList.contains("can") : page.choosing.sources.has(hit.place.index));
  },
  start: (hit) => {
    if (editor.isOpen) editor.held = hit.place.index;
    else if (hit.store) { if (page.choosing.chosen?.type !== page.info.types.indexOf(hit.store.dataset.type)) clickStore(hit.store); }
    else { page.choosing.chosen = { from: hit.place.index }; refresh(); }
  },
  drop: (place) => {
    if (editor.isOpen) { editor.move(editor.held, place?.index ?? -1); return false; }
    const matches = place ? page.choosing.picked().filter((leg) => toOf(leg) === place.index) : [];
    if (matches.length === 1 && !settings.confirm) {
      drawing.carried = place.index;
      play(matches[0]);
      return true;
    }
    if (matches.length) offer(matches, place); // choose one of them, or confirm the only one
    else { page.choosing.release(); refresh(); }
    return false;
  },
});

/** Send a message that starts another game, after a confirmation if this one is in progress. */
async function leave(message, question, yes) {
  const isRunning = page.state.length > page.state.opening && !page.state.outcome;
  if (!isRunning || await sure(`${question} ${LEAVING}`, yes, t("Stay here"))) ask(message);
  else $("variant").value = page.info.title;
}

command(ask, page, {
  resign: async () => { if (await sure(t("Resign this game?"), t("Resign"), t("Continue playing"))) ask({ type: "resign" }); },
  new: () => { delete $("start").dataset.begun; leave({ type: "new" }, t("Start a new game?"), t("New game")); },
  turn: () => { turning = drawing.isTurned = !drawing.isTurned; anew(); },
});

prepareSettings(() => { anew(); askForView(); });

/** Draw the board again after it has been turned or given another appearance. */
function anew() { drawing.again(); redraw(); showPlayers(); showWorth(page.state, page.info); showClock(page.state); refresh(); }

$("variant").addEventListener("change", () => leave({ type: "new", variant: $("variant").value }, t("Play {title}?", { title: titled($("variant").value) }), t("Play")));
$("file").addEventListener("change", async () => {
  try {
    ask({ type: "load", text: await readText($("file").files[0]) });
  } catch (error) {
    toast(t(error.message));
  }
  $("file").value = "";
});
function askForView() {
  const chosen = [...$("desk").querySelectorAll("input:checked")].filter((box) => box.id !== "plain").map((box) => box.value);
  ask({ type: "overlays", overlays: chosen, plain: $("plain").checked, letters: settings.letters });
}
$("desk").addEventListener("change", askForView);

/** The game shown, and the moves that lead to the position, for a page that contains this one in a frame. */
globalThis.zrfShown = () => ({ title: page.info.title, moves: page.plies.slice(0, page.state.ply).map(([text]) => text) });

function invite(player, seat) { showLink(...invitation(called(player), seat), { player, ask }); }

const site = await about();
$("follows").hidden = !site.watch;
$("desk").open = site.watch;
link.open();
