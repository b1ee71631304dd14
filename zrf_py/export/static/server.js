// What a board asks of its server, where there is none: a worker in the page answers. The names are those of serve/static/server.js.
import { framed } from "./frames.js";
import { encoded } from "./shared.js";
import { t } from "./words.js";

export const id = "";
export const PEOPLE = ["human"];
export const home = "";
export const LEAVING = t("Save it first if you want to keep it.");
/** The picture of the start that stands in the page already: {svg, isTurned}; null where there is none. */
export const shown = globalThis.zrfAlone.shown;
const { worker, early, link: begun } = globalThis.zrfAlone;
let ask = () => {};
let newest = ""; // the address that is to be
let own = begun; // the address as the page knows it

/** Where messages go; `handlers` has a function for each type of message that comes. */
export function connect(handlers) {
  const fail = (why) => handlers.state && globalThis.zrfAlone.fail(why);
  return {
    open() {
      ask = (message) => worker.postMessage(message);
      const answer = (data) => {
        if (data.type === "address") keepAddress(data.link);
        else if (data.type === "saved") download(data);
        else if (data.type === "broken") fail(data.summary);
        else handlers[data.type]?.(data);
      };
      worker.onmessage = inFrames(answer);
      for (const event of early) worker.onmessage(event);
      addEventListener("hashchange", follow);
      follow(); // the address may have changed before anybody listened
    },
    ask: (message) => ask(message),
  };
}

/** Messages one by one; after a move was drawn the next wait until it has been seen. */
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

/** The whole game stands in the address, so that it is there again when the page is opened anew; after the frame that
 * shows the move, since browsers take their time for this. */
function keepAddress(link) {
  newest = link;
  requestAnimationFrame(() => setTimeout(() => { if (newest === link) setAddress(link); }));
}

function setAddress(link) {
  if (location.hash.slice(1) !== own) return; // the reader has just changed it; that is followed in a moment
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${link ? `#${link}` : ""}`);
  } catch { /* an address that can't be changed */ }
  own = location.hash.slice(1);
}

/** Go where the reader's change of the address leads. */
function follow() {
  if (location.hash.slice(1) === own) return;
  own = location.hash.slice(1);
  ask({ type: "follow", link: own });
}

function download({ text, name }) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([encoded(text)], { type: "text/plain" }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
}

export const about = async () => ({ address: "", local: true, watch: false });
/** A page has no sounds of its rules file. */
export const soundAt = () => "";
export const keep = () => {};
export const moveOn = () => {};
export const invitation = () => ["", "", ""];

/** A click saves the game as a file. */
export function offerSave(anchor) {
  if (anchor.dataset.ready) return;
  anchor.dataset.ready = "1";
  anchor.href = "#";
  anchor.addEventListener("click", (event) => { event.preventDefault(); ask({ type: "save" }); });
}

/** What stands in the window that shares a message `link`: title, words, address. */
export const shared = ({ link }) => [t("Share this game"), t("The link contains the whole game: anyone who has this page can open it and continue from this position."), `${location.href.split("#")[0]}#${link}`];
