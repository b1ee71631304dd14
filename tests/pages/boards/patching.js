import { Patched, parsed } from "./patching.js";
const layers = (svg) => svg.querySelectorAll(":scope > .layer").map(whole).concat(svg.querySelector("desc").textContent);
const all = STATES.map(({ svg }) => svg);
for (const before of all) for (const after of all) {
  const svg = parsed(before);
  const kept = new Set(svg.querySelectorAll(".piece, .store").map((node) => node));
  const made = new Patched(svg, before).become(after);
  show([made.length, layers(svg).join() === layers(parsed(after)).join(), svg.querySelectorAll(".piece, .store").filter((node) => kept.has(node)).length]);
}
const start = new Patched(parsed(all[0]), all[0]);
for (const next of all) start.become(next);
show(layers(start.svg).join() === layers(parsed(all.at(-1))).join());
const twice = (text) => text.replace(/(<g class="piece".*)/, "$1\n$1");
show([new Patched(parsed(all[0]), all[0]).become(twice(all[1])), new Patched(parsed(twice(all[0])), twice(all[0])).become(all[1])]);
show([new Patched(parsed(all[0]), all[0]).become(all[1].replace('width="166"', 'width="167"')), new Patched(parsed(all[0]), all[0]).become(all[1].replace("<defs>", "<defs>\n<symbol></symbol>"))]);
show(new Patched(parsed(all[0]), all[0]).become(all[1].replace('data-layer="marks"', 'data-layer="other"')) === null);
