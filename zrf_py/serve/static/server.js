// The connection of a board to its server: the socket, addresses, and everything that needs a server.
// A page without a server replaces this file by another one with the same names.
import { Link } from "./link.js";
import { boards, keepBoard } from "./boards.js";
import { reach } from "./shared.js";
import { t } from "./words.js";

export const id = decodeURIComponent(location.pathname.split("/").pop());
export const PEOPLE = ["human", "link"];
export const home = "/";
/** The picture of the start position in the page's markup: none on a server. */
export const shown = null;
const page = `/t/${encodeURIComponent(id)}`;
let site = { address: "", watch: false };

/** This browser's token for the board; a token in the address (a seat's link) is stored first, and removed from there. */
function token() {
  const seat = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (seat) {
    keepBoard(id, { token: seat });
    history.replaceState(null, "", location.pathname);
  }
  return boards().find((b) => b.id === id)?.token ?? "";
}

/** Connect to the server; `handlers` has functions by types of messages. @param {Handlers} handlers */
export const connect = (handlers) => new Link(id, token(), handlers);

/** Facts about the server: {address, watch}. */
export async function about() {
  try {
    site = await (await fetch("/api/site")).json();
  } catch { /* the socket will report that the server is away */ }
  return site;
}

/** Store new facts about this board; null removes it from the list of boards. */
export const keep = (facts) => keepBoard(id, facts);

/** Set the address from which the game can be saved. */
export function offerSave(anchor) { anchor.href = `${page}/game.zsg`; }

/** The address of a sound of the rules file: `move`, `take`, `drop` or `end`. */
export const soundAt = (kind) => `${page}/sound/${kind}`;

/** The rules in words and pictures: {html}, or {error}. */
export async function rulesInWords(language) {
  try {
    return await (await fetch(`${page}/rules?language=${language}`)).json();
  } catch {
    return { error: { summary: "The server isn't responding." } };
  }
}

/** Contents of the dialog that shares a `link`: title, words, address. */
export const shared = ({ link }) => offered(t("Share this position"), t("Anyone who opens this link gets their own board, which starts from this position."), `/new#${link}`);

/** Contents of the dialog that shares the link of a `seat`: title, words, address. */
export const invitation = (name, seat) => offered(t("Play {name}", { name }), t("Anyone who opens this link plays {name} on this board.", { name }), `${page}#seat=${encodeURIComponent(seat)}`);

function offered(title, words, path) {
  const { origin, note } = reach(site.address);
  return [title, `${words} ${t(note)}`.trim(), origin + path];
}

/** Move to another board, as the other players do; this one leaves the list of boards if it is `empty`. */
export function moveOn({ id: next, empty }) {
  const { token: own } = boards().find((b) => b.id === id) ?? {};
  keepBoard(next, { token: own });
  if (empty) keepBoard(id, null);
  location.assign(`/t/${encodeURIComponent(next)}`);
}

/** A hint for users who are asked whether to leave a game in progress. */
export const LEAVING = t("You can return to this game under “Recent boards” on the first page.");
