import { ready } from "./frame.js";
import { world } from "./world.js";
const settle = async () => { for (let n = 0; n < 30; n += 1) await null; };
document.querySelector("aside").hidden = true;
(async () => {
  show([ready, world.told, globalThis.zrfAlone.link, globalThis.zrfAlone.words, world.workers.map((worker) => worker.address)]);
  const [worker] = world.workers;
  const from = (source, origin, data) => { for (const act of world.heard) act({ source, origin, data }); };
  from({}, "http://x", { packed: "p" }); from(parent, "http://y", { packed: "p" }); from(parent, "http://x", "other");
  show(worker.sent);
  from(parent, "http://x", { packed: "tables" });
  await settle();
  show([worker.sent, document.querySelector("aside").hidden, world.begun]);
  worker.onmessage({ data: { type: "x" } });
  await settle();
  show([document.querySelector("aside").hidden, world.begun, globalThis.zrfAlone.early.map(({ data }) => data.type)]);
  worker.onerror({ message: "no memory" }); show([it("away").hidden, it("away").textContent]);
  worker.onerror({}); show(it("away").textContent);
})();
