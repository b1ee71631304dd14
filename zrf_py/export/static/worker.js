// The worker of a page without a server: it answers the page's requests.
import { Host } from "./host.js";

const { link, ...opened } = self.zrfOpened;
const host = new Host(opened, (message) => self.postMessage(message));

/** Run `work`, and report its failure to the page. */
async function tellingFaults(work) {
  try {
    await work();
  } catch (error) {
    self.postMessage({ type: "broken", summary: String(error?.message ?? error), stack: String(error?.stack ?? "") });
  }
}

const begun = tellingFaults(() => host.open(link));
self.onmessage = ({ data }) => tellingFaults(async () => { await begun; await host.hear(data); }); // messages wait until the host is open
