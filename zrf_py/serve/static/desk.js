/* The rules editor: an editor, its problems, and the board beside it. The host analyses the text; an answer about an
   outdated version of the text is dropped. */
import { make as makeEditor } from "./desk-editor.js";
import { Boards } from "./desk-boards.js";
import { Host } from "./desk-host.js";
import { Moves } from "./desk-moves.js";
import { Setup, options } from "./desk-setup.js";
import { Share } from "./desk-share.js";
import { Start } from "./desk-start.js";
import { Trials } from "./desk-trials.js";
import { Versions } from "./desk-versions.js";
import { Stepper } from "./desk-why.js";
import { isEndless, isShared, unpack } from "./packing.js";
import { $, make, reason, recall, remember } from "./shared.js";
import { language, learn, t, told, translatePage, w } from "./words.js";

const SEND_AFTER = 40;
const SAVE_AFTER = 500;
const KEEP_AFTER = 300;

let file;
let version = 0;
let problems = [];
let games = [];
let checkedVersion = -1; // the version that `problems` belongs to; `games` may be older
let sending;
let number = 0;
let main; // the rules file
let paper; // the file that is shown
const papers = new Map();
const waiting = new Map();

/** A file being edited: its editor, and the contents saved on disk. The browser stores unsaved changes. */
class Paper {
  constructor(name, { text, mark, isNew = !text }, asks) {
    this.name = name;
    this.disk = this.opened = text;
    this.isNew = isNew; // not saved yet
    this.mark = mark; // identifies the contents of the file that this page has read
    this.theirs = null; // {disk, mark}: the contents of a file that has been changed elsewhere, until the user chooses
    this.trouble = ""; // the reason why it could not be saved
    this.last = Promise.resolve(); // the latest attempt to save or read it
    this.place = make("div", { className: "paper" });
    $("text").append(this.place);
    this.place.addEventListener("paste", (event) => {
      if (!isEndless(event.clipboardData.getData("text/plain"))) return;
      event.preventDefault();
      event.stopPropagation(); // the editor does not see the text
      say(t("A text with a line of more than 20,000 characters can't be shown: divide the line"), true);
    }, true);
    this.editor = makeEditor(this.place, text, name, { ...asks, changed: () => this.changed(), save: () => save(this) });
    papers.set(name, this);
    const stored = recall(this.key, null);
    this.offered = stored && stored.text !== text ? stored : null; // stored until the user restores or discards it
  }

  get key() { return `zrf-desk ${file.path} ${this.name}`; }

  get isSaved() { return this.editor.text() === (this.theirs ?? this).disk; }

  changed() {
    this.trouble = "";
    clearTimeout(this.saving);
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.keep(), KEEP_AFTER);
    if (this === main) changed();
    else {
      this.saveSoon();
      if (this.name === testsOf(main.name)) trials.soon();
    }
    status();
  }

  /** Save after a pause in typing, if that is switched on. */
  saveSoon() {
    clearTimeout(this.saving);
    if ($("auto").checked && !this.isSaved) this.saving = setTimeout(() => save(this), SAVE_AFTER);
  }

  keep() { remember(this.key, this.isSaved ? this.offered : { disk: this.disk, text: this.editor.text() }); }
}

/** Handle the loss of the host: pending queries fail. */
function lost(why) {
  for (const { fail } of waiting.values()) fail(new Error(t(why)));
  waiting.clear();
  if (file) say(t("{why}; trying again …", { why: t(why) }), true);
}

function heard(message) {
  if (message.type === "gone") refused(message);
  else if (message.type === "file") opened(message);
  else if (message.type === "problems") showProblems(message);
  else if (message.type === "disk") look();
  else if (message.type === "progress") waiting.get(message.id)?.progress(message.value);
  else if (message.type === "answer") {
    const question = waiting.get(message.id);
    waiting.delete(message.id);
    if (!question) return;
    if (message.problem) question.fail(Object.assign(new Error(message.problem.summary), message.problem));
    else question.done(!question.whenever && (message.changed || [message.version, version].some((n) => n !== question.version)) ? null : message.value);
  }
}

/** Show why this page can't edit; a visitor with rules in a link sees and can change them, but only in this browser. */
async function refused({ problem, help }) {
  say(`${t(problem.summary)}: ${t(help)}`, true);
  const text = !file && isShared(location.hash) ? await unpack(location.hash).catch(() => null) : null;
  if (text === null) return;
  document.body.classList.add("visitor");
  $("came").hidden = true;
  opened({ name: "shared.zrf", path: "", mark: "", text });
}

function opened(message) {
  const again = Boolean(file);
  file = message;
  document.title = message.name;
  look();
  if (again) { main.changed(); return; } // after a reconnection, send the text of the page
  paper = main = new Paper(message.name, message, { complete, hover, goto, format });
  choices($("file"), [message.name]);
  if (message.link) share.came(message.link, message.isNew);
  document.body.classList.toggle("linked", Boolean(message.link && message.isNew)); // on a phone, the board is above the text
  if (!message.link) main.editor.focus();
  start.show(!message.text.trim());
  status();
}

/** Show a file, with a line selected if one is given. */
async function turnTo(name, line = 0) {
  try {
    if (!papers.has(name)) new Paper(name, await ask("open", { name }, true), { complete: none, hover: none, goto: none, format: none });
  } catch (problem) { return fault(problem); }
  paper = papers.get(name);
  for (const other of papers.values()) other.place.hidden = other !== paper;
  $("file").value = name;
  $("format").disabled = paper !== main;
  const { editor } = paper;
  if (line) editor.select(editor.offset(line, 1), Math.max(editor.offset(line, 1), editor.offset(line + 1, 1) - 1));
  else editor.focus();
  status();
}

/** Send a query about the current text; resolve to the answer, or, unless `whenever` is set, to null if the text has changed since. */
function ask(kind, more = {}, whenever = false, progress = () => {}) {
  flush();
  const id = ++number;
  return new Promise((done, fail) => {
    const problem = send({ type: "ask", id, what: kind, ...more });
    if (problem) fail(new Error(problem));
    else waiting.set(id, { done, fail, version, whenever, progress });
  });
}

/** Send a message; return why it can't be sent, or "". */
function send(message) {
  const text = JSON.stringify(message);
  if (!host.isOpen) return t(host.GONE);
  if (new Blob([text]).size > file.longest) return t("the text is longer than {size} KiB", { size: file.longest >> 10 });
  host.send(text);
  return "";
}

// ---- the text

function changed() {
  version++;
  clearTimeout(sending);
  sending = setTimeout(flush, SEND_AFTER);
  start.show(!main.editor.text().trim());
}

function flush() {
  if (sending === undefined) return;
  clearTimeout(sending);
  sending = undefined;
  const problem = send({ type: "text", version, text: main.editor.text() });
  if (problem && host.isOpen) {
    main.trouble = t("not checked: {why}", { why: problem });
    status();
  }
}

function showProblems(message) {
  if (message.version !== version) return;
  const isNew = checkedVersion !== version;
  checkedVersion = version;
  problems = main.editor.text().trim() ? message.problems : []; // for an empty text, the ways to start are shown instead
  if (message.games.length || !problems.some((p) => p.severity === "error")) games = message.games;
  for (const problem of problems) {
    problem.version = version;
    problem.fixes = problem.fixes.map((fix) => ({ ...fix, title: told(fix.title), apply: () => { if (problem.version === version) main.editor.apply(fix.edits); } }));
  }
  main.editor.problems(problems);
  choices($("file"), [...new Set([...message.files, ...papers.keys()])]);
  list();
  start.show(!main.editor.text().trim());
  if (!errors() && games.length) {
    if (isNew) {
      panels();
      trials.soon();
    }
    if (main.isSaved || host.isLive) show();
    main.saveSoon();
  } else trials.none();
  status();
}

const errors = () => checkedVersion === version && problems.some((p) => p.severity === "error");

/** Save a text after earlier saves have finished. */
function save(paper) { paper.last = paper.last.then(() => put(paper)); }

async function put(paper) {
  if (paper.theirs) return status(); // the user has to choose first
  const { editor, name, mark: oldMark } = paper;
  const text = editor.text();
  try {
    const { mark } = await ask("save", { name, text, mark: oldMark }, true);
    Object.assign(paper, { disk: text, isNew: false, mark, trouble: "" });
    paper.keep();
    if (paper === main && !errors()) show();
  } catch (problem) {
    if (problem.code === "changed-elsewhere") await read(paper);
    else paper.trouble = t("not saved: {why}", { why: reason(problem) });
  }
  status();
}

/** Read the files, which may have been changed elsewhere, after saves have finished. */
function look() { for (const paper of papers.values()) paper.last = paper.last.then(() => read(paper)); }

async function read(paper) {
  const now = await ask("open", { name: paper.name }, true).catch(fault);
  if (now) paper.theirs = now.mark === paper.mark ? null : { disk: now.text, mark: now.mark }; // null: the old contents are back
  if (paper.theirs?.disk.trim() && paper.editor.text() === paper.disk) load(paper); // a file that is gone takes no text with it
  status();
}

/** Note that the user knows the present contents of the file, which the next save replaces. */
const accept = (paper) => Object.assign(paper, paper.theirs, { theirs: null, isNew: false });

/** Show the present contents of the file. */
const load = (paper) => accept(paper).editor.replace(paper.disk);

/** Finish the offer of stored changes, whether restored or discarded. */
function settle() {
  paper.offered = null;
  paper.keep();
  status();
}

const none = () => Promise.resolve(null);
const complete = (at) => ask("complete", { at }).catch(() => null);
const hover = (at) => ask("hover", { at }).catch(() => null);

async function goto(at) {
  const spans = await ask("definition", { at }).catch(() => null);
  if (spans?.length) main.editor.select(...spans[0]);
}

async function format() {
  const result = await ask("format").catch(fault);
  if (result && result.text !== main.editor.text()) main.editor.replace(result.text);
}

// ---- the page

function say(text, bad = false) {
  $("saved").textContent = text;
  $("saved").classList.toggle("bad", bad);
}

/** Show whether the file is saved, and the reason if it is not. */
function status() {
  if (paper.theirs && paper.isSaved) accept(paper);
  const { name, offered, opened: text, theirs } = paper;
  $("kept").hidden = !offered;
  if (offered) $("kept-why").textContent = t(offered.disk === text ? w("There are unsaved changes to {name}.") : w("There are unsaved changes to {name}, and the file has changed since."), { name });
  $("theirs").hidden = !theirs;
  if (theirs) $("theirs-why").textContent = t(theirs.disk.trim() ? w("{name} has been changed in another program or window.") : w("{name} has been emptied or deleted by another program or window."), { name });
  $("revert").disabled = !text.trim() || text === paper.editor.text(); // back to an empty text is no way for a new file
  if (paper.trouble) say(paper.trouble, true);
  else if (theirs) say(t("not saved: the file has been changed elsewhere"), true);
  else if (paper.isSaved) say(paper.isNew ? t("new file") : t("saved"));
  else if (paper === main && errors()) say(t("not saved: there are errors"), true);
  else say(t("not saved"));
}

function list() {
  const rows = problems.map((problem) => {
    const onclick = () => { turnTo(main.name); main.editor.select(problem.from, problem.to); };
    const row = make("li", {}, make("button", { className: "go", onclick }, make("span", { className: problem.severity, textContent: problem.severity }), ` ${problem.text}`));
    if (problem.help) row.append(make("div", { className: "soft", textContent: problem.help }));
    row.append(...problem.fixes.map((fix) => make("button", { className: "button fix", textContent: fix.title, onclick: fix.apply })));
    return row;
  });
  $("problems").querySelector("ul").replaceChildren(...rows);
  $("count").textContent = problems.length === 1 ? t("1 problem") : problems.length ? t("{count} problems", { count: problems.length }) : t("no problems");
  document.body.dataset.known = String(checkedVersion);
  choices($("game"), games.map((g) => g.title));
}

/** Fill a list of choices; the current choice is kept if it is still there. */
function choices(select, names) {
  if (names.join("\n") === [...select.options].map((o) => o.value).join("\n")) return;
  options(select, names.map((name) => [name, name]), select.value);
}

const title = () => $("game").value;

/** Show the board beside the text. */
function show() {
  if (!title()) return;
  host.show($("board"), file, title());
  $("board").hidden = $("remembering").hidden = false;
  $("no-board").hidden = true;
}

/** Update the tab that is shown, if it depends on the text. */
function panels() {
  for (const [name, editor] of Object.entries(visual)) if (!$(name).hidden) editor.load();
  if (!$("words").hidden) tell();
}

/** Show the rules in words. */
async function tell() {
  const place = $("told");
  place.setAttribute("aria-busy", "true");
  try {
    const language = $("language").value;
    const reply = await ask("words", { title: title(), language });
    if (!reply) return;
    const page = new DOMParser().parseFromString(reply.html, "text/html");
    place.replaceChildren(...page.body.childNodes);
    place.lang = language;
  } catch (problem) {
    place.textContent = problem.message;
  } finally {
    place.removeAttribute("aria-busy");
  }
}

/** Append a block to the page of tests, and show that page. */
async function append(block) {
  const name = testsOf(main.name);
  await turnTo(name);
  if (paper.name !== name) return;
  const text = paper.editor.text().trimEnd();
  paper.editor.replace(`${text || `# ${title()}`}\n\n${block}`);
  trials.soon();
}

const testsOf = (name) => `${name.replace(/\.[^.]*$/, "")}.md`;

function showTab(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    $(tab.dataset.tab).hidden = tab.dataset.tab !== name;
  }
  visual[name]?.load("");
  if (name === "words") tell();
}

/** Show a problem; return null in place of an answer. */
function fault(problem) {
  say(reason(problem), true);
  return null;
}

/** Request edits of the current text (again if it changes meanwhile) and apply them; return whether they were applied. */
async function edit(kind, more) {
  for (let tries = 0; tries < 5; tries++) {
    const edits = await ask(kind, { title: title(), ...more });
    if (edits) { main.editor.apply(edits); return true; }
  }
  return false;
}
const [askHere, editHere] = [ask, edit].map((send) => (...message) => send(...message).catch(fault));
const drawn = { ask: askHere, title, edit: editHere, say, cursor: () => main.editor.cursor() };
const visual = { setup: new Setup(drawn), moves: new Moves(drawn), maker: new Boards(drawn) };
new Stepper({ ask, title, say, select: (place) => {
  if (place.file !== file.path || paper !== main) return;
  const at = main.editor.offset(place.line, place.column);
  main.editor.select(at, at + place.text.length, false);
} });
const trials = new Trials({ ask, title, append, say, tab: showTab, goto: turnTo, page: () => papers.get(testsOf(main.name))?.editor.text() ?? null });
const versions = new Versions({ ask, title, versions: () => ({ saved: (main.theirs ?? main).disk, opened: main.opened, link: share.original }) });
const share = new Share({ text: () => main.editor.text(), address: () => file.address, say, tables: () => { flush(); return host.tables?.(); },
  take: (text) => { main.editor.replace(text); turnTo(main.name); },
  open: (text) => (host.follow ? host.follow(text) : share.came(text, true)),
  compare: () => { showTab("versions"); versions.changes(); } });
const host = new Host(heard, lost);
const start = new Start({ fault, starts: () => host.starts(ask), put: (text) => { main.editor.replace(text); turnTo(main.name); } });

$("game").onchange = () => { show(); panels(); trials.soon(); };
$("language").onchange = tell;
$("format").onclick = format;
$("save").onclick = () => save(paper);
$("load").onclick = () => load(paper);
$("overwrite").onclick = () => { accept(paper); save(paper); };
$("put-back").onclick = () => { paper.editor.replace(paper.offered.text); settle(); };
$("forget").onclick = settle;
$("revert").onclick = () => paper.editor.replace(paper.opened);
$("file").onchange = () => turnTo($("file").value);
$("auto").checked = recall("zrf-desk-auto", true);
$("auto").onchange = () => {
  remember("zrf-desk-auto", $("auto").checked);
  if (paper !== main || (!errors() && games.length)) paper.saveSoon();
};
addEventListener("hashchange", () => { if (isShared(location.hash)) share.open(location.hash); });
addEventListener("pagehide", () => { for (const each of papers.values()) each.keep(); });
for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => showTab(tab.dataset.tab);
$("lint").onclick = async () => {
  $("results").replaceChildren();
  $("said").textContent = "…";
  $("said").textContent = (await ask("lints", {}, true).catch((problem) => ({ text: problem.message }))).text;
};
if (language !== "en") {
  learn(await (await fetch(new URL(`desk-${language}.json`, document.querySelector("link[href$='desk.css']").href))).json());
  translatePage();
}
host.connect();
if (isShared(location.hash) && !host.isLive) share.open(location.hash);
