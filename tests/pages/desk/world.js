// A browser for the rules editor of a site: selects, frames, files, and a worker whose Python is the process that reads these lines.
export const editors = {};
export const downloads = [];
export const went = [];
export const workers = [];
export const kept = new Map(Object.entries(FILES));
export const world = { below: [], deaf: false, offline: true };
const timers = new Map();
const later = globalThis.setTimeout;
let number = 0;
let pending = 0;

globalThis.setTimeout = (act, time = 0) => { timers.set(number += 1, [time, act]); return number; };
globalThis.clearTimeout = (id) => timers.delete(id);
export const intervals = [];
globalThis.setInterval = (act) => { intervals.push(act); };
const turn = () => new Promise((done) => setImmediate(done));

/** Wait for all answers, and let all timers run out, the shortest first. */
export async function quiet() {
  for (;;) {
    for (let n = 0; n < 20; n += 1) await turn();
    if (pending && !world.deaf) continue;
    const [first] = [...timers].sort(([, [a]], [, [b]]) => a - b);
    if (!first) return;
    timers.delete(first[0]);
    first[1][1]();
  }
}

/** Wait, 20 seconds at most, for what no message reports, such as packed or unpacked bytes. */
export async function until(isDone) {
  for (let n = 0; n < 4000 && !isDone(); n += 1) await new Promise((done) => later(done, 5));
  await quiet();
}

// ---- what dom.js lacks

Object.defineProperties(Element.prototype, {
  parentElement: { get() { return this.parentNode; } },
  options: { get() { return this.querySelectorAll("option"); } },
  value: {
    get() {
      if (this.localName !== "select") return this.chosen ?? (this.localName === "option" ? this.textContent : "");
      return (this.options.find(({ value }) => value === this.chosen) ?? this.options[0])?.value ?? "";
    },
    set(value) { this.chosen = String(value); },
  },
});
Element.prototype.before = function before(...nodes) { this.parentNode.insert(this.parentNode.childNodes.indexOf(this), nodes); };
document.elementsFromPoint = () => world.below;
document.querySelector = (selector) => (selector.startsWith("link") ? { href: "http://x/desk/desk.css" } : document.body.querySelector(selector));
DOMParser.prototype.parseFromString = (text) => {
  const home = parse(text, document.createElement("body"));
  return { documentElement: home.firstElementChild, body: home };
};
const heard = {};
Object.assign(globalThis, {
  CSS: { escape: (name) => name },
  Option: function Option(text, value) { return Object.assign(document.createElement("option"), { textContent: text, value }); },
  addEventListener: (name, act) => { (heard[name] ??= []).push(act); },
  Worker: class {
    constructor(address, options) { workers.push([address.href, options, this]); world.worker = this; }
    postMessage(message) {
      if (world.deaf) return;
      pending += 1;
      console.log(JSON.stringify({ asks: message }));
    }
    terminate() { this.isGone = true; }
  },
  indexedDB: {
    open() {
      const answer = (result, request = {}) => { setImmediate(() => request.onsuccess?.()); return Object.assign(request, { result }); };
      const store = { getAllKeys: () => answer([...kept.keys()]), get: (name) => answer(kept.get(name)),
        transaction: {}, put(text, name) {
          if (!kept.has("full")) kept.set(name, text);
          this.transaction.error = { message: "no room left" };
          setImmediate(() => this.transaction[kept.has("full") ? "onabort" : "oncomplete"]());
        } };
      const base = { createObjectStore: (name) => { base.made = name; }, transaction: () => ({ objectStore: () => store }) };
      if (!kept.has("refused")) return answer(base, { get onupgradeneeded() { return null; }, set onupgradeneeded(act) { Object.assign(this, { result: base }); act(); } });
      const request = { error: { message: "private window" } };
      setImmediate(() => request.onerror());
      return request;
    },
  },
  fetch: async (address) => {
    const name = String(address).split("/").pop();
    const found = PLACES[name];
    return { ok: found !== undefined, json: async () => found, text: async () => found };
  },
});
globalThis.early = new Worker({ href: "http://x/desk/desk-worker.js" }, { type: "module" }); // as early.js does
globalThis.compiled = new Promise(() => {});
URL.createObjectURL = (blob) => { downloads.push(blob); return `blob:${downloads.length}`; };
URL.revokeObjectURL = (address) => went.push(["forgotten", address]);
Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText: async (text) => went.push(["copied", text]) } }, configurable: true });
Object.assign(location, { href: "http://x/desk/", pathname: "/desk/", protocol: "http:", reload: () => went.push(["reload", String(location.hash)]), ...WHERE });
globalThis.history = { replaceState: (_, title, address) => { location.hash = address; } };
export const happens = (name, event = {}) => { for (const act of heard[name] ?? []) act(event); };
const frame = it("board");
frame.contentDocument = parse('<p id="board"></p>', document.createElement("body"));
frame.contentDocument.getElementById = (id) => frame.contentDocument.querySelector(`#${id}`);
frame.contentWindow = { location: { hash: "#link" }, zrfShown: () => world.shown };

/** Python's replies to messages. */
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const data = JSON.parse(line);
  if (data.type === "done") pending -= 1;
  world.worker.onmessage({ data });
});

// ---- what a user does

export const text = () => editors[world.name ?? "my-game.zrf"].text();
export const type = async (words) => { editors[world.name ?? "my-game.zrf"].replace(words); await quiet(); };
export const press = async (id) => { it(id).click(); await quiet(); };
export const choose = async (id, value) => { it(id).value = value; it(id).onchange?.(); await quiet(); };
export const tab = async (name) => {
  const tabs = document.querySelectorAll("[role=tab]");
  tabs.find((one) => one.dataset.tab === name).click();
  await quiet();
  const selected = tabs.filter((one) => one.getAttribute("aria-selected") === "true").map((one) => one.dataset.tab);
  if (selected.join() !== name || it(name).hidden) throw new Error(`the selected tab is ${selected.join()}, not ${name}`);
};
export const drawn = (id) => it(id).firstElementChild;
/** Click a square of a drawing, or an empty point of it. */
export const tap = async (id, square, event = { clientX: 0, clientY: 0 }) => {
  world.below = square ? [document.createElement("i"), ...drawn(id).querySelectorAll(".place").filter((place) => place.dataset.place === square)] : [];
  drawn(id).dispatch("click", event);
  await quiet();
};
export const strike = (id, square, key) => drawn(id).querySelectorAll(".place").find((place) => place.dataset.place === square).dispatch("keydown", { key });
export const lines = (id) => it(id).children.map((child) => child.textContent);
