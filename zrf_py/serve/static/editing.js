// The position editor: pieces from a palette are placed on the board, and the player to move is chosen; then the position is played or saved.
import { result } from "./ending.js";
import { $, download, encoded, make, picture, press } from "./shared.js";
import { called, man, t } from "./words.js";

const HAND = "hand";
const NONE = "none"; // removes pieces

export class Editor {
  isOpen = false; held = -1; draft = null;
  /** @type {string | [player: Index, type: Index]} */
  tool = HAND;

  /** `doing`: closed() when the board shows the game again; play(link) opens a new board from a link. */
  constructor(drawing, ask, doing) {
    this.drawing = drawing; this.ask = ask; this.doing = doing;
    $("edit").addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
    $("edit-done").addEventListener("click", () => this.close());
    $("edit-empty").addEventListener("click", () => this.change(() => this.men.clear()));
    $("edit-reset").addEventListener("click", () => this.change(() => this.asItStands()));
    $("edit-play").addEventListener("click", () => this.doing.play(this.draft.link));
    $("edit-save").addEventListener("click", () => {
      const name = this.info.title.replace(/[^A-Za-z0-9]+/g, "-") || "game";
      download(`${name}.zsg`, encoded(this.draft.text));
    });
    $("edit-turn").addEventListener("change", () => this.change(() => { this.player = $("edit-turn").value; }));
  }

  follow(state, info) {
    this.state = state; this.info = info;
    $("edit").disabled = Boolean(state.error);
  }

  open() {
    this.isOpen = true;
    this.tool = HAND;
    this.asItStands();
    const players = this.info.players.filter((p) => p.kind === "player");
    $("edit-turn").replaceChildren(...players.map((p) => make("option", { value: p.name, textContent: called(p.name) })));
    this.player = this.state.player || players[0]?.name || "";
    $("edit-turn").value = this.player;
    this.showPalette();
    this.showStores();
    this.change(() => {});
    this.show();
    $("editor").scrollIntoView({ block: "nearest" });
  }

  close() {
    this.isOpen = false;
    this.show();
    this.doing.closed();
  }

  show() {
    $("editor").hidden = !this.isOpen;
    $("edit").setAttribute("aria-pressed", String(this.isOpen));
    document.body.classList.toggle("editing", this.isOpen);
  }

  /** Start from the pieces and stores of the position shown. */
  asItStands() {
    const home = new DOMParser().parseFromString(this.state.svg, "image/svg+xml");
    const kind = (node) => [Number(node.dataset.player), this.info.types.indexOf(node.dataset.type)];
    this.men = new Map([...home.querySelectorAll(".piece")].map((node) => [Number(node.dataset.index), kind(node)]));
    this.stores = new Map(this.info.stores.map(([player, type]) => [`${player} ${type}`, 0]));
    for (const [player, type, count] of this.state.held) this.stores.set(`${player} ${type}`, count);
    if (!$("editor").hidden) this.showStores();
  }

  /** Make a change; the server then draws the board and describes the position. */
  change(run) {
    run();
    this.held = -1;
    const stores = [...this.stores].map(([key, count]) => [...key.split(" ").map(Number), count]);
    this.ask({ type: "draft", men: [...this.men].map(([at, man]) => [at, ...man]), stores, player: this.player });
  }

  tell(message) {
    if (!this.isOpen) return;
    this.draft = message;
    this.drawing.show(message.svg);
    const isOver = message.outcome !== null;
    $("edit-words").textContent = isOver ? t("The game would be over: {why}", { why: result(message.outcome) })
      : t("{name} to move, {count} legal moves", { name: called(message.player), count: message.moves });
    $("edit-play").disabled = isOver || !message.moves;
    $("edit-save").disabled = false;
  }

  // ---- user actions on the board ----

  click(place) {
    const { tool } = this;
    if (Array.isArray(tool)) {
      const old = this.men.get(place);
      const isSame = old && old[0] === tool[0] && old[1] === tool[1];
      this.change(() => (isSame ? this.men.delete(place) : this.men.set(place, tool)));
    } else if (tool === NONE) this.change(() => this.men.delete(place));
    else if (this.held >= 0) this.move(this.held, place);
    else this.held = this.men.has(place) ? place : -1;
  }

  /** Move a piece to another place; -1, beside the board, removes it. */
  move(from, to) {
    this.change(() => {
      const man = this.men.get(from);
      this.men.delete(from);
      if (man && to >= 0) this.men.set(to, man);
    });
  }

  // ---- the palette ----

  showPalette() {
    const tools = [[HAND, t("Move pieces")], [NONE, t("Remove pieces")]];
    const symbols = this.info.players.flatMap((player, number) => this.info.types.map((type, kind) => ({ player, number, type, kind })))
      .filter(({ number, kind }) => picture(kind, number).length);
    const men = symbols.map(({ player, number, type, kind }) => this.choice([number, kind], man(player.name, type), picture(kind, number)));
    $("palette").replaceChildren(...tools.map(([tool, words]) => this.choice(tool, words, words)), ...men);
  }

  choice(tool, words, shown) {
    const button = press(shown, () => {
      this.tool = tool;
      this.held = -1;
      for (const other of $("palette").children) other.setAttribute("aria-pressed", String(other === button));
    }, "button", { title: words, "aria-label": words, "aria-pressed": String(tool === this.tool) });
    return button;
  }

  showStores() {
    $("edit-stores").replaceChildren(...this.info.stores.map(([player, type]) => {
      const key = `${player} ${type}`;
      const onchange = ({ target }) => this.change(() => this.stores.set(key, Math.max(0, Math.min(999, Math.trunc(Number(target.value)) || 0))));
      return make("label", {}, make("input", { type: "number", min: 0, max: 999, value: this.stores.get(key) ?? 0, onchange }), ` ${man(this.info.players[player].name, this.info.types[type])}`);
    }));
  }
}
