/* The host of the rules editor without a server: Python in a worker, and files in this browser. It uses the same
   messages as serve/static/desk-host.js. A worker that does not answer is replaced by a new one. */
import { Files } from "./desk-files.js";
import { drawing } from "./desk-setup.js";
import { isShared, pack, unpack } from "./packing.js";
import { $, download, make } from "./shared.js";
import { opened } from "./tables.js";
import { decoded } from "./unpack.js";
import { t, told, w } from "./words.js";

const PATIENCE = 20_000;
const LOOK = 500;
const LOAD_AFTER = 400; // milliseconds without a change before the game of a new text is loaded
const LONGEST = 1 << 20;
const FIRST = "my-game.zrf";
const TOO_SLOW = { summary: "these rules take too long; the work was stopped", help: "" };
const here = (name) => new URL(name, import.meta.url);

export class Host {
  GONE = "the checker is not running";
  isOpen = true; // messages sent before Python is loaded wait for it
  isLive = true; // the board follows the text, saved or not
  follow = async (text) => go({ z: await pack(text) }); // opens the text of a link as another file
  number = 0; current = null; asked = new Map(); kept = {}; shown = ""; refused = null; offline; picture;

  constructor(heard, gone) { this.heard = heard; this.gone = gone; }

  /** Open the file named in the address, else the first of this browser's files, and start Python. */
  async connect() {
    this.files = await Files.open();
    const { name, text, link } = await this.#wished();
    this.name = globalThis.rulesFile = name;
    for (const each of await this.files.names()) if (stem(each) === stem(name)) this.kept[each] = await this.files.text(each);
    const isNew = this.kept[name] === undefined;
    this.kept[name] ??= text;
    this.text = { type: "text", version: 0, text: this.kept[name] };
    this.#start();
    this.heard({ type: "file", name, game: "", path: `/project/${name}`, longest: LONGEST, text: this.kept[name], mark: isNew ? "" : this.kept[name], isNew, link });
    await this.#tools();
    setInterval(() => this.#look(), LOOK);
  }

  /** The file to open: `#game=NAME` names one in this browser. `#open=PATH` (a file of this site) and `#z=DATA` (the text of
   * a link) open a new one; with `#z`, `game` names the copy of the text in this browser, which is opened once it exists. */
  async #wished() {
    const wish = new URLSearchParams(location.hash.slice(1));
    const names = (await this.files.names()).filter((name) => name.endsWith(".zrf"));
    const game = wish.get("game") ?? names[0] ?? FIRST;
    const link = wish.has("z") && await unpack(wish.get("z")).catch(({ message }) => notice(t("The link can't be opened: {why}.", { why: t(message) })));
    if (link) return { name: names.includes(wish.get("game")) ? game : free("shared.zrf", names), text: link, link };
    const path = wish.get("open") ?? "";
    if (/^[\w-]+(\/[\w-]+)*\.zrf$/.test(path)) {
      const answer = await fetch(here(`../${path}`)).catch(() => null);
      const name = free(path.split("/").pop(), names);
      if (answer?.ok) return { name, text: await answer.text() };
    }
    return { name: /^[\w. -]{1,80}\.zrf$/.test(game) ? game : FIRST, text: "" };
  }

  #start() {
    this.isReady = false;
    this.worker = globalThis.early ?? new Worker(here("desk-worker.js"), { type: "module" });
    globalThis.early = null;
    globalThis.compiled.then((module) => this.worker.postMessage({ type: "module", module }));
    this.worker.onmessage = ({ data }) => this.#told(data);
    this.worker.onerror = (event) => this.heard({ type: "gone", problem: { summary: "Python could not be started" }, help: event.message ?? "" });
    const { [this.name]: own, ...others } = this.kept;
    this.worker.postMessage({ type: "begin", main: this.name, files: { ...others, ...(own ? { [this.name]: own } : {}) } });
    if (this.text !== this.refused) this.worker.postMessage(this.text);
  }

  #told(message) {
    if (message.type === "ready") { this.isReady = true; document.body.dataset.python = message.isRestored ? "restored" : "ready"; }
    if (message.type === "broken") this.heard({ type: "gone", problem: { summary: "Python failed" }, help: message.why });
    if (message.type === "began") this.current = { ...message.message, since: performance.now() };
    if (message.type === "done") this.current = null;
    if (message.type === "problems") {
      $("unplayed").hidden = true;
      if (message.problems.some(({ severity }) => severity === "error")) this.#distrust();
    }
    if (message.type === "whole") this.offline ??= keepOffline(this.worker);
    if (this.asked.has(message.id)) {
      const { done, fail } = this.asked.get(message.id);
      this.asked.delete(message.id);
      if (message.problem) fail(new Error(message.problem.summary));
      else done(message.value);
    } else if (message.type === "answer" || message.type === "problems") this.heard(message);
  }

  /** Replace a worker that takes too long; the text that caused this is not checked again. */
  #look() {
    if (!this.isReady || !this.current || performance.now() - this.current.since < PATIENCE) return;
    this.worker.terminate();
    const { type, text } = this.current;
    if (type === "lint" || (type === "text" && text === this.text.text)) this.refused = this.text;
    this.current = null;
    for (const { fail } of this.asked.values()) fail(new Error(TOO_SLOW.summary));
    this.asked.clear();
    this.gone(TOO_SLOW.summary);
    this.#start();
    if (this.refused === this.text) this.#refuse(this.text.version);
  }

  #refuse(version) {
    const problem = { from: 0, to: 0, severity: "error", code: "too-slow", text: "these rules take too long to check", help: "edit them to check them again", fixes: [] };
    this.heard({ type: "problems", version, problems: [problem], games: [], files: [this.name], linted: true });
  }

  send(text) {
    const message = JSON.parse(text);
    if (message.type === "text") {
      const isRefused = this.refused?.text === message.text;
      this.text = message;
      if (isRefused) { this.refused = message; this.#refuse(message.version); } else this.worker.postMessage(message);
    } else if (message.what === "save") this.#save(message);
    else if (message.what === "open") this.#open(message);
    else this.worker.postMessage(message);
  }

  /** Read a file as this browser has stored it; its text is also its mark. */
  async #open({ id, name }) {
    const text = await this.files.text(name) ?? this.kept[name] ?? "";
    if (text) this.worker.postMessage({ type: "ask", what: "save", name, text: this.kept[name] = text });
    this.heard({ type: "answer", id, value: { text, mark: text } });
  }

  async #save(message) {
    try {
      if (![undefined, message.mark].includes(await this.files.text(message.name))) throw Object.assign(new Error(""), { code: "changed-elsewhere" });
      for (const { name, text } of [...(isShared(location.hash) ? [{ ...this.text, name: this.name }] : []), message]) {
        await this.files.put(name, text);
        this.kept[name] = text;
      }
      if (isShared(location.hash)) history.replaceState(null, "", `#game=${this.name}&${location.hash.slice(1)}`); // the address now opens the copy
      this.heard({ type: "answer", id: message.id, value: { mark: message.text } }); // the answer does not wait for a busy worker
      this.worker.postMessage(message);
    } catch (error) {
      this.heard({ type: "answer", id: message.id, problem: { code: "unwritable", summary: error.message, help: "download it to keep it", ...error } });
    }
  }

  /** Send Python a query of the host itself; resolve to its value. */
  ask(message) {
    const id = `host-${++this.number}`;
    return new Promise((done, fail) => { this.asked.set(id, { done, fail }); this.worker.postMessage({ type: "ask", ...message, id }); });
  }

  // ---- the board

  /** Show the board of the current text: a picture of its start position at once, then the game, continued as far as the
   * rules allow. */
  show(frame, file, title) {
    const key = `${title}\n${this.text.text}`;
    if (this.shown === key || this.refused === this.text) return;
    this.shown = key;
    this.picture = this.ask({ what: "picture", title }).catch(() => "");
    if (!globalThis.linked && !(frame.contentDocument?.querySelector("#board svg")?.dataset.ply > 0)) this.#picture(frame, key, false);
    clearTimeout(this.loading);
    this.loading = setTimeout(() => this.#load(frame, key, title), frame.src ? LOAD_AFTER : 0);
  }

  /** Show the picture of the start position instead of the last game or, if `isNew`, on a page without a board yet. */
  async #picture(frame, key, isNew) {
    const svg = await this.picture;
    const place = frame.contentDocument?.getElementById("board");
    if (!svg || !place || this.shown !== key || (isNew && place.firstElementChild)) return;
    drawing(place, svg);
    place.inert = !isNew; // until the game is loaded
  }

  async #load(frame, key, title) {
    const packed = this.ask({ what: "payload", title });
    const open = () => {
      const link = this.title === title ? frame.contentWindow.location.hash : "";
      globalThis.packed = packed; this.title = title; // the page of the board waits for the game
      frame.onload = link ? null : () => this.#picture(frame, key, true);
      $("no-board").hidden = true;
      frame.hidden = false;
      frame.src = here(`board.html?${++this.number}${link}`);
    };
    if (!frame.src) open();
    try {
      if (await packed === globalThis.linked) this.#trust(title); // the game goes on
      else {
        this.#distrust();
        if (this.shown === key && globalThis.packed !== packed) open();
      }
    } catch (problem) {
      $("no-board").textContent = t("The board cannot be shown: {why}.", { why: told(problem.message) });
      $("no-board").hidden = false;
      frame.hidden = true;
    }
  }

  /** Keep the board of a link: Python has found that it shows the game of the text. */
  #trust(title) {
    this.title = title;
    globalThis.linked = "";
    $("soon").hidden = true;
  }

  /** Discard the tables of a link if the board plays them: they differ from those of the text, or the text has errors. */
  #distrust() {
    if (!globalThis.linked) return;
    globalThis.distrust();
    $("unplayed").hidden = true;
    if (!this.text.version) notice(t("The board starts again: the game in the link is not the one that its text describes."));
  }

  /** The part of a link to the current text that makes it playable before Python is loaded: the tables of its first game;
   * "" if they can't be part of a link. */
  async tables() {
    try {
      const packed = await this.ask({ what: "payload", title: $("game").querySelector("option").value });
      await opened(packed, (await globalThis.engine)[1], true);
      return `&t=${globalThis.format}.${packed}`;
    } catch { return ""; }
  }

  /** The games to start from, known before Python is loaded. */
  async starts() {
    const { games, ...small } = await (await fetch(here("starts.json"))).json();
    return { ...small, games: games.map((game) => ({ ...game, text: async () => (await fetch(here(game.file))).text() })) };
  }

  // ---- tools of this page only

  async #tools() {
    const names = (await this.files.names()).filter((name) => name.endsWith(".zrf"));
    const mine = make("select", { id: "mine", "aria-label": t("Games in this browser") },
      ...[...new Set([this.name, ...names])].map((name) => new Option(stem(name), name)));
    mine.onchange = () => go({ game: mine.value });
    const button = (id, text, title, onclick) => make("button", { id, className: "button", textContent: t(text), title: t(title), onclick });
    $("file").before(mine,
      button("fresh", w("New"), w("Start another game"), () => go({ game: free(FIRST, [this.name, ...names]) })));
    $("format").before(
      button("download", w("Download"), w("Download the rules as a .zrf file, or with their tests as a .zip file"),
        () => (Object.keys(this.kept).length > 1 ? this.#take("files", "zip", "application/zip") : download(this.name, this.text.text))),
      button("export", w("Export"), w("Export the game as a single web page that runs offline"), () => this.#take("page", "html", "text/html")));
    if (this.files.why) $("saved").title = this.files.why;
  }

  async #take(what, ending, type) {
    try {
      const { html, zip } = await this.ask({ what, title: $("game").value });
      download(`${stem(this.name)}.${ending}`, html ?? decoded(zip), type);
    } catch (problem) { $("saved").textContent = t("Export failed: {why}", { why: told(problem.message) }); }
  }
}

const notice = (textContent) => $("came").before(make("p", { className: "bar", role: "alert", textContent }));

const stem = (name) => name.replace(/\.\w+$/, "");

/** A name that no game in this browser has: the given one, with a number if necessary. */
function free(name, names) {
  for (let number = 2, other = name; ; number++) {
    if (!names.includes(other)) return other;
    other = name.replace(/\.zrf$/, `-${number}.zrf`);
  }
}

function go(wish) {
  location.hash = String(new URLSearchParams(wish));
  location.reload();
}

/** Store the files of the rules editor for offline use, and Python's memory for a quicker start. */
async function keepOffline(worker) {
  if (!location.protocol.startsWith("http") || !navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(here("../sw.js"));
    const { active } = await navigator.serviceWorker.ready;
    const files = await (await fetch(here("files.json"))).json();
    active.postMessage({ keep: files.map((file) => here(file).href) });
    worker.postMessage({ type: "keep" });
  } catch { /* the browser or the network refuses: the editor works online only */ }
}
