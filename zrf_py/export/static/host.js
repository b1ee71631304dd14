// A table without a server: one user's game in a worker, which implements the protocol of serve/README.md.
import { RulesFault } from "./engine.js";
import { Clock } from "./clock.js";
import { Position, edits, legs, ways } from "./position.js";
import { isSameTitle, packGame, readGame, Refused, unpackGame, writeGame } from "./saved.js";
import { Computers } from "./computers.js";
import { Tree } from "./tree.js";
import { openWorld } from "./world.js";

const NEVER = ["answer", "overlays"];
const RIGHTS = ["look", "draft", "link", "play", "try", "go-on", "resume", "pause", "undo", "resign", "offer", "seat", "new", "load"];
const MAX_PACE = 30;
const TICK = 250; // milliseconds between two checks of the clock

const edit = ({ position }) => `(position ${position})`;

export class Host {
  at = 0; tip = 0; seats = {}; paused = false; pace = null; ended = null; note = ""; clock = null;
  world = null; isJudged = false; looks = new Map(); help = { hints: true, balance: true };

  /** `packed` is the payload of the page; `say` sends a message to the page. */
  constructor(packed, say) {
    this.packed = packed; this.say = say;
    this.titles = packed.page.variants.map(({ game }) => game.info.title);
    this.computers = new Computers(this);
    setInterval(() => this.#tick(), TICK);
  }

  /** Start, with the game of a link if there is one. */
  async open(link) {
    if (link) await this.#openLink(link);
    else await this.#begin(this.packed.page.first, {});
    this.goOn();
    this.#rehearse();
  }

  /** Compute a move before the user makes one: the first run of code takes a browser twice as long. */
  #rehearse() {
    const position = this.here();
    const [move] = position.outcome() ? [] : position.moves;
    try {
      if (move) this.world.composer.svg(position.play(move));
    } catch { /* the user's own move will report the problem */ }
  }

  async #openLink(link) {
    try {
      const { title, seats, texts } = await unpackGame(link);
      const variant = this.packed.page.variants.findIndex(({ game }) => game.title === title);
      if (variant < 0) throw new Error("This link belongs to another game, so it was not opened.");
      await this.#begin(variant, seats);
      this.#replay(texts);
    } catch (error) {
      if (!this.world) await this.#begin(this.packed.page.first, {});
      this.note = error.message;
    }
  }

  /** Start a new game of a variant. */
  async #begin(variant, seats) {
    this.computers.stop();
    if (this.variant !== variant) this.world = await openWorld(this.packed.page, variant, this.packed.part, this.packed.kernel);
    this.variant = variant;
    this.game = this.world.game;
    this.tree = new Tree(Position.start(this.world));
    this.at = this.tip = 0; this.ended = this.clock = null; this.paused = false;
    this.note = this.game.info.program; this.looks = new Map(); this.sent = { plies: [], nodes: [] };
    this.kinds = ["random", "greedy", ...this.game.search ? Array.from({ length: 10 }, (_, i) => `ai:${i + 1}`) : []];
    this.seats = {};
    for (const { name, kind } of this.game.players) {
      const wish = Object.hasOwn(seats, name) ? seats[name] : "human";
      if (kind !== "neutral") this.seats[name] = kind === "random" ? "random" : this.kinds.includes(wish) ? wish : "human";
    }
  }

  /** Enter a record, then variations as rows [number of the move that it follows, text]. Illegal moves, and those after them, get
   * no position; if the record has one, a note reports it, and computers wait. */
  #replay(texts, beside = []) {
    const { tree } = this;
    const numbers = [0];
    for (const [before, text] of [...texts.entries(), ...beside]) {
      if (before >= numbers.length) continue;
      const isBeside = numbers.length > texts.length;
      let { position, why, depth } = tree.nodes[numbers[before]];
      try {
        position &&= position.follow(text);
      } catch (error) {
        position = null;
        why = `A move of the record is illegal under these rules: move ${depth + 1}, \`${text}\`: ${error.message}`;
      }
      numbers.push(tree.add(numbers[before], text, position, isBeside, why));
      if (position && !isBeside) this.tip = this.at = numbers.at(-1);
    }
    tree.choose(this.tip);
    const { why } = tree.nodes[numbers[texts.length]];
    if (why) [this.note, this.paused] = [why, !this.isHuman(this.player)];
  }

  // ---- state ----

  /** The position at a node; throws if there is none. */
  here(node = this.at) {
    const { position, why } = this.tree.nodes[node];
    if (!position) throw new Refused(why);
    return position;
  }

  isHuman(player) { return (this.seats[player] ?? "human") === "human"; }

  get own() { return Object.keys(this.seats).filter((name) => this.seats[name] === "human"); }

  /** The player to move; "" when the game is over. */
  get player() { return this.ended || this.here(this.tip).outcome() ? "" : this.here(this.tip).player; }

  /** The number of moves since the game began. */
  get played() { return this.tree.nodes[this.tip].depth - this.tree.opening(this.tip); }

  outcome(position) {
    const ending = position.outcome();
    if (!ending) return null;
    const names = (numbers) => numbers.map((p) => this.game.players[p].name);
    return { winners: names(ending.winners), losers: names(ending.losers), ...this.#said(ending.why) };
  }

  /** The reason for the end of a game, as view/describe.py returns it. */
  #said({ code, number, name, places }) {
    const { sentences, numbers } = this.game;
    return { sentence: sentences[`${code} ${number}`] ?? sentences[code] ?? sentences.rules, number: numbers[number] ?? String(number), name, places };
  }

  /** The kind of a move made here: `play`, `go-on`, `try`, or "" if none is allowed. */
  turn() {
    if (this.at === this.tip && this.player) return this.own.includes(this.player) ? "play" : "";
    const position = this.here();
    if (position.outcome()) return "";
    return this.own.includes(position.player) ? "go-on" : "try";
  }

  // ---- output ----

  /** Send the state, and let a computer move if it is its turn. */
  goOn() { this.tell(); return this.computers.advance(); }

  tell() {
    const { tree, at, tip, sent, game } = this;
    this.clock?.run(this.played && !this.paused ? this.player : "");
    const position = this.here();
    const line = tree.line(at);
    const plies = tree.plies(line);
    const outcome = at === tip && this.ended ? this.ended : this.outcome(position);
    let from = 0;
    while (from < plies.length && plies[from] === sent.plies[from] && line[from] === sent.nodes[from]) from += 1;
    /** @type {State} */
    const news = {
      type: "state", ply: tree.nodes[at].depth, node: at, length: line.length, game: tree.isOn(line, tip) ? tree.nodes[tip].depth : -1, live: at === tip, tip, turn: this.turn(),
      seats: this.seats, you: this.own, owner: true, may: this.#rights(), paused: this.paused, pace: this.pace, thinking: this.computers.thinking, error: "", note: this.note,
      watchers: 1, judged: this.isJudged, worth: this.isJudged ? this.looks.get(at) ?? null : null, clock: this.clock?.told() ?? null, asked: null,
      help: this.help, player: position.player, side: position.side, inTurn: position.inTurn, legs: outcome ? [] : legs(position), outcome,
      puzzle: this.#puzzle(line[0]), check: outcome ? [] : position.checked(), held: position.held(), taken: position.taken(), scores: position.scores(), moved: position.move?.diff.moved ?? [], from, plies: plies.slice(from), nodes: line.slice(from),
    };
    const fresh = { svg: this.#picture(position), variations: tree.variations(line), info: game.info };
    for (const [name, value] of Object.entries(fresh)) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (text !== sent[name]) news[name] = name === "info" ? { ...value, variants: this.titles, kinds: this.kinds, warnings: "" } : value;
      sent[name] = text;
    }
    Object.assign(sent, { plies, nodes: line });
    this.say(news);
    this.#address();
    this.computers.judge();
  }

  /** The puzzle whose position the edit of a node sets up, as play/shipped_puzzles.py returns it; null if there is none. */
  #puzzle(node) {
    const { puzzles } = this.game;
    const number = node === undefined ? -1 : puzzles.findIndex((row) => edit(row) === this.tree.nodes[node].ply[0]);
    return number < 0 ? null : { ...puzzles[number], number: number + 1, of: puzzles.length };
  }

  /** The drawing of a position (cached). */
  #picture(position) {
    if (this.pictured?.position !== position) this.pictured = { position, svg: this.world.composer.svg(position) };
    return this.pictured.svg;
  }

  #rights() {
    const may = (is) => (is ? "yes" : "no");
    const fixed = Object.fromEntries([...NEVER.map((name) => [name, "no"]), ...RIGHTS.map((name) => [name, "yes"])]);
    return { ...fixed, hint: may(this.game.search && this.help.hints), analyse: may(this.game.search),
      evaluate: may(this.game.search && this.help.balance), review: may(this.game.search) };
  }

  /** Send the page a link with the whole game, which it stores in its address. */
  async #address() {
    const run = this.addressing = {};
    const link = this.tip ? await packGame(this.game.title, this.seats, this.tree.texts(this.tip)) : "";
    if (this.addressing === run) this.say({ type: "address", link });
  }

  // ---- requests ----

  /** Handle a message; impossible requests are answered with the reason. */
  async hear(message) {
    try {
      if (!Object.hasOwn(commands, message.type)) throw new Refused("this works only on a server");
      await commands[message.type](this, message);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof RulesFault)) throw error;
      this.say({ type: "problem", code: "refused", summary: error.message });
    }
  }

  /** Play a move of the game, after a node. */
  move(text, at = this.tip, isComputer = false) {
    const followed = this.at === this.tip;
    const node = this.step(at, text, false, followed || !isComputer);
    if (!isComputer) this.computers.stop();
    this.tree.choose(node);
    this.tip = node;
    if (followed || !isComputer) this.at = node;
    this.ended = null;
    this.paused = false;
    this.note = "";
  }

  /** Add a move to the tree; return its node. If the user sees it, send its drawing before computing its consequences. */
  step(at, text, isTried = false, isSeen = true) {
    const before = this.here(at);
    const move = before.moves.find((m) => m.text === text);
    if (!move) throw new Refused(`\`${text}\` is not a legal move here`);
    const position = before.play(move);
    if (isSeen && this.at === at) this.say({ type: "drawn", svg: this.#picture(position), moved: position.move?.diff.moved ?? [] });
    const node = this.tree.add(at, text, position, isTried);
    before.forget();
    return node;
  }

  goTo(node) {
    if (node === this.tip) return;
    this.here(node);
    this.computers.stop();
    this.ended = null;
    this.at = this.tip = node;
    this.paused = !this.isHuman(this.player);
  }

  /** The node to which undo leads: the last choice of a human (of anyone if no human plays); the tip if there was none. */
  before() {
    const isAlone = Object.values(this.seats).every((kind) => kind === "human");
    const path = [0, ...this.tree.way(this.tip)];
    const hasHumans = this.own.length > 0;
    for (let i = path.length - 2; i >= 0; i -= 1) {
      if (this.tree.isHalfSetUp(path[i], path[i + 1])) continue;
      const { ply } = this.tree.nodes[path[i + 1]];
      const inTurn = i > 0 && this.tree.nodes[path[i]].ply[2];
      if (!hasHumans || ((ply[1] === "" || this.own.includes(ply[1])) && (isAlone || !inTurn))) return path[i];
    }
    return this.tip;
  }

  async begin(variant, seats) {
    const clock = this.clock?.fresh() ?? null;
    await this.#begin(variant, seats);
    if (clock) this.offer({ clock: [clock.seconds, clock.increment] });
    this.goOn();
  }

  async load(text) {
    const saved = readGame(text);
    const variant = saved.variant ? this.packed.page.variants.findIndex(({ game }) => isSameTitle(game.title, saved.variant)) : 0;
    if (variant < 0) throw new Refused(`This is a saved game of \`${saved.variant}\`, which is not on this page.`);
    const players = this.packed.page.variants[variant].game.players.filter((p) => p.kind !== "neutral");
    await this.#begin(variant, Object.fromEntries(players.map((p, i) => [p.name, saved.seats[i] ?? "human"])));
    this.#replay(saved.entries, saved.beside);
    if (this.played) this.paused = !this.isHuman(this.player);
    this.goOn();
  }

  saved() {
    return writeGame(this.game, Object.values(this.seats), this.here(this.tip), this.tree.beside(this.tip));
  }

  resign() {
    const loser = this.own.includes(this.player) ? this.player : this.own[0];
    if (!this.player || !loser) throw new Refused("there is nothing to resign");
    this.#end(loser, "resigned");
  }

  /** End the game outside the rules. */
  #end(loser, code) {
    this.computers.stop();
    const others = this.names.filter((name) => name !== loser);
    this.ended = { winners: others.length === 1 ? others : [], losers: [loser], ...this.#said({ code, number: 0, name: loser, places: [] }) };
  }

  /** The players that are played by people or computers. */
  get names() { return this.game.players.filter((p) => p.kind === "player").map((p) => p.name); }

  /** End the game if a player's time has run out. */
  #tick() {
    const loser = this.clock?.over;
    if (!loser) return;
    this.#end(loser, "out-of-time");
    this.tell();
  }

  /** Set the help available; before the first move also the time control. @param {{ hints?: boolean, balance?: boolean, clock?: [number, number] }} wish */
  offer({ hints, balance, clock }) {
    if (clock !== undefined) {
      if (this.played) throw new Refused("the clock can only be set before the first move");
      this.clock = Clock.wished(clock, this.names);
    }
    for (const [name, value] of Object.entries({ hints, balance })) if (typeof value === "boolean") this.help = { ...this.help, [name]: value };
  }

  /** Describe a position that the user sets up, with the record that leads there; as in serve/drafts.py. */
  async draft({ men, stores, player }) {
    const { game, world } = this;
    const placed = new Map(men.map(([at, ...man]) => [at, man]));
    const start = Position.start(world);
    const line = edits(start, placed, stores, game.players.findIndex((p) => p.name === player));
    const position = line.reduce((reached, change) => reached.follow(change), start);
    const outcome = this.outcome(position);
    const link = await packGame(game.title, this.seats, line);
    this.say({ type: "draft", svg: world.composer.svg(position), line, link, text: writeGame(game, [], position, []), outcome, moves: outcome ? 0 : legs(position).length, player: position.player });
  }
}

const commands = {
  play: (host, { ply, node, move }) => {
    const { at } = host;
    if ((node ?? at) !== at || (node === undefined && ply !== host.tree.nodes[at].depth)) return host.tell();
    const turn = host.turn();
    if (turn === "play") host.move(move);
    else if (turn === "go-on") { host.move(move, at); host.at = host.tip; }
    else if (turn === "try") host.at = host.step(at, move, true);
    else throw new Refused("it isn't your turn");
    return host.goOn();
  },
  goto: (host, { ply, node }) => {
    const target = node ?? [0, ...host.tree.line(host.at)][ply];
    if (!host.tree.nodes[target]) throw new Refused("no such move in this game");
    host.here(target);
    host.at = target;
    host.tell();
  },
  undo: (host) => { host.goTo(host.before()); host.tell(); },
  resume: (host) => {
    if (host.at !== host.tip) { host.goTo(host.at); host.tree.choose(host.tip); }
    host.paused = false;
    host.goOn();
  },
  pause: (host, { on, pace }) => {
    if (pace !== undefined) host.pace = typeof pace === "number" && pace >= 0 && pace <= MAX_PACE ? pace : null;
    if (on !== undefined) { if (on) host.computers.stop(); host.paused = Boolean(on); }
    host.goOn();
  },
  seat: (host, { player, who }) => {
    const seat = host.game.players.find((p) => p.name === player);
    if (seat?.kind !== "player" || !["human", ...host.kinds].includes(who)) throw new Refused("there is no such seat");
    host.computers.stop();
    host.seats = { ...host.seats, [player]: who };
    host.goOn();
  },
  new: (host, { variant, swap }) => {
    const { names } = host;
    const turned = names.map((name, i) => [names[(i + 1) % names.length], host.seats[name]]);
    const number = variant === undefined ? host.variant : host.titles.indexOf(variant);
    if (number < 0) throw new Refused("there is no such variant on this page");
    return host.begin(number, swap ? Object.fromEntries(turned) : host.seats);
  },
  load: (host, { text }) => host.load(String(text)),
  save: (host) => host.say({ type: "saved", text: host.saved(), name: `${host.game.rules.replace(/\.zrf$/i, "")}.zsg` }),
  link: async (host) => host.say({ type: "link", link: await packGame(host.game.title, host.seats, host.tree.texts(host.at)) }),
  follow: (host, { link }) => host.open(link),
  puzzle: async (host, { number }) => {
    const row = host.game.puzzles[number - 1];
    if (!row) throw new Refused("there is no such puzzle");
    host.say({ type: "puzzle", link: await packGame(host.game.title, {}, [edit(row)]) });
  },
  rules: (host, { language }) => {
    const { names, part } = host.packed;
    const text = (number) => new TextDecoder().decode(part(number));
    const parts = names[`rules-${language}-${host.variant}`];
    host.say({ type: "rules", html: parts === undefined ? "" : JSON.parse(text(parts)).map(text).join("") });
  },
  reach: (host, { from }) => host.say({ type: "reach", from, ways: ways(host.here(), from) }),
  resign: (host) => { host.resign(); host.tell(); },
  hint: (host) => host.computers.hint(),
  analyse: (host) => host.computers.analyse(),
  review: (host) => host.computers.review(),
  draft: (host, message) => host.draft(message),
  offer: (host, message) => { host.offer(message); host.tell(); },
  evaluate: (host, { on }) => { host.isJudged = Boolean(on); host.tell(); },
  overlays: () => {},
};
