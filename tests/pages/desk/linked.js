import { quiet, until, text, type, press, lines, editors, kept, world } from "./world.js";
import { ready } from "./desk.js";
const said = () => [it("saved").textContent, it("saved").className];
const shown = (...ids) => ids.filter((id) => !it(id).hidden);
const own = () => kept.get("my-game.zrf") === GIVEN.own;
await until(() => Object.keys(editors).length);
world.name = Object.keys(editors)[0];
// The text of the link is in the editor and on the board; nothing is stored.
show([ready, world.name, text() === GIVEN.text, document.body.classes.includes("linked"), shown("came", "start", "board"), editors[world.name].isFocused]);
show([document.querySelectorAll("[role=alert]").map((it) => it.textContent).join(), lines("mine"), said()[0], [...kept.keys()], own(), it("count").textContent]);
if (GIVEN.text === GIVEN.own) process.exit(0);
// Its first change makes a copy, which the address then opens; it can be compared with the original.
const copied = GIVEN.text.replace("Steps", "Mine");
const link = location.hash;
if (GIVEN.isKept) await press("keep-copy");
else await type(copied);
show([said()[0], [...kept.keys()].sort(), kept.get(world.name) === text(), location.hash === `#game=shared.zrf&${link.slice(1)}`, own()]);
await type(copied);
await press("differs");
show([shown("versions"), it("against").value, it("diff").children.filter((line) => line.className === "added").map((line) => line.textContent.trim())]);
await press("leave");
show(shown("came"));
// Another tab has stored something under this name: it is not overwritten without a warning.
kept.set(world.name, "; other tab");
await type(`${copied} `);
show([...said(), kept.get(world.name)]);
await press("save");
show([said()[0], kept.get(world.name), shown("theirs")]);
await press("overwrite");
show([said()[0], kept.get(world.name) === text(), shown("theirs")]);
kept.set("full", "");
await type(`${copied}  `);
show([...said(), kept.get(world.name) === text()]);
