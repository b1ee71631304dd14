// The connection of a page to a table in the same process; messages wait until the script lets them through.
import { Host } from "./host.js";
import { unpack } from "./unpack.js";

export const PEOPLE = ["human"];
export const id = "";
export const home = "/";
export const shown = null;
export const LEAVING = "It remains.";
export const about = async () => ({ watch: false });
export const keep = () => null;
export const moveOn = () => null;
export const offerSave = () => null;
export const soundAt = () => "";
export const rulesInWords = async () => ({ html: "" });
export const invitation = () => ["", "", ""];
export const shared = ({ link }) => ["", "", link];

const copied = (message) => JSON.parse(JSON.stringify(message));
export const handlers = {};
export const up = []; // messages to the table
export const down = []; // messages to the page
export const sent = []; // all messages that the page has ever sent
export function connect(them) {
  Object.assign(handlers, them);
  return { open() {}, ask(message) { up.push(copied(message)); sent.push(copied(message)); } };
}
const answers = (message) => down.push(copied(message));
export const host = new Host(unpack(new Uint8Array(require("fs").readFileSync(PAGE))), answers);
export const state = {}; // the table's newest state, as the page should know it

/** Let the next message through; return whether there was one. */
export async function pass(way) {
  if (way === "up" && up.length) { await host.hear(up.shift()); return true; }
  if (way === "down" && down.length) {
    const message = down.shift();
    if (message.type === "state") {
      const { plies = [], nodes = [] } = state;
      Object.assign(state, message, { plies: [...plies.slice(0, message.from), ...message.plies], nodes: [...nodes.slice(0, message.from), ...message.nodes] });
    }
    handlers[message.type]?.(message);
    return true;
  }
  return false;
}
