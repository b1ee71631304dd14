// Runs first in the worker of a page: unpacks the payload, so that the page need not wait for that, and sends
// the page its script.
import { decoded, unpack } from "./unpack.js";

self.onmessage = async ({ data: { packed, link } }) => {
  try {
    const stream = new Blob([decoded(packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
    const contents = unpack(new Uint8Array(await new Response(stream).arrayBuffer()));
    const text = (name) => new TextDecoder().decode(contents.part(contents.names[name]));
    self.postMessage({ type: "script", board: text("board"), words: JSON.parse(text("words")) });
    self.zrfOpened = { ...contents, link };
    importScripts(URL.createObjectURL(new Blob([text("worker")], { type: "text/javascript" })));
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error) });
  }
};
