// The worker of the rules editor's board: it opens the tables of a game, then acts as the worker of an exported page.
import { opened } from "./tables.js";

self.onmessage = async ({ data: { packed, engine: [kernel, common], file, link, port } }) => {
  try {
    if (port) {
      port.onmessage = () => port.postMessage(null); // see frame.js
      port.postMessage(null);
    }
    self.zrfOpened = { ...await opened(packed, common, Boolean(port)), kernel, link };
    for (const { game } of self.zrfOpened.page.variants) game.rules = file ?? "game.zrf";
    await import("./worker.js");
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error) });
  }
};
