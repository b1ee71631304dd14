/* The host of the rules editor on a server: answers questions through a socket, shows the board, and lists the
   bundled games. A page without a server has a different file of this name. */
import { Link } from "./link.js";
import { isShared } from "./packing.js";
import { recall, remember } from "./shared.js";
import { w } from "./words.js";

/** The token that gives the right to edit: from the address, or else, in a browser that has opened the editor before, from its storage. */
function tokenOf() {
  if (location.hash.length > 1 && !isShared(location.hash)) remember("zrf-desk-token", location.hash.slice(1));
  return recall("zrf-desk-token", "");
}

export class Host {
  /** `heard(message)` receives the host's messages; `gone(why)` is called when the host can't be reached. */
  constructor(heard, gone) {
    this.shown = "";
    this.link = new Link("desk", tokenOf(), {
      ...Object.fromEntries(["file", "disk", "problems", "progress", "answer"].map((type) => [type, heard])),
      gone: (message) => heard({ ...message, help: w("open the address shown in the terminal") }),
      away: (isAway) => { if (isAway) gone(this.GONE); },
    });
  }

  GONE = w("the server is not responding");
  isLive = false; // the board shows the saved file, not unsaved text
  follow = null; // a link's text is only offered, since there is no other file to open it in
  tables = null; // no page could use the tables of a link

  connect() { this.link.open(); }

  get isOpen() { return this.link.isOpen; }

  send(text) { this.link.socket.send(text); }

  /** Show the board of a game of the file. The board follows the file by itself; only another game needs a new one. */
  show(frame, file, title) {
    if (this.shown === title) return;
    this.shown = title;
    frame.src = `/new?game=${encodeURIComponent(file.game)}&variant=${encodeURIComponent(title)}`;
  }

  /** The games to start from: small ones by board and kind, and the bundled ones, {title, about, picture, text()}. */
  async starts(ask) {
    const { games } = await (await fetch("/api/games")).json();
    const bundled = games.filter(({ id }) => !id.startsWith("file/")).map((game) => ({ ...game, picture: `/picture/${encodeURI(game.id)}`,
      text: async () => (await ask("start", { game: game.id }, true)).text }));
    return { ...await ask("starts", {}, true), games: bundled };
  }
}
