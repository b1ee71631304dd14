// How a board reaches its server: the socket, its addresses, what there is only where a server is.
// A page without a server has another file with the same names in its place.
import { Link } from "./link.js";
import { boards, keepBoard } from "./boards.js";
import { t } from "./words.js";

export const id = decodeURIComponent(location.pathname.split("/").pop());
export const PEOPLE = ["human", "link"];
export const home = "/";
/** A picture of the board that stands in the page before it is known: there is none. */
export const shown = null;
const page = `/t/${encodeURIComponent(id)}`;
let site = { address: "", local: true, watch: false };

/** A link may bring the right to a seat: kept by this browser, and taken out of the address. */
function token() {
  const seat = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (seat) {
    keepBoard(id, { token: seat });
    history.replaceState(null, "", location.pathname);
  }
  return boards().find((b) => b.id === id)?.token ?? "";
}

/** Where messages go; `handlers` has a function for each type of message that comes. */
export const connect = (handlers) => new Link(id, token(), handlers);

/** What is to be known of the server: {address, local, watch}. */
export async function about() {
  try {
    site = await (await fetch("/api/site")).json();
  } catch { /* the socket will say that the server is away */ }
  return site;
}

/** Remember what is new about this board, or forget it. */
export const keep = (facts) => keepBoard(id, facts);

/** Show where the game can be saved from. */
export function offerSave(anchor) { anchor.href = `${page}/game.zsg`; }

/** Where a sound of the rules file is: for `move`, `take`, `drop` or `end`. */
export const soundAt = (kind) => `${page}/sound/${kind}`;

/** The rules in words and pictures: {html}, or {error}. */
export async function rulesInWords(language) {
  try {
    return await (await fetch(`${page}/rules?language=${language}`)).json();
  } catch {
    return { error: { summary: "The server isn't responding." } };
  }
}

/** What stands in the window that shares a message `link`: title, words, address. */
export const shared = (message) => [t("Share this position"), t("Anyone who opens this link gets their own board, which starts from this position."), `${location.origin}/new#${message.link}`];

/** The same for a seat; others reach the server under its name in the network, if it listens there at all. */
export function invitation(name, seat) {
  const note = site.local ? ` ${t("The link works only on this computer; for a link that works on your whole network, start `zrf serve --host 0.0.0.0`.")}` : "";
  return [t("Play {name}", { name }), t("Anyone who opens this link plays {name} on this board.", { name }) + note, `${site.address || location.origin}${page}#seat=${encodeURIComponent(seat)}`];
}

/** Everybody goes on at another board; this one stays among those that were opened, unless nothing happened there. */
export function moveOn({ id: next, empty }) {
  const { token: own } = boards().find((b) => b.id === id) ?? {};
  keepBoard(next, { token: own });
  if (empty) keepBoard(id, null);
  location.assign(`/t/${encodeURIComponent(next)}`);
}

/** What is asked before a game that has begun is left. */
export const LEAVING = t("You can return to this game under “Recent boards” on the first page.");
