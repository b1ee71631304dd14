// The first that runs in a page: it shows the start of the game, which is drawn already, and opens what is packed.
import { fit } from "./fitting.js";

const $ = (id) => document.getElementById(id);
const link = location.hash.slice(1);
const url = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
const fail = (why) => { $("away").textContent = `This page can't run here: ${why}`; $("away").hidden = false; };

/** The letters of a packed text. */
async function opened(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

/** The picture of the start, before there is anything that knows the rules; not where a link leads elsewhere. */
function show(text, isTurned) {
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const home = $("board");
  home.append(svg);
  fit(svg, home.getBoundingClientRect(), isTurned);
  return { svg, text, isTurned };
}

try {
  if (!globalThis.WebAssembly || !globalThis.DecompressionStream) throw new Error("it needs a browser of 2023 or later");
  const worker = new Worker(url($("boot").textContent));
  const early = [];
  const alone = globalThis.zrfAlone = { worker, early, words: {}, fail, shown: null };
  let run = () => {};
  const ready = new Promise((go) => { run = go; });
  worker.onerror = (event) => fail(event.message ?? "the worker can't be started");
  worker.onmessage = (event) => { if (event.data.type === "script") run(event.data); else early.push(event); };
  const { dataset, textContent } = $("shown");
  const text = await opened(textContent);
  worker.postMessage({ packed: $("packed").textContent, shown: text, link });
  if (!link) alone.shown = show(text, Boolean(dataset.turned));
  const { board, words } = await ready;
  alone.words = words;
  const script = document.createElement("script");
  script.src = url(board);
  document.head.append(script);
} catch (error) {
  fail(error.message);
}
