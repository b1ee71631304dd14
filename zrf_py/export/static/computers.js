// Moves of computer players and of chance; hints, best lines, evaluations. Only one task at a time uses the search.
import { Adviser, walked } from "./advice.js";
import { Greedy, TooMany } from "./greedy.js";
import { firstTurn } from "./judging.js";

const PACE = { leg: 0.45, chance: 0.6 }; // seconds before a computer's leg, and between rolls of chance
const DICE = 3, HURRY = 6; // rolls in a row shown at the usual pace, and the factor by which further ones are faster; long series usually set up a board

class Stopped extends Error {}

export class Computers {
  thinking = ""; run = null; last = Promise.resolve(); judging = null; waiting = [];

  constructor(host) {
    this.host = host;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => this.waiting.shift()?.();
    this.port = port2;
  }

  /** Resolve once pending messages have been handled. */
  #tick() { return new Promise((go) => { this.waiting.push(go); this.port.postMessage(0); }); }

  /** Run one task of the search after earlier ones have finished; `isOn` returns whether it is still wanted. */
  #searching(task, isOn) {
    const next = this.last.then(async () => {
      if (!isOn()) throw new Stopped();
      const search = await this.host.world.search(async () => { await this.#tick(); if (!isOn()) throw new Stopped(); });
      return task(search);
    });
    this.last = next.catch(() => {});
    return next;
  }

  /** Create the greedy player and the adviser of the current game if they are missing; return this. */
  #counting() {
    const { world } = this.host;
    if (this.counted !== world) {
      this.counted = world;
      this.greedy = new Greedy(world.engine, () => this.#tick());
      this.adviser = new Adviser(world.game, this.greedy);
    }
    return this;
  }

  stop() {
    this.run = null;
    this.thinking = "";
  }

  /** Start computing the next moves, if a computer or chance is to move. */
  advance() {
    const { host } = this;
    if (this.thinking || host.paused || !host.player || host.isHuman(host.player)) return;
    this.#play(this.run = {});
  }

  async #play(run) {
    const { host } = this;
    let rolled = 0;
    try {
      while (this.run === run && host.player && !host.paused && !host.isHuman(host.player)) {
        this.thinking = host.player;
        host.tell();
        const kind = host.seats[host.player];
        rolled = kind === "random" ? rolled + 1 : 0;
        const legs = await this.#turn(kind, run);
        if (this.run !== run) return;
        for (const leg of legs) {
          const roll = host.tip && PACE.chance / (rolled > DICE ? HURRY : 1); // before the first roll there is nothing to watch
          const pace = kind === "random" ? roll : PACE.leg;
          await new Promise((go) => { setTimeout(go, 1000 * (host.pace ?? pace)); });
          if (this.run !== run) return;
          host.move(leg, host.tip, true);
          this.thinking = host.isHuman(host.player) ? "" : host.player;
          host.tell();
        }
        if (!legs.length) break;
      }
    } catch (error) {
      if (error instanceof Stopped) return;
      host.paused = true;
      host.note = `The computer player failed: ${error.message}`;
    }
    if (this.run !== run) return;
    this.stop();
    host.tell();
  }

  /** A random turn, as texts, drawn leg by leg. */
  #anyTurn() {
    const texts = [];
    for (let position = this.host.here(this.host.tip); texts.length < 200;) {
      const { moves } = position;
      if (!moves.length) break;
      const move = moves[Math.floor(Math.random() * moves.length)];
      texts.push(move.text);
      position = position.play(move);
      if (!position.inTurn) break;
    }
    return texts;
  }

  async #turn(kind, run) {
    if (kind === "random") return this.#anyTurn();
    const position = this.host.here(this.host.tip);
    if (kind === "greedy") {
      try {
        return named(position, await this.#counting().greedy.turn(position.state));
      } catch (error) {
        if (error instanceof TooMany) return this.#anyTurn();
        throw error;
      }
    }
    const level = Number(kind.split(":")[1]);
    const seed = Math.floor(Math.random() * 2 ** 31);
    const legs = await this.#searching((search) => search.turn(position.state, position.earlier(), search.limitsOf(level), seed), () => this.run === run);
    return named(position, legs);
  }

  /** Send the first turn of the best line from the position shown. */
  hint() {
    const { host } = this;
    if (host.seats[host.here().player] !== undefined) this.#answer("hint", ({ lines: [{ moves }] }) => ({ legs: firstTurn(moves).map(([text]) => text) }));
  }

  /** Send the best lines of the position shown. */
  analyse() { this.#answer("analyse", (analysis) => analysis); }

  async #answer(kind, message) {
    const { host } = this;
    const node = host.at;
    const position = host.here();
    if (position.outcome() || !position.moves.length) return;
    try {
      const analysis = await this.look(node, () => host.at === node);
      if (host.at === node) host.say({ type: kind, ply: host.tree.nodes[node].depth, node, ...message(analysis) });
    } catch (error) {
      const none = { hint: { summary: `no hint: ${error.message}` }, analyse: { summary: `no analysis: ${error.message}` } };
      if (!(error instanceof Stopped)) host.say({ type: "problem", code: `no-${kind}`, ...none[kind] });
    }
  }

  /** Evaluate the position shown, if evaluations are switched on. */
  async judge() {
    const { host } = this;
    const node = host.at;
    if (!host.isJudged || host.looks.has(node) || this.judging === node) return;
    this.judging = node;
    try {
      await this.look(node, () => host.at === node && host.isJudged);
      if (host.at === node) host.tell();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      if (this.judging === node) this.judging = null;
    }
  }

  /** The evaluation of a node, shared by all callers; throws if it is no longer wanted. */
  async look(node, isOn) {
    const { host } = this;
    return host.looks.get(node) ?? this.#searching(async (search) => {
      const { looks } = host;
      if (!looks.has(node)) looks.set(node, await this.#counting().adviser.look(host.here(node), search));
      return looks.get(node);
    }, isOn);
  }

  /** Evaluate the positions of the line shown, one after the other, and send each result at once. */
  async review() {
    const { host } = this;
    const { tree } = host;
    const line = [0, ...tree.line(host.at)].filter((node) => tree.nodes[node].position);
    const run = this.reviewing = {};
    const stops = [...line.entries()].filter(([ply, node]) => ply + 1 === line.length || !tree.isHalfSetUp(node, line[ply + 1]));
    try {
      for (const [ply, node] of stops) {
        const evaluation = await this.look(node, () => this.reviewing === run && host.tree === tree);
        if (this.reviewing !== run || host.tree !== tree) return;
        host.say({ type: "review", ply, node, of: stops.length, ...evaluation });
      }
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }
}

/** The texts of a sequence of the engine's legs. */
const named = (position, legs) => walked(position, legs).map((after) => after.move.text);
