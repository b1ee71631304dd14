// Python for the rules editor without a server: Pyodide with zrf_py, which answers the page's messages one after the other.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const LINT_AFTER = 250;
const FOLDER = "/project";
const say = (message, ...rest) => self.postMessage(message, ...rest);
const BEGIN = `
import sys, time
from pathlib import Path
sys.path.insert(0, "/zrf")
time.thread_time = time.process_time  # there is one thread
from zrf_py.browser.host import Project
Project(Path(folder), name)
`;

let linting;
let project;
let name; // of the rules file
const begun = begin().catch((error) => say({ type: "broken", why: String(error?.message ?? error) }));
let later = begun;

async function begin() {
  const [python, archive] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href, env: { HOME: "/home" } }),
    fetch(new URL("./zrf.zip", import.meta.url)).then((answer) => answer.arrayBuffer())]);
  python.unpackArchive(archive, "zip", { extractDir: "/zrf" });
  python.FS.mkdirTree(FOLDER);
  // rules are data: from here on, nothing in this worker can use the network
  for (const way of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "importScripts"]) Object.defineProperty(self, way, { value: undefined });
  self.python = python;
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
    if (message.type === "text") linting = setTimeout(() => heed({ type: "lint" }), LINT_AFTER);
  }
  if (message.type !== "lint") say({ type: "done" });
}

self.onmessage = ({ data }) => {
  later = later.then(() => heed(data)).catch((error) => say({ type: "broken", why: String(error?.message ?? error) }));
};
