// Replaces serve/static/server.js, with the same exports, in pages without a server: a worker in the page answers.
import { framed } from "./frames.js";
import { download, encoded } from "./shared.js";
import { t } from "./words.js";

export const id = "";
export const PEOPLE = ["human"];
export const home = "";
export const LEAVING = t("Save it first if you want to keep it.");
/** The picture of the start position in the page's markup: {svg, isTurned}; null if there is none. */
export const shown = globalThis.zrfAlone.shown;
const { worker, early, link: begun } = globalThis.zrfAlone;
let ask = (message) => {};
let tellRules = (rules) => {}; // receives the rules in words
let newest = ""; // the address to be set
let own = begun; // the link in the address, as this page last set or followed it

/** Connect to the worker; `handlers` has functions by types of messages. @param {Handlers} handlers */
export function connect(handlers) {
  const fail = (why) => handlers.state && globalThis.zrfAlone.fail(why);
  return {
    open() {
      ask = (message) => worker.postMessage(message);
      const answer = (data) => {
        if (data.type === "address") keepAddress(data.link);
        else if (data.type === "saved") download(data.name, encoded(data.text));
        else if (data.type === "rules") tellRules(data);
        else if (data.type === "broken") fail(data.summary);
        else handlers[data.type]?.(data);
      };
      worker.onmessage = inFrames(answer);
      for (const event of early) worker.onmessage(event);
      addEventListener("hashchange", follow);
      follow(); // the address may have changed before there was a listener
    },
    ask: (message) => ask(message),
  };
}

/** Handle messages one by one; after a move is drawn, the next ones wait until it is visible. */
function inFrames(answer) {
  const waiting = [];
  let isHeld = false;
  const go = () => {
    while (waiting.length && !isHeld) {
      const { data } = waiting.shift();
      answer(data);
      if (data.type === "drawn") { isHeld = true; framed().then(() => { isHeld = false; go(); }); }
    }
  };
  return (event) => { waiting.push(event); go(); };
}

/** Store the whole game in the address, so that reopening the page restores it; after the frame that shows the move,
 * since browsers are slow at this. */
function keepAddress(link) {
  newest = link;
  requestAnimationFrame(() => setTimeout(() => { if (newest === link) setAddress(link); }));
}

function setAddress(link) {
  if (location.hash.slice(1) !== own) return; // the user has just changed it; `follow` will handle that
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${link ? `#${link}` : ""}`);
  } catch { /* the address can't be changed */ }
  own = location.hash.slice(1);
}

/** Go to the game in an address that the user has changed. */
function follow() {
  if (location.hash.slice(1) === own) return;
  own = location.hash.slice(1);
  ask({ type: "follow", link: own });
}

export const about = async () => ({ watch: false });
/** The rules in words and pictures, which the page contains. */
export const rulesInWords = (language) => new Promise((done) => { tellRules = done; ask({ type: "rules", language }); });
/** No address: a page contains no sounds of its rules file. */
export const soundAt = () => "";
export const keep = () => {};
export const moveOn = () => {};
export const invitation = () => ["", "", ""];

/** Save the game as a file on a click. */
export function offerSave(anchor) {
  if (anchor.dataset.ready) return;
  anchor.dataset.ready = "1";
  anchor.href = "#";
  anchor.addEventListener("click", (event) => { event.preventDefault(); ask({ type: "save" }); });
}

/** Contents of the dialog that shares a `link`: title, words, address. */
export const shared = ({ link }) => [t("Share this game"), t("The link contains the whole game: anyone who has this page can open it and continue from this position."), `${location.href.split("#")[0]}#${link}`];
