// The socket to the server: dispatches messages by type, and reconnects when the connection breaks.

export class Link {
  /** `handlers` has a function for each type of message, and `away`, called with true if the server is out of reach, else false. @param {Handlers} handlers */
  constructor(id, token, handlers) {
    this.id = id;
    this.token = token;
    this.handlers = handlers;
    this.wait = 300;
    this.isGone = false;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.id)}`);
    this.socket.addEventListener("open", () => {
      this.wait = 300;
      this.handlers.away(false);
      this.socket.send(JSON.stringify({ type: "join", token: this.token }));
      this.handlers.opened?.();
    });
    this.socket.addEventListener("message", (event) => {
      const message = JSON.parse(event.data);
      this.isGone ||= message.type === "gone";
      this.handlers[message.type]?.(message);
    });
    this.socket.addEventListener("close", () => {
      if (this.isGone) return;
      this.handlers.away(true);
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 10_000);
    });
  }

  get isOpen() { return this.socket?.readyState === WebSocket.OPEN; }

  ask(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
    else this.handlers.away(true);
  }
}
