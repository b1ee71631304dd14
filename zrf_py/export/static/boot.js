// The first that runs in the worker of a page: it opens what is packed, so that the page needn't wait for that, and hands
// the page its script.
import { unpack } from "./unpack.js";

self.onmessage = async ({ data: { packed, shown, link } }) => {
  try {
    const letters = atob(packed);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const found = unpack(new Uint8Array(await new Response(stream).arrayBuffer()), shown);
    const text = (name) => new TextDecoder().decode(found.part(found.names[name]));
    self.postMessage({ type: "script", board: text("board"), words: { de: JSON.parse(text("de")) } });
    self.zrfOpened = { ...found, link };
    importScripts(URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" })));
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error) });
  }
};
