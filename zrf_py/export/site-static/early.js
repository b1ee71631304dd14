// The first script of the rules editor: Python starts while the page is loaded; desk-host.js takes it over.
self.early = new Worker("desk-worker.js", { type: "module" });
self.compiled = WebAssembly.compileStreaming(fetch("pyodide/pyodide.asm.wasm")).catch(() => null); // for each worker
fetch("pyodide/pyodide.asm.mjs").then((answer) => answer.arrayBuffer()).catch(() => null); // before the worker needs it
