// The worker of a page without a server: it answers what the page asks.
import { Host } from "./host.js";

const { link, ...opened } = self.zrfOpened;
const host = new Host(opened, (message) => self.postMessage(message));

/** Whatever goes wrong here is told; what was asked too early waits. */
async function tellingFaults(work) {
  try {
    await work();
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error), stack: String(error?.stack ?? "") });
  }
}

const begun = tellingFaults(() => host.open(link));
self.onmessage = ({ data }) => tellingFaults(async () => { await begun; await host.hear(data); });
