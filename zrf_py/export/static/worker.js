// The worker of a page without a server: unpacks the game and answers what the page asks.
import { Host } from "./host.js";
import { unpack } from "./unpack.js";

let host = null;

self.onmessage = async ({ data }) => {
  try {
    if (data.bytes) {
      host = new Host(unpack(data.bytes), (message) => self.postMessage(message));
      await host.open(data.link);
    } else await host.hear(data);
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error), stack: String(error?.stack ?? "") });
  }
};
self.postMessage({ type: "ready" });
