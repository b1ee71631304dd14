// The worker of the rules editor's board: it opens the tables of a game, then acts as the worker of an exported page.
import { decoded, unpack } from "./unpack.js";

self.onmessage = async ({ data: { packed, link } }) => {
  try {
    self.zrfOpened = { ...unpack(decoded(packed)), link };
    await import("./worker.js");
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error) });
  }
};
