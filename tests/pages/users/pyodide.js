export const python = { arrive: () => {}, urls: [], files: [], names: null, said: [] };
const crash = (why) => { throw new Error(why); };
const standIn = {
  heed(text) { const message = JSON.parse(text); if (message.text === "rare" && python.urls.length < 8) crash("no such module"); return message.what === "crash" ? crash("crash") : JSON.stringify([{ type: "problems", of: message.type }]); },
  payload: (title) => (title === "big" ? crash("Traceback\n  line\nZrfError: too large\n") : { toJs: () => Uint8Array.of(1, 2), destroy() { python.said.push("destroyed"); } }),
};
const loadPyodide = async ({ indexURL }) => {
  python.urls.push(indexURL);
  return { FS: { mkdirTree: (name) => python.urls.push(name), writeFile: (...file) => python.files.push(file) },
    unpackArchive: (_, kind, { extractDir }) => python.urls.push(kind, extractDir),
    toPy: (names) => { python.names = names; return names; }, runPython: () => standIn };
};
globalThis.self = globalThis;
const arrival = new Promise((done) => { python.arrive = done; });
globalThis.fetch = async (address) => {
  python.urls.push(String(address));
  if (String(address).endsWith("rest.zip")) await arrival;
  return { ok: true, arrayBuffer: async () => new ArrayBuffer(0) };
};
globalThis.postMessage = (message, rest = []) => python.said.push(rest.length ? [message, rest.length] : [message]);
for (const name of ["XMLHttpRequest", "WebSocket", "EventSource", "WebTransport", "importScripts"]) globalThis[name] = class {};
