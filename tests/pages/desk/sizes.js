import { quiet, type, tab } from "./world.js";
import { ready } from "./desk.js";
await quiet();
for (const text of GIVEN.texts) {
  await type(text);
  await tab("play");
  await tab("maker");
  show([ready, ["shape", "columns", "rows"].map((id) => it(id).value), it("make-board").querySelector("button").disabled]);
}
