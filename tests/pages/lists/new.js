import { posted, timers, went, world } from "./net.js";
import { ready } from "./new.js";
show(ready);
show([posted, went, it("status").hidden, it("problem").hidden, it("problem").querySelector("h2").textContent, it("problem").querySelector("pre").textContent, it("problem").querySelector("pre").hidden, timers.map(([, time]) => time), stored.get("zrf-boards") ?? null]);
