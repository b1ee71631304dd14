Object.assign(globalThis, { fetched: [], replaced: [], went: [], sockets: [], away: false });
location.hash = "#seat=tok%26en"; location.pathname = "/t/7%2Fx"; location.host = "h:8"; location.protocol = "https:"; location.origin = "https://h:8";
location.assign = (to) => went.push(to);
globalThis.history = { replaceState: (_, __, to) => replaced.push(to) };
globalThis.WebSocket = class { static OPEN = 1; constructor(url) { Object.assign(this, { url, sent: [], does: {}, readyState: 0 }); sockets.push(this); } addEventListener(name, act) { this.does[name] = act; } send(text) { this.sent.push(JSON.parse(text)); } };
globalThis.fetch = async (address) => { fetched.push(String(address)); if (away) throw new Error("away"); return { json: async () => (String(address) === "/api/site" ? { address: "http://lan:8", watch: true } : { html: "<p>x</p>" }) }; };
