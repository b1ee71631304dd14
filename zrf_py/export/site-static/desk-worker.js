// Python for the rules editor without a server: Pyodide with zrf_py, which handles the page's messages one at a time.
import { load, save, unpack } from "./desk-python.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const LINT_AFTER = 250;
const PAGE = 1 << 16; // bytes of WebAssembly's memory
const FOLDER = "/project";
const FIRST = new Set(["begin", "text"]); // messages that need only the first archive
const NETWORK = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "importScripts", "caches"];
const fetched = self.fetch.bind(self);
const say = (message) => self.postMessage(message);
const pause = () => new Promise((done) => setTimeout(done));
const broken = (error) => say({ type: "broken", why: String(error?.message ?? error) });
const BEGIN = `
import time
from pathlib import Path
time.thread_time = time.process_time  # there is one thread
from zrf_py.browser.host import Project
Project(Path(folder), name)
`;

let linting;
let project;
let python;
let isRestored = false; // whether Python's memory was stored by an earlier visit
let version = -1; // of the latest text handled
let compile;
const compiled = new Promise((done) => { compile = done; }); // Pyodide's module from the page, or null
const begun = begin();
let rest = begun.then(complete); // done when zrf_py is complete and all messages so far that need it are handled

async function begin() {
  const kept = await load();
  let first;
  self.fetch = async (address, ...how) => (/\.wasm$/.test(String(address)) && await compiled ? new Response() : fetched(address, ...how));
  WebAssembly.instantiateStreaming = async (source, imports) => {
    const module = await compiled ?? await WebAssembly.compileStreaming(source);
    const instance = new WebAssembly.Instance(module, imports);
    const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    if (kept) memory.grow(Math.max(0, Math.ceil((kept.size - memory.buffer.byteLength) / PAGE)));
    first ??= archive("zrf.data"); // the larger downloads are done, and Python is starting
    return { module, instance };
  };
  const start = (how) => loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href, env: { HOME: "/home" }, ...how });
  python = kept && await start({ _loadSnapshot: kept.memory }).catch(() => null);
  isRestored = Boolean(python);
  python ??= await start({ _makeSnapshot: true });
  await unpack(python.FS, await (first ?? archive("zrf.data")), "/zrf");
  if (!isRestored) python.runPython('from sys import path; path.insert(0, "/zrf")');
  python.FS.mkdirTree(FOLDER);
  // rules are data: from here on, nothing in this worker can use the network
  for (const way of NETWORK) Object.defineProperty(self, way, { value: undefined });
}

/** Load the rest of zrf_py, and import it in steps between which texts are checked. */
async function complete() {
  const more = await archive("rest.data");
  if (more.ok) { // a site made without Node.js has no rest.data
    await unpack(python.FS, more, "/zrf");
    for (const name of isRestored ? [] : python.FS.readFile("/zrf/later.txt", { encoding: "utf8" }).split("\n")) {
      await pause();
      python.runPython(`import ${name}`);
    }
  }
  rest = rest.then(() => say({ type: "whole" })); // after the messages that waited
}

const archive = (name) => fetched(new URL(name, import.meta.url));

function open({ files, main }) {
  for (const [file, text] of Object.entries(files)) python.FS.writeFile(`${FOLDER}/${file}`, text);
  project = python.runPython(BEGIN, { globals: python.toPy({ folder: FOLDER, name: main }) });
  say({ type: "ready", isRestored });
}

function heed(message) {
  if (message.version < version) return; // a later text has already been handled, without waiting
  say({ type: "began", message });
  try {
    if (message.type === "begin") open(message);
    else if (message.type !== "keep") JSON.parse(project.heed(JSON.stringify(message))).forEach(say);
    else if (!isRestored) save(python);
  } finally { say({ type: "done" }); }
  if (message.type !== "text") return;
  version = message.version;
  clearTimeout(linting);
  linting = setTimeout(take, LINT_AFTER, { type: "lint" });
}

/** Handle a message at once, unless it needs the rest of zrf_py. */
function take(message) {
  const late = () => { rest = rest.then(pause).then(() => heed(message)).catch(broken); };
  if (FIRST.has(message.type)) begun.then(() => heed(message)).catch(late);
  else late();
}

self.onmessage = ({ data }) => (data.type === "module" ? compile(data.module) : take(data));
