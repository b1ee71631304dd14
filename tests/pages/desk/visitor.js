import { quiet, until, editors } from "./world.js";
import { ready } from "./desk.js";
const names = () => Object.keys(editors);
await quiet();
await until(() => names().length || !location.hash);
show([ready, it("saved").textContent, it("saved").className, names(), document.title]);
show([names().map((name) => editors[name].text()), document.body.classes.includes("visitor"), it("came").hidden]);
