/* The desk: an editor, its problems, and the board beside it. What is known of the text comes from the server; an answer
   about another version of the text than the one at hand is dropped. */
import { make } from "./desk-editor.js";
import { Setup } from "./desk-setup.js";
import { Stepper } from "./desk-why.js";

const $ = (id) => document.getElementById(id);
const SEND_AFTER = 40;
const SAVE_AFTER = 500;
const token = location.hash.slice(1);

let socket;
let editor;
let file;
let version = 0;
let problems = [];
let games = [];
let known = 0; // the version that problems and games are of
let sending;
let saving;
let number = 0;
const waiting = new Map();

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/desk`);
  socket.onopen = () => socket.send(JSON.stringify({ type: "join", token }));
  socket.onmessage = (event) => heard(JSON.parse(event.data));
  socket.onclose = () => {
    for (const { fail } of waiting.values()) fail(new Error("the server has gone"));
    waiting.clear();
    if (file) say("the server has gone; looking for it …", true);
    if (!$("saved").dataset.refused) setTimeout(connect, 1500);
  };
}

function heard(message) {
  if (message.type === "gone") {
    $("saved").dataset.refused = "1";
    say(`${message.problem.summary}: open the address that the terminal shows`, true);
  } else if (message.type === "file") opened(message);
  else if (message.type === "problems") told(message);
  else if (message.type === "answer") {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (!asked) return;
    if (message.problem) asked.fail(Object.assign(new Error(message.problem.summary), message.problem));
    else asked.done(message.changed || message.version !== asked.version ? null : message.value);
  }
}

function opened(message) {
  const again = Boolean(file);
  file = message;
  $("name").textContent = document.title = message.name;
  if (again) { changed(); return; } // the server was away: it gets the text of the page
  editor = make($("text"), message.text, { changed, complete, hover, goto, save: () => save(true), format });
  editor.focus();
  say(message.text ? "as on disk" : "a new file");
}

/** A question about the text as it is: its answer, or null if the text has changed by then. */
function ask(what, more = {}) {
  flush();
  const id = ++number;
  return new Promise((done, fail) => {
    if (socket.readyState !== WebSocket.OPEN) { fail(new Error("the server has gone")); return; }
    waiting.set(id, { done, fail, version });
    socket.send(JSON.stringify({ type: "ask", id, what, ...more }));
  });
}

// ---- the text

function changed() {
  version++;
  clearTimeout(sending);
  clearTimeout(saving);
  sending = setTimeout(flush, SEND_AFTER);
  say("…");
}

function flush() {
  if (sending === undefined) return;
  clearTimeout(sending);
  sending = undefined;
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "text", version, text: editor.text() }));
}

function told(message) {
  if (message.version !== version) return;
  known = version;
  problems = message.problems;
  if (message.games.length || !problems.some((p) => p.severity === "error")) games = message.games;
  for (const problem of problems) {
    problem.version = version;
    problem.fixes = problem.fixes.map((fix) => ({ ...fix, apply: () => { if (problem.version === version) editor.apply(fix.edits); } }));
  }
  editor.problems(problems);
  list();
  const errors = problems.filter((p) => p.severity === "error").length;
  if (!errors && games.length) {
    clearTimeout(saving);
    saving = setTimeout(() => save(false), SAVE_AFTER);
  } else say(errors ? "not saved: there are errors" : "nothing to play yet", true);
}

async function save(force) {
  const wanted = version;
  try {
    const done = await ask("save", { force: force && $("saved").dataset.conflict === "1" });
    delete $("saved").dataset.conflict;
    if (done && wanted === version) { say("saved"); show(); }
  } catch (problem) {
    if (problem.code === "changed-elsewhere") $("saved").dataset.conflict = "1";
    say(`${problem.message}${problem.help ? `: ${problem.help}` : ""}`, true);
  }
}

const complete = (at) => ask("complete", { at }).catch(() => null);
const hover = (at) => ask("hover", { at }).catch(() => null);

async function goto(at) {
  const found = await ask("definition", { at }).catch(() => null);
  if (found?.length) editor.select(...found[0]);
}

async function format() {
  try {
    const made = await ask("format");
    if (made && made.text !== editor.text()) editor.replace(made.text);
  } catch (problem) { say(problem.message, true); }
}

// ---- what is shown of it

function say(text, bad = false) {
  $("saved").textContent = text;
  $("saved").classList.toggle("bad", bad);
}

function list() {
  const rows = problems.map((problem) => {
    const row = document.createElement("li");
    const go = document.createElement("button");
    go.className = "go";
    const kind = document.createElement("span");
    kind.className = problem.severity;
    kind.textContent = problem.severity;
    go.append(kind, ` ${problem.text}`);
    go.onclick = () => editor.select(problem.from, problem.to);
    row.append(go);
    if (problem.help) {
      const help = document.createElement("div");
      help.className = "soft";
      help.textContent = problem.help;
      row.append(help);
    }
    for (const fix of problem.fixes) {
      const button = document.createElement("button");
      button.className = "fix";
      button.textContent = fix.title;
      button.onclick = fix.apply;
      row.append(button);
    }
    return row;
  });
  $("problems").querySelector("ul").replaceChildren(...rows);
  $("count").textContent = problems.length ? `${problems.length} problem${problems.length === 1 ? "" : "s"}` : "no problems";
  document.body.dataset.known = known;
  const titles = games.map((g) => g.title);
  const select = $("game");
  if (titles.join("\n") !== [...select.options].map((o) => o.value).join("\n")) {
    const chosen = select.value;
    select.replaceChildren(...titles.map((title) => new Option(title, title)));
    if (titles.includes(chosen)) select.value = chosen;
  }
}

const title = () => $("game").value;
let shown = "";

/** The board beside the text: it follows the file by itself; only another game needs another board. */
function show() {
  const frame = $("board");
  if (!title()) return;
  if (shown !== title()) {
    shown = title();
    frame.src = `/new?game=${encodeURIComponent(file.game)}&variant=${encodeURIComponent(shown)}`;
  }
  frame.hidden = false;
  $("no-board").hidden = true;
  if (!$("setup").hidden) setup.load();
  if (!$("words").hidden) tell();
}

/** The rules in words, in place of those before. */
async function tell() {
  const place = $("told");
  place.setAttribute("aria-busy", "true");
  try {
    const language = $("language").value;
    const found = await ask("words", { title: title(), language });
    if (!found) return;
    const page = new DOMParser().parseFromString(found.html, "text/html");
    place.replaceChildren(...page.body.childNodes);
    place.lang = language;
  } catch (problem) {
    place.textContent = problem.message;
  } finally {
    place.removeAttribute("aria-busy");
  }
}

const setup = new Setup({ ask, title, apply: (edits) => editor.apply(edits), say });
const stepper = new Stepper({ ask, title, say, select: (line, column, length) => {
  const at = editor.offset(line, column);
  editor.select(at, at + length);
} });

$("game").onchange = show;
$("language").onchange = tell;
$("format").onclick = format;
$("save").onclick = () => save(true);
for (const tab of document.querySelectorAll("[role=tab]")) {
  tab.onclick = () => {
    for (const other of document.querySelectorAll("[role=tab]")) {
      other.setAttribute("aria-selected", String(other === tab));
      $(other.dataset.tab).hidden = other !== tab;
    }
    if (tab.dataset.tab === "setup") setup.load();
    if (tab.dataset.tab === "words") tell();
  };
}
for (const button of document.querySelectorAll("[data-run]")) {
  button.onclick = async () => {
    $("said").textContent = "…";
    const found = await ask("run", { command: button.dataset.run }).catch((problem) => ({ text: problem.message }));
    $("said").textContent = found ? found.text : "the text has changed meanwhile";
  };
}
connect();
