// The first script of the rules editor: Python starts while the page is loaded; desk-host.js takes it over.
self.early = new Worker("desk-worker.js", { type: "module" });
// its largest files are on their way before it asks for them, unless a service worker has them
for (const name of ["pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs"]) {
  (self.caches?.match(name) ?? Promise.resolve()).then((stored) => stored ?? fetch(name).then((answer) => answer.arrayBuffer())).catch(() => null);
}
