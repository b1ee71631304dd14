// Python for the rules editor without a server: Pyodide with zrf_py, which answers the page's messages one after the other.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const LINT_AFTER = 250;
const FOLDER = "/project";
const load = self.fetch.bind(self);
const say = (message, ...rest) => self.postMessage(message, ...rest);
const BEGIN = `
import sys, time
from pathlib import Path
sys.path.insert(0, "/zrf")
time.thread_time = time.process_time  # there is one thread
from zrf_py.browser.host import Project
Project(Path(folder), name)
`;
// packages of Python's library that are partly in its own archive, partly in rest.zip
const JOIN = `
import importlib, sys
from pathlib import Path
sys.path_importer_cache.clear()  # importlib.invalidate_caches would import what is not there yet
for folder in Path("/zrf").rglob("*"):
    name = ".".join(folder.relative_to("/zrf").parts)
    if folder.is_dir() and not name.startswith(("zrf_py", "lark")) and not [*folder.glob("__init__.py*")]:
        importlib.import_module(name).__path__.append(str(folder))
`;

let linting;
let project;
let name; // of the rules file
let isWhole = false; // whether the rest of zrf_py is there, too
let rest; // a promise of it
const begun = begin();
let later = begun;

async function begin() {
  const runtime = new URL("./pyodide/", import.meta.url).href;
  const first = archive("zrf.zip");
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...parts) => {
    const made = await instantiate(...parts);
    rest = archive("rest.zip"); // the other downloads are done, and Python is starting
    return made;
  };
  const python = await loadPyodide({ indexURL: runtime, env: { HOME: "/home" } });
  python.unpackArchive(await first, "zip", { extractDir: "/zrf" });
  python.FS.mkdirTree(FOLDER);
  // rules are data: from here on, nothing in this worker can use the network
  for (const way of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "importScripts"]) Object.defineProperty(self, way, { value: undefined });
  self.python = python;
  rest = (rest ?? archive("rest.zip")).then((more) => {
    if (more) python.unpackArchive(more, "zip", { extractDir: "/zrf" });
    if (more) python.runPython(JOIN);
    isWhole = true;
  });
}

async function archive(name) {
  const answer = await load(new URL(name, import.meta.url));
  return answer.ok ? answer.arrayBuffer() : null; // a site made without Node.js has no rest.zip
}

function open({ files, main }) {
  name = main;
  for (const [file, text] of Object.entries(files)) self.python.FS.writeFile(`${FOLDER}/${file}`, text);
  project = self.python.runPython(BEGIN, { globals: self.python.toPy({ folder: FOLDER, name }) });
  say({ type: "ready" });
}

/** The replies to a message; the tables of a game are bytes, so they are sent beside the JSON. */
function replies(message) {
  if (message.what !== "payload") return JSON.parse(project.heed(JSON.stringify(message)));
  try {
    const bytes = project.payload(message.title);
    const value = bytes.toJs();
    bytes.destroy();
    return [{ type: "answer", id: message.id, value }];
  } catch (error) {
    return [{ type: "answer", id: message.id, problem: { summary: String(error.message).trim().split("\n").pop(), help: "" } }];
  }
}

function heed(message) {
  clearTimeout(linting);
  if (message.type === "begin") open(message);
  else {
    for (const reply of replies(message)) say(reply, reply.value?.buffer ? [reply.value.buffer] : []);
    if (message.type === "text") linting = setTimeout(() => queue({ type: "lint" }), LINT_AFTER);
  }
  if (message.type !== "lint") say({ type: "done" });
}

/** Wait for the rest of zrf_py; the wait doesn't count towards the message's time limit. */
async function whole() {
  say({ type: "waits", isWaiting: true });
  await rest;
  say({ type: "waits", isWaiting: false });
}

/** Handle a message; the first ones don't wait for the rest of zrf_py unless they need it. */
async function inTurn(message) {
  if (!isWhole && message.type !== "begin" && message.type !== "text") await whole();
  try { heed(message); } catch (error) {
    if (isWhole) throw error;
    await whole();
    heed(message);
  }
}

function queue(message) {
  later = later.then(() => inTurn(message)).catch((error) => say({ type: "broken", why: String(error?.message ?? error) }));
}

self.onmessage = ({ data }) => queue(data);
