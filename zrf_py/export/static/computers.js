// Who thinks for the seats of computers and for chance; hints and the balance. One task at a time has the mind.
import { limitsOf } from "./think.js";

const PACE = { leg: 0.45, chance: 0.6 }; // seconds before a computer's leg, and before chance rolls
const HINT_SECONDS = 1;
const JUDGING = { nodes: 2000 };
const SPREAD = 300; // the value with which three games of four are won

class Stopped extends Error {}

export class Computers {
  constructor(host) {
    Object.assign(this, { host, thinking: "", run: null, last: Promise.resolve(), judging: null });
    const { port1, port2 } = new MessageChannel();
    this.waiting = [];
    port1.onmessage = () => this.waiting.shift()?.();
    this.port = port2;
  }

  /** Let messages in. */
  #tick() { return new Promise((go) => { this.waiting.push(go); this.port.postMessage(0); }); }

  /** The mind for one task, when those before are done; `isOn` says whether it is still wanted. */
  #mind(task, isOn) {
    const next = this.last.then(async () => {
      if (!isOn()) throw new Stopped();
      const thinker = await this.host.world.thinker(async () => { await this.#tick(); if (!isOn()) throw new Stopped(); });
      return task(thinker);
    });
    this.last = next.catch(() => {});
    return next;
  }

  stop() {
    this.run = null;
    this.thinking = "";
  }

  /** Let whoever is to move think, if that is a computer or chance. */
  advance() {
    const { host } = this;
    if (this.thinking || host.paused || !host.player || host.isHuman(host.player)) return;
    const run = this.run = {};
    this.thinking = host.player;
    host.tell();
    this.#play(run);
  }

  async #play(run) {
    const { host } = this;
    try {
      while (this.run === run && host.player && !host.paused && !host.isHuman(host.player)) {
        this.thinking = host.player;
        host.tell();
        const who = host.seats[host.player];
        const legs = who === "random" ? this.#anyTurn() : await this.#turn(who, run);
        for (const leg of legs) {
          await new Promise((go) => { setTimeout(go, 1000 * (host.pace ?? (who === "random" ? PACE.chance : PACE.leg))); });
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
      host.note = `The computer player gave up: ${error.message}`;
    }
    if (this.run !== run) return;
    this.stop();
    host.tell();
  }

  /** Texts of a turn drawn by lot, leg by leg. */
  #anyTurn() {
    const found = [];
    for (let here = this.host.here(this.host.tip); found.length < 200;) {
      const { moves } = here;
      if (!moves.length) break;
      const move = moves[Math.floor(Math.random() * moves.length)];
      found.push(move.text);
      here = here.play(move);
      if (!here.inTurn) break;
    }
    return found;
  }

  async #turn(who, run) {
    const here = this.host.here(this.host.tip);
    const level = Number(who.split(":")[1]);
    const seed = Math.floor(Math.random() * 2 ** 31);
    const legs = await this.#mind((thinker) => thinker.turn(here.state, here.earlier(), limitsOf(level), seed), () => this.run === run);
    return named(here, legs);
  }

  /** What a computer would play where one looks. */
  async hint() {
    const { host } = this;
    const node = host.at;
    const here = host.here();
    if (here.outcome() || !here.moves.length || host.seats[here.player] === undefined) return;
    const wish = this.wish = {};
    try {
      const found = await this.#mind((thinker) => thinker.analyse(here.state, here.earlier(), { time: HINT_SECONDS }), () => this.wish === wish && host.at === node);
      const moves = [];
      for (let at = here; moves.length < found.lines[0].moves.length;) {
        const [text] = named(at, [found.lines[0].moves[moves.length]]);
        moves.push(text);
        at = at.follow(text);
        if (!at.inTurn) break;
      }
      host.say({ type: "hint", ply: host.tree.nodes[node].depth, node, legs: moves });
    } catch (error) {
      if (!(error instanceof Stopped)) host.say({ type: "problem", code: "no-hint", summary: `no hint: ${error.message}` });
    }
  }

  /** See to it that the position somebody looks at is weighed, if that is wanted. */
  async judge() {
    const { host } = this;
    const node = host.at;
    if (!host.isJudged || host.worths.has(node) || this.judging === node) return;
    this.judging = node;
    try {
      const worth = await this.#weighed(host.here(), () => host.at === node && host.isJudged);
      host.worths.set(node, worth);
      if (host.at === node) host.tell();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    } finally {
      if (this.judging === node) this.judging = null;
    }
  }

  /** Players who win together, by their numbers. */
  get sides() {
    const { players, teams } = this.host.game;
    return [...new Map([...players.keys()].filter((p) => players[p].kind === "player").map((p) => [teams[p].join(), teams[p]])).values()];
  }

  /** How likely each of two sides wins, by a short search. */
  async #weighed(here, isOn) {
    const { players } = this.host.game;
    const { sides } = this;
    const told = (share) => ({ chances: sides.map((side, i) => ({ players: side.map((p) => players[p].name), share: i ? 1 - share : share, percent: i ? 100 - Math.round(100 * share) : Math.round(100 * share) })) });
    const outcome = here.outcome();
    if (outcome) {
      const won = sides.findIndex((side) => side.some((p) => outcome.winners.includes(p)) || (outcome.losers.length && !side.some((p) => outcome.losers.includes(p))));
      return won < 0 ? { chances: [{ players: [], share: 1, percent: 100 }] } : told(won ? 0 : 1);
    }
    const found = await this.#mind((thinker) => thinker.analyse(here.state, here.earlier(), JUDGING), isOn);
    const value = found.value ?? found.lines[0].value;
    const player = found.player ?? this.host.game.turns[here.state.turn][0];
    const share = (1 + value / (Math.abs(value) + SPREAD)) / 2;
    return told(sides[0].includes(player) ? share : 1 - share);
  }
}

/** Legs that follow each other from a position, as the engine has them, by their texts. */
function named(position, legs) {
  const found = [];
  let here = position;
  for (const leg of legs) {
    const move = here.moves.find((m) => m.raw.record.join() === leg.record.join());
    found.push(move.text);
    here = here.play(move);
  }
  return found;
}
