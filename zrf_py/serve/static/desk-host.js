/* The host of the rules editor on a server: answers questions through a socket, shows the board, and lists the
   bundled games. A page without a server has a different file of this name. */
import { isShared } from "./packing.js";
import { w } from "./words.js";

const AGAIN_AFTER = 1500;
const token = tokenOf();

/** The token that gives the right to edit: from the address, or from session storage if the address holds a shared text. */
function tokenOf() {
  if (!isShared(location.hash)) sessionStorage.setItem("zrf-desk-token", location.hash.slice(1));
  return sessionStorage.getItem("zrf-desk-token") ?? "";
}

export class Host {
  /** `heard(message)` receives the host's messages; `gone(why)` is called when the host can't be reached. */
  constructor(heard, gone) {
    Object.assign(this, { heard, gone, isRefused: false, shown: "" });
  }

  connect() {
    this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/desk`);
    this.socket.onopen = () => this.send(JSON.stringify({ type: "join", token }));
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "gone") {
        this.isRefused = true;
        message.help = w("open the address shown in the terminal");
      }
      this.heard(message);
    };
    this.socket.onclose = () => {
      this.gone(this.GONE);
      if (!this.isRefused) setTimeout(() => this.connect(), AGAIN_AFTER);
    };
  }

  GONE = w("the server is not responding");

  get isOpen() { return this.socket.readyState === WebSocket.OPEN; }

  send(text) { this.socket.send(text); }

  /** Show the board of a game of the file. It follows the file by itself; only another game needs a new board. */
  show(frame, file, title) {
    if (this.shown === title) return;
    this.shown = title;
    frame.src = `/new?game=${encodeURIComponent(file.game)}&variant=${encodeURIComponent(title)}`;
  }

  /** The bundled games: {id, title, about, picture}. */
  async games() {
    const { games } = await (await fetch("/api/games")).json();
    return games.filter(({ id }) => !id.startsWith("file/")).map((game) => ({ ...game, picture: `/picture/${encodeURI(game.id)}` }));
  }
}
