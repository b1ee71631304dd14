// Runs the built extension in node, without the editor: a stand-in for the `vscode` module has what the language client
// needs, and stubs for the rest. Prints, as JSON, the server's messages about a file that is opened and changed.
//   npm test [-- FILE.zrf COMMAND [WORD…]]     (COMMAND starts zrf; the default is `zrf` on the path)
"use strict";
const Module = require("node:module");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL, fileURLToPath } = require("node:url");

const [file = path.join(__dirname, "hop.zrf"), ...words] = process.argv.slice(2);
const command = words.length ? words : ["zrf"];
const said = [];
const listeners = {};
const providers = {};

class Position {
  constructor(line, character) { this.line = line; this.character = character; }
}
class Range {
  constructor(a, b, c, d) {
    this.start = a instanceof Position ? a : new Position(a, b);
    this.end = a instanceof Position ? b : new Position(c, d);
  }
}
class Disposable {
  constructor(end) { this.end = end; }
  dispose() { if (this.end) this.end(); }
}
class EventEmitter {
  constructor() { this.all = []; this.event = (f, self) => { this.all.push(f.bind(self)); return new Disposable(); }; }
  fire(e) { for (const f of this.all) f(e); }
  dispose() {}
}
class Uri {
  constructor(url) { this.url = url; this.scheme = url.protocol.slice(0, -1); this.path = url.pathname; }
  static parse(text) { return new Uri(new URL(text)); }
  static file(name) { return new Uri(pathToFileURL(name)); }
  get fsPath() { return fileURLToPath(this.url); }
  get authority() { return this.url.host; }
  toString() { return this.url.href; }
}
class CodeActionKind {
  constructor(value) { this.value = value; }
  append(part) { return new CodeActionKind(`${this.value}.${part}`); }
}
for (const name of ["Empty", "QuickFix", "Refactor", "RefactorExtract", "RefactorInline", "RefactorRewrite", "Source",
  "SourceOrganizeImports"]) CodeActionKind[name] = new CodeActionKind(name);
class Diagnostic {
  constructor(range, message, severity) { this.range = range; this.message = message; this.severity = severity; }
}
const document = (name) => {
  const uri = Uri.file(name);
  const found = {
    uri, fileName: name, languageId: "zrf", version: 1, text: fs.readFileSync(name, "utf8"), isClosed: false,
    getText: () => found.text, save: async () => true,
  };
  return found;
};

// stub for the rest of the interface: callable, constructible, and each of its properties is such a stub
const anything = () => new Proxy(function () {}, {
  get: (target, key) => {
    if (key === "prototype" || key === Symbol.hasInstance) return Reflect.get(target, key);
    if (key === Symbol.toPrimitive) return () => 0;
    if (key === "then" || key === Symbol.iterator) return undefined;
    return (target[key] ??= anything());
  },
  apply: () => new Disposable(),
  construct: () => new (class {})(),
});
const filled = (known) => new Proxy(known, { get: (t, k) => (k in t ? t[k] : (t[k] = /^[A-Z]/.test(String(k)) ? class {} : on(k))) });
const on = (name) => (/^on[A-Z]/.test(String(name))
  ? (f, self) => { (listeners[name] ??= []).push(f.bind(self)); return new Disposable(); }
  : anything());

const opened = document(file);
const vscode = filled({
  version: "1.99.0", Position, Range, Disposable, EventEmitter, Uri, CodeActionKind, Diagnostic,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 }, ViewColumn: { Beside: -2 },
  CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable() }; cancel() {} dispose() {} },
  env: filled({ language: "en", appName: "node", asExternalUri: async (uri) => uri }),
  workspace: filled({
    textDocuments: [opened], workspaceFolders: undefined, notebookDocuments: [],
    getConfiguration: () => ({ get: (key, otherwise) => (key === "command" ? command : otherwise), has: () => false }),
    createFileSystemWatcher: () => filled({ dispose() {} }), getWorkspaceFolder: () => undefined,
  }),
  window: filled({
    activeTextEditor: undefined, visibleTextEditors: [], tabGroups: filled({ all: [] }),
    createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {}, clear() {}, replace() {}, info() {}, warn() {}, error() {}, debug() {}, trace() {}, onDidChangeLogLevel: () => new Disposable(), logLevel: 3 }),
    showErrorMessage: (text) => { console.error(new Error(text).stack); process.exit(1); },
  }),
  commands: filled({ registerCommand: () => new Disposable() }),
  languages: new Proxy({
    match: () => 10,
    createDiagnosticCollection: () => ({
      set: (uri, found) => said.push({ uri: uri.toString(), codes: found.map((d) => d.code?.value ?? d.code), messages: found.map((d) => d.message) }),
      delete() {}, clear() {}, dispose() {}, has: () => false, get: () => undefined, forEach() {},
    }),
  }, { get: (t, k) => (k in t ? t[k] : (...args) => { providers[k] = args[1]; return new Disposable(); }) }),
});

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

const until = async (holds) => {
  for (let n = 0; n < 1200 && !holds(); n++) await new Promise((f) => setTimeout(f, 50));
  if (!holds()) throw new Error("no such message arrived: " + JSON.stringify(said));
};

async function main() {
  const extension = require(path.join(__dirname, "..", "dist", "extension.js"));
  const client = await extension.activate({ subscriptions: [] });
  if (!client) throw new Error("the extension did not start");
  for (const f of listeners.onDidOpenTextDocument ?? []) f(opened);
  await until(() => said.length > 0);
  const first = said.at(-1);
  opened.text = opened.text.replace("(verify", "(verfy");
  opened.version = 2;
  const change = { document: opened, reason: undefined, contentChanges: [{ range: new Range(0, 0, 1e6, 0), rangeOffset: 0, rangeLength: 0, text: opened.text }] };
  for (const f of listeners.onDidChangeTextDocument ?? []) f(change);
  await until(() => said.some((s) => s.codes.length));
  const capabilities = client.initializeResult.capabilities;
  const board = await client.sendRequest("workspace/executeCommand", { command: "zrf.board", arguments: [opened.uri.toString(), "Nothing"] }).catch((e) => e.message);
  console.log(JSON.stringify({ first, second: said.at(-1), providers: Object.keys(providers), capabilities: Object.keys(capabilities), board }));
  await extension.deactivate();
  process.exit(0);
}
main().catch((error) => { console.error(error); process.exit(1); });
