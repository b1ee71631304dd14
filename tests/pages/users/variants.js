import { handlers, asked } from "./server.js";
import { ready } from "./board.js";
const seen = (variants, more = {}) => { handlers.state({ ...STATES[0], from: 0, info: { ...STATES[0].info, variants, ...more } }); return [it("variant").hidden, it("title").classList.contains("sr"), it("variant").children.map((one) => one.value), it("warnings").hidden, it("warnings").textContent, it("letters").parentNode.hidden]; };
show([ready, seen(["Race"]), seen(["Race", "Other"]), seen(["Race", "Other", "Third"], { warnings: "mind" }), seen(["Race"], { signs: false })]);
asked.splice(0);
it("variant").value = "Other"; it("variant").dispatch("change");
(async () => {
  await null;
  show(asked.splice(0));
  handlers.state(STATES[1]);
  it("variant").value = "Other"; it("variant").dispatch("change");
  await null; show([it("sure").open, asked.length]); it("sure-no").click(); for (let n = 0; n < 9; n += 1) await null;
  show([it("variant").value, asked.splice(0)]);
  show(globalThis.zrfShown());
})();
