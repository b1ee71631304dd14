export const world = { workers: [], begun: 0 };
globalThis.parent = { packed: new Promise((done) => { world.pack = done; }) };
location.hash = "#a1"; location.origin = "http://x";
globalThis.fetch = async (address) => ({ json: async () => ({ at: address.href }) });
globalThis.Worker = class { constructor(address) { Object.assign(this, { address: address.href, sent: [] }); world.workers.push(this); } postMessage(message) { this.sent.push(message); } };
