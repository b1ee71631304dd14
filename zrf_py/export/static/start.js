// Runs first in a page: shows the start position, which is part of the markup, and lets a worker unpack the payload.
import { fit } from "./fitting.js";
import { framed } from "./frames.js";

const $ = (id) => document.getElementById(id);
const link = location.hash.slice(1);
const url = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const fail = (why) => { $("away").textContent = `This page can't run in this browser: ${why}`; $("away").hidden = false; };

/** The picture of the start position, shown before the rules are loaded, unless a link leads elsewhere. */
function shown() {
  const home = $("board");
  const svg = home.querySelector("svg");
  const isTurned = Boolean(home.dataset.turned);
  if (link) { svg.remove(); return null; }
  fit(svg, () => home.getBoundingClientRect(), isTurned);
  return { svg, isTurned };
}

try {
  if (!globalThis.WebAssembly || !globalThis.DecompressionStream) throw new Error("it needs a browser from 2023 or later");
  const start = shown();
  await new Promise((go) => { addEventListener("DOMContentLoaded", go); }); // the payload follows this script in the markup
  const worker = new Worker(url($("boot").textContent));
  const early = [];
  const alone = globalThis.zrfAlone = { worker, early, link, words: {}, fail, shown: start };
  let run = (script) => {};
  const ready = new Promise((go) => { run = go; });
  worker.onerror = (event) => fail(event.message ?? "its background script can't be started");
  worker.onmessage = (event) => { if (event.data.type === "script") run(event.data); else early.push(event); };
  await framed(); // nothing should delay the first frame
  worker.postMessage({ packed: $("packed").textContent, link });
  document.querySelector("aside").hidden = false;
  const { board, words } = await ready;
  alone.words = words;
  const script = document.createElement("script");
  script.src = url(board);
  document.head.append(script);
} catch (error) {
  fail(error.message);
}
