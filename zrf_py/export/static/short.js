// Moves as people write them: the same as play/short.py, with the letters that Python chose.
import { DROP, KEEP, MOVE, NOBODY, NOT_PARTIAL, keyOf, kindAt, ownerAt } from "./engine.js";
import { parts, writeParts } from "./notation.js";

class Sketch {
  constructor(values) {
    Object.assign(this, { letter: "", start: "", end: "", mark: "-", origin: "", becomes: "", tail: "", whole: "", details: [] }, values);
  }

  text(origin = this.origin) {
    if (this.whole) return this.whole;
    let { mark } = this;
    if (mark === "*") mark = this.letter || origin ? "*" : "";
    else if (mark === "-" && origin !== this.start && !(this.letter && /^\d/.test(this.end))) mark = "";
    return `${this.letter}${origin}${mark}${this.end}${this.becomes}${this.tail}`;
  }

  ways() {
    const full = this.whole ? this.text() : this.text(this.start);
    return [this.text(), full, ...this.details.map((detail) => `${full} ${detail}`.trimEnd()), [full, ...this.details.filter(Boolean)].join(" ")];
  }
}

export class ShortWriter {
  constructor(game) {
    this.game = game;
    const { letters, beside, hasLegs } = game.short;
    this.letters = letters;
    this.beside = new Set(beside);
    this.hasLetters = new Set(letters).size > 1;
    this.isFull = hasLegs || !this.hasLetters;
    this.marksCheck = !letters.some((letter) => letter.startsWith("+"));
    this.heads = [...new Set(letters)].sort((a, b) => b.length - a.length);
  }

  /** The legal moves of a position, [text, raw] each; different where these differ. */
  write(state, moves) {
    const sketches = new Map(moves.map(([text, move]) => [text, this.#sketch(state, move)]));
    this.#tellDeclined(moves, sketches);
    tellOrigins(sketches);
    const written = new Map();
    for (const [short, texts] of grouped(sketches.keys(), (text) => sketches.get(text).text())) {
      const ways = texts.map((text) => sketches.get(text).ways());
      const columns = ways[0].map((_, i) => ways.map((way) => way[i]));
      const best = columns.find((column) => new Set(column).size === texts.length) ?? texts;
      texts.forEach((text, i) => written.set(text, texts.length > 1 ? best[i] : short));
    }
    const count = new Map();
    for (const short of written.values()) count.set(short, (count.get(short) ?? 0) + 1);
    return moves.map(([text]) => (count.get(written.get(text)) === 1 ? written.get(text) : text));
  }

  /** A turn in one line: legs, [raw, short] each. */
  join(legs) {
    const moving = legs.filter(([move]) => !move.isPass);
    let whole = "";
    let last = -1;
    for (const [move, text] of moving.length ? moving : legs.slice(0, 1)) {
      const [start, end] = keyOf(move);
      const head = start === last && last >= 0 ? this.heads.map((h) => h + this.game.places[start]).find((h) => text.startsWith(h)) : "";
      whole += head ? text.slice(head.length) : whole ? `, ${text}` : text;
      last = end;
    }
    return whole;
  }

  #sketch(state, move) {
    if (move.isPass) return new Sketch({ whole: "pass", details: ["", "", ""] });
    if (this.game.players[move.side].kind === "random") return this.#chance(state, move);
    const own = move.movements.filter((m) => m[0] === DROP || ownerAt(state, m[1]) === move.side);
    const main = own[0] ?? move.movements[0];
    if (!main) return this.#effects(state, move);
    const { places } = this.game;
    const [how, start, end] = main;
    const others = move.movements.filter((m) => m !== main);
    const kind = how === DROP ? main[3] : kindAt(state, start);
    const letter = this.letters[kind];
    const found = new Sketch({ letter, start: how === DROP ? "" : places[start], end: places[end] });
    if (how === DROP || (this.beside.has(start) && !this.beside.has(end))) found.mark = "*";
    else if (this.isFull) found.origin = found.start;
    found.whole = this.#castled(state, move, start, end, others);
    const taken = takenBy(state, move, end, others);
    const onWay = taken.filter((square) => square === end || this.#liesBetween(start, square, end));
    if (onWay.length && found.mark === "-") {
      found.mark = "x";
      if (!letter && this.hasLetters && !found.origin) found.origin = fileOf(found.start) || found.start;
    }
    const becomes = this.#becomes(state, move, main);
    if (becomes !== kind) found.becomes = this.#promotion(kind, becomes);
    found.tail = taken.filter((s) => !onWay.includes(s)).map((s) => ` x${places[s]}`).join("") + this.#putBack(state, move);
    found.details = this.#details(state, move);
    return found;
  }

  #liesBetween(start, square, end) {
    if (start < 0) return false;
    const { centres } = this.game.short;
    return [0, 1].every((i) => Math.min(centres[start][i], centres[end][i]) - 1 <= centres[square][i] && centres[square][i] <= Math.max(centres[start][i], centres[end][i]) + 1);
  }

  #becomes(state, move, [, start, end, kind]) {
    const changed = move.effects.filter(([name, square]) => name === "change-type" && square === end);
    return changed.length ? changed.at(-1)[2] : kind !== KEEP ? kind : kindAt(state, start);
  }

  #promotion(old, kind) {
    const letter = this.letters[kind];
    return letter === `+${this.letters[old]}` ? "+" : `=${letter || this.game.types[kind]}`;
  }

  #putBack(state, move) {
    const gone = new Set(move.captures.map((s) => `${ownerAt(state, s)} ${kindAt(state, s)}`));
    return move.effects.filter(([name, , a, b]) => name === "create" && gone.has(`${b} ${a}`) && b !== move.side).map(([, s]) => `→${this.game.places[s]}`).join("");
  }

  #castled(state, move, start, end, others) {
    const own = others.filter((m) => m[0] === MOVE && m[1] !== m[2] && ownerAt(state, m[1]) === move.side);
    if (own.length !== 1 || others.length !== 1) return "";
    const [, other, goal] = own[0];
    for (const table of this.game.short.links) {
      const line = ray(table, start);
      const there = line.indexOf(other);
      const to = line.indexOf(end);
      if (there > 0 && to >= 0) {
        const back = line.includes(goal) ? line.indexOf(goal) : goal === start ? 0 : line.length;
        if (back < to) return Array(there).fill("O").join("-");
      }
    }
    return "";
  }

  #chance(state, move) {
    const shown = [...move.movements.filter((m) => m[3] !== KEEP).map((m) => m[3]),
      ...move.effects.filter(([name]) => name === "create" || name === "change-type").map(([, , a]) => a)];
    const counted = move.effects.filter(([name]) => name === "set-counter").map(([, c, a]) => `${this.game.counters[c][0]}=${a}`);
    const whole = shown.map((k) => this.letters[k] || this.game.types[k]).join("+") || counted.join(", ");
    return new Sketch({ whole: whole || writeParts(parts(this.game, state, move)), details: this.#details(state, move) });
  }

  #effects(state, move) {
    const { places, players, types } = this.game;
    const words = [];
    for (const [name, square, a, b] of move.effects) {
      if (name === "create") {
        const whose = b !== move.side && players[b].kind === "player" ? `${players[b].name}:` : "";
        words.push(`${whose}${this.letters[a]}${this.letters[a] || b !== move.side ? "*" : ""}${places[square]}`);
      } else if (name === "change-type") words.push(`${places[square]}=${this.letters[a] || types[a]}`);
      else if (name === "change-owner") words.push(`${places[square]}=${players[a].name}`);
      else if (name === "flip") words.push(`${places[square]}~`);
    }
    const text = (words[0] ?? "") + move.captures.map((s) => `x${places[s]}`).join("");
    return new Sketch({ whole: text || writeParts(parts(this.game, state, move)) || "pass", details: this.#details(state, move) });
  }

  #details(state, move) {
    const said = parts(this.game, state, move);
    const taken = said.filter((p) => p.length === 2 && p[0] === "x").map((p) => `x${p[1]}`).join("");
    return [taken, writeParts(said.filter((p) => ["place", "=", "flip"].includes(p[0]))), move.partial !== NOT_PARTIAL ? "…" : ""];
  }

  #tellDeclined(moves, sketches) {
    const name = (move, sketch) => `${keyOf(move)} ${sketch.letter}`;
    const risen = new Set(moves.filter(([text]) => sketches.get(text).becomes === "+").map(([text, move]) => name(move, sketches.get(text))));
    for (const [text, move] of moves) {
      const sketch = sketches.get(text);
      if (risen.size && !sketch.becomes && !sketch.whole && risen.has(name(move, sketch))) sketch.becomes = "=";
    }
  }
}

/** Where several men could go to one square: the column they come from, or the line, or both. */
function tellOrigins(sketches) {
  const open = [...sketches.values()].filter((s) => !s.whole && s.mark !== "*" && !s.origin);
  for (const group of grouped(open, (s) => s.text()).values()) {
    const starts = new Set(group.map((s) => s.start));
    for (const sketch of starts.size > 1 ? group : []) sketch.origin = least(sketch.start, [...starts].filter((s) => s !== sketch.start));
  }
}

function grouped(items, name) {
  const found = new Map();
  for (const item of items) {
    const key = name(item);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push(item);
  }
  return found;
}

function takenBy(state, move, end, others) {
  const carried = others.filter(([how, s, e]) => how === MOVE && s !== e && ownerAt(state, s) !== move.side).map((m) => m[1]);
  const isLanded = ownerAt(state, end) !== NOBODY && !carried.includes(end) && !others.some(([how, s]) => how === MOVE && s === end);
  return [...new Set([...(isLanded ? [end] : []), ...carried, ...move.captures])];
}

function least(start, others) {
  const file = fileOf(start);
  if (!file) return start;
  if (others.every((other) => fileOf(other) !== file)) return file;
  const rank = start.slice(file.length);
  return others.every((other) => other.slice(fileOf(other).length) !== rank) ? rank : start;
}

const fileOf = (name) => /^([A-Za-z]{1,2})\d+$/.exec(name)?.[1] ?? "";

function ray(table, start) {
  const line = [];
  for (let square = table[start]; square >= 0 && !line.includes(square) && square !== start; square = table[square]) line.push(square);
  return line;
}
