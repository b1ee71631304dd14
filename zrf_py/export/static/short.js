// Short move notation: the same as play/short.py, with the letters computed by Python.
import { NEW } from "./diff.js";
import { NOT_PARTIAL, keyOf, kindAt, ownerAt } from "./engine.js";
import { grouped } from "./grouping.js";
import { writeParts } from "./notation.js";

class Sketch {
  mark = "-"; origin = ""; becomes = ""; tail = "";

  constructor(move, { letter = "", start = "", end = "", whole = "" }) {
    this.move = move; this.letter = letter; this.start = start; this.end = end; this.whole = whole;
  }

  text(origin = this.origin) {
    if (this.whole) return this.whole;
    let { mark } = this;
    if (mark === "*") mark = this.letter || origin ? "*" : "";
    else if (mark === "-" && origin !== this.start && !(this.letter && /^\d/.test(this.end))) mark = "";
    return `${this.letter}${origin}${mark}${this.end}${this.becomes}${this.tail}`;
  }

  ways(marks) {
    const full = this.whole ? this.text() : this.text(this.start);
    const details = this.#details(marks);
    return [this.text(), full, ...details.map((detail) => `${full} ${detail}`.trimEnd()), [full, ...details.filter(Boolean)].join(" ")];
  }

  #details(marks) {
    const parts = this.move.parts();
    const captures = parts.filter((p) => p.length === 2 && p[0] === "x" && !marks.includes(p[1])).map((p) => `x${p[1]}`).join("");
    return [captures, this.move.raw.partial !== NOT_PARTIAL ? "…" : "", writeParts(parts.filter((p) => !["move", "x", "#", "@"].includes(p[0])))];
  }
}

export class ShortWriter {
  constructor(game) {
    this.game = game;
    const { letters, beside, hasLegs, files } = game.short;
    this.letters = letters;
    this.files = files;
    this.beside = new Set(beside);
    this.hasLetters = new Set(letters).size > 1;
    this.isFull = hasLegs || !this.hasLetters;
    this.marksCheck = !letters.some((letter) => letter.startsWith("+"));
    this.heads = [...new Set(letters)].sort((a, b) => b.length - a.length);
  }

  /** Write the legal moves of a position; moves with different full notation get different texts. */
  write(moves) {
    const sketches = new Map(moves.map((move) => [move.text, this.#sketch(move)]));
    this.#tellDeclined(moves, sketches);
    tellOrigins(sketches, this.files);
    const written = new Map();
    for (const [short, texts] of grouped(sketches.keys(), (text) => sketches.get(text).text())) {
      const spellings = texts.map((text) => sketches.get(text).ways(this.#marks(sketches.get(text).move)));
      const columns = spellings[0].map((_, i) => spellings.map((spelling) => spelling[i]));
      const best = columns.find((column) => new Set(column).size === texts.length) ?? texts;
      texts.forEach((text, i) => written.set(text, texts.length > 1 ? best[i] : short));
    }
    const alike = grouped(written.values(), (short) => short);
    return moves.map(({ text }) => (alike.get(written.get(text)).length === 1 ? written.get(text) : text));
  }

  /** Join the legs of a turn, [move, short] each. */
  join(legs) {
    const moving = legs.filter(([move]) => !move.raw.isPass);
    let joined = "";
    let last = -1;
    for (const [move, text] of moving.length ? moving : legs.slice(0, 1)) {
      const [start, end] = keyOf(move.raw);
      const head = start === last && last >= 0 ? this.heads.map((h) => h + this.game.places[start]).find((h) => text.startsWith(h)) : "";
      joined += head ? text.slice(head.length) : joined ? `, ${text}` : text;
      last = end;
    }
    return joined;
  }

  #sketch(move) {
    const { raw, diff: { start, end, piece, becomes, taken: lost } } = move;
    if (raw.isPass) return new Sketch(move, { whole: "pass" });
    if (this.game.players[raw.side].kind === "random") return this.#chance(move);
    if (!raw.movements.length) return this.#effects(move);
    const { places } = this.game;
    const letter = this.letters[piece];
    const sketch = new Sketch(move, { letter, start: places[start] ?? "", end: places[end] });
    if (start < 0 || (this.beside.has(start) && !this.beside.has(end))) sketch.mark = "*";
    else if (this.isFull) sketch.origin = sketch.start;
    sketch.whole = this.#castled(move);
    const captures = takenBy(move, this.#men(move));
    const onWay = captures.filter((square) => square === end || this.#liesBetween(start, square, end));
    if (onWay.length && sketch.mark === "-") {
      sketch.mark = "x";
      if (!letter && this.hasLetters && !sketch.origin) sketch.origin = fileOf(sketch.start, this.files) || sketch.start;
    }
    if (becomes >= 0) sketch.becomes = this.#promotion(piece, becomes);
    const gone = [...captures.filter((s) => !onWay.includes(s)), ...(becomes < 0 && lost.includes(start) ? [end] : [])];
    sketch.tail = gone.map((s) => ` x${places[s]}`).join("") + this.#putBack(move);
    return sketch;
  }

  /** Names of squares whose captured pieces are mere markers. */
  #marks({ before, diff }) { return diff.taken.filter((s) => this.game.short.traces.includes(kindAt(before, s))).map((s) => this.game.places[s]); }

  /** The squares of captured pieces, except types that are mere markers. */
  #men({ before, diff }) { return diff.taken.filter((s) => !this.game.short.traces.includes(kindAt(before, s))); }

  #liesBetween(start, square, end) {
    if (start < 0) return false;
    const { centres } = this.game.short;
    return [0, 1].every((i) => Math.min(centres[start][i], centres[end][i]) - 1 <= centres[square][i] && centres[square][i] <= Math.max(centres[start][i], centres[end][i]) + 1);
  }

  #promotion(old, kind) {
    const letter = this.letters[kind];
    return letter === `+${this.letters[old]}` ? "+" : `=${letter || this.game.types[kind]}`;
  }

  #putBack({ raw, before, diff }) {
    const gone = new Set(diff.taken.map((s) => before.cell[s]));
    return diff.placed.filter(([, , player, kind]) => gone.has((player + 1) | ((kind + 1) << 8)) && player !== raw.side).map(([square]) => `→${this.game.places[square]}`).join("");
  }

  #castled({ raw, before, diff: { start, end, moved } }) {
    const others = raw.movements.length === 2 ? moved.filter(([from, to]) => from !== start || to !== end) : [];
    if (others.length !== 1 || ownerAt(before, others[0][0]) !== raw.side) return "";
    const [other, goal] = others[0];
    for (const table of this.game.short.links) {
      const line = ray(table, start);
      const passed = line.indexOf(other);
      const to = line.indexOf(end);
      if (passed > 0 && to >= 0) {
        const back = line.includes(goal) ? line.indexOf(goal) : goal === start ? 0 : line.length;
        if (back < to) return Array(passed).fill("O").join("-");
      }
    }
    return "";
  }

  #chance(move) {
    const shown = move.diff.men.filter(([square, origin, , kind]) => origin === NEW || origin === square || kind !== kindAt(move.before, origin)).map((man) => this.letters[man[3]] || this.game.types[man[3]]);
    const counted = move.raw.effects.filter(([name]) => name === "set-counter").map(([, c, a]) => `${this.game.counters[c][0].replace(/[-_]+/g, " ").trim()}=${a}`);
    return new Sketch(move, { whole: shown.join("+") || counted.join(", ") || writeParts(move.parts()) });
  }

  #effects(move) {
    const { men, placed } = move.diff;
    const replaced = new Set(placed.map(([square]) => square));
    const text = (men.map((man) => this.#change(move, man)).find(Boolean) ?? "") + this.#men(move).filter((s) => !replaced.has(s)).map((s) => `x${this.game.places[s]}`).join("");
    return new Sketch(move, { whole: text || writeParts(move.parts()) || "pass" });
  }

  #change({ raw, before }, [square, origin, player, kind]) {
    const { places, players, types } = this.game;
    const letter = this.letters[kind];
    if (origin === NEW) {
      const whose = player !== raw.side && players[player].kind === "player" ? `${players[player].name}:` : "";
      return `${whose}${letter}${letter || player !== raw.side ? "*" : ""}${places[square]}`;
    }
    if (kind !== kindAt(before, square)) return `${places[square]}=${letter || types[kind]}`;
    return player !== ownerAt(before, square) ? `${places[square]}=${players[player].name}` : "";
  }

  #tellDeclined(moves, sketches) {
    const name = (move, sketch) => `${keyOf(move.raw)} ${sketch.letter}`;
    const risen = new Set(moves.filter(({ text }) => sketches.get(text).becomes === "+").map((move) => name(move, sketches.get(move.text))));
    for (const move of moves) {
      const sketch = sketches.get(move.text);
      if (risen.size && !sketch.becomes && !sketch.whole && risen.has(name(move, sketch))) sketch.becomes = "=";
    }
  }
}

/** Disambiguate moves of several pieces to one square: by their file, their rank, or both. */
function tellOrigins(sketches, files) {
  const open = [...sketches.values()].filter((s) => !s.whole && s.mark !== "*" && !s.origin);
  for (const group of grouped(open, (s) => s.text()).values()) {
    const starts = new Set(group.map((s) => s.start));
    for (const sketch of starts.size > 1 ? group : []) sketch.origin = least(sketch.start, [...starts].filter((s) => s !== sketch.start), files);
  }
}

/** The squares of captured pieces: those removed and not replaced, and other players' pieces moved elsewhere. */
function takenBy({ raw, before, diff: { start, end, moved, placed } }, captures) {
  const carried = moved.map(([from]) => from).filter((s) => ownerAt(before, s) !== raw.side);
  const replaced = placed.map(([square]) => square).filter((s) => s !== end);
  return [...new Set([...captures.filter((s) => s === end), ...carried, ...captures.filter((s) => s !== start && !replaced.includes(s))])];
}

function least(start, others, files) {
  const file = fileOf(start, files);
  if (!file) return start;
  if (others.every((other) => fileOf(other, files) !== file)) return file;
  const rank = start.slice(file.length);
  return others.every((other) => other.slice(fileOf(other, files).length) !== rank) ? rank : start;
}

function fileOf(name, files) {
  const letters = /^([A-Za-z]{1,2})\d+$/.exec(name)?.[1];
  return files.includes(letters) ? letters : "";
}

function ray(table, start) {
  const line = [];
  for (let square = table[start]; square >= 0 && !line.includes(square) && square !== start; square = table[square]) line.push(square);
  return line;
}
