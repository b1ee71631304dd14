export const world = { told: [], workers: [], heard: [], begun: 0 };
globalThis.parent = { postMessage: (...message) => world.told.push(message) };
location.hash = "#a1"; location.origin = "http://x";
globalThis.fetch = async (address) => ({ json: async () => ({ at: address.href }) });
globalThis.addEventListener = (name, act) => { if (name === "message") world.heard.push(act); };
globalThis.Worker = class { constructor(address) { Object.assign(this, { address: address.href, sent: [] }); world.workers.push(this); } postMessage(message) { this.sent.push(message); } };
