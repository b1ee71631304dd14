import { quiet, text, lines, editors } from "./world.js";
import { ready } from "./desk.js";
await quiet();
show([ready, it("count").textContent, lines("game"), text()]);
editors["my-game.zrf"].replace(GIVEN.next);
it("format").click();
await quiet();
show(text());
