/* The first script of the rules editor: Python starts while the page is loaded; desk-host.js takes it over. If a link brings
   the tables of its game, the board appears first, and the editor and Python start once it can be played on. */
const PATIENCE = 4000; // milliseconds after which Python starts in any case
const fetched = (name) => fetch(name).then((answer) => answer.arrayBuffer());
const show = (id, isShown) => { document.getElementById(id).hidden = !isShown; };
self.engine = Promise.all([fetched("kernel.wasm").then((bytes) => WebAssembly.compile(bytes)), fetched("common.bin").then((bytes) => new Uint8Array(bytes))]);
self.engine.catch(() => null);
const parsed = new Promise((go) => { document.addEventListener("readystatechange", go, { once: true }); });

function start() {
  parsed.then(() => document.head.append(Object.assign(document.createElement("script"), { type: "module", src: "desk.js" })));
  self.early = new Worker("desk-worker.js", { type: "module" });
  self.compiled = WebAssembly.compileStreaming(fetch("pyodide/pyodide.asm.wasm")).catch(() => null); // compiled once for all workers
  fetched("pyodide/pyodide.asm.mjs").catch(() => null); // before the worker needs it
}

/** Put the tables of a link aside: they are not those of its text, or can't be played. */
self.distrust = () => {
  self.linked = "";
  document.getElementById("board").src = "about:blank"; // ends the board's worker
  for (const [id, isShown] of [["board", false], ["soon", false], ["unplayed", true], ["no-board", true]]) show(id, isShown);
  self.playable();
};

const [, version, tables] = /^#z=[\w-]+&t=(\w+)\.([\w-]{1,65536})$/.exec(location.hash) ?? [];
self.linked = version === self.format ? tables : "";
if (self.linked) {
  self.packed = Promise.resolve(self.linked);
  new Promise((go) => { self.playable = () => go(null); setTimeout(go, PATIENCE); }).then(start);
  for (const name of ["frame.js", "board-worker.js", "worker.js", "board.js"]) fetched(name).catch(() => null);
  parsed.then(() => {
    document.body.classList.add("linked");
    document.getElementById("board").src = "board.html";
    for (const [id, isShown] of [["board", true], ["soon", true], ["no-board", false]]) show(id, isShown);
  });
} else {
  if (location.hash.startsWith("#z=")) parsed.then(() => show("unplayed", true));
  start();
}
