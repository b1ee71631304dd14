// The first script of the rules editor: Python starts while the page is loaded; desk-host.js takes it over.
self.early = new Worker("desk-worker.js", { type: "module" });
