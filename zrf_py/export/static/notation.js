// Moves in the notation of saved games, written and read: the same as play/notation.py.
import { COPY, DROP, KEEP, MOVE, NOT_PARTIAL, kindAt, ownerAt } from "./engine.js";

export const PASS = "Pass";

/** The parts of a move played in a position, in the order they are written. */
export function parts(game, state, move) {
  const written = [];
  let promotion = null;
  for (const [how, start, end, kind] of move.movements) {
    if (how === MOVE) {
      if (start !== end) written.push(["move", game.types[kindAt(state, start)], game.places[start], ownerAt(state, end) >= 0 ? "x" : "-", game.places[end]]);
      if (kind !== KEEP) promotion = ["=", game.types[kind], game.places[end]];
    } else {
      const owner = how === DROP ? move.side : ownerAt(state, start);
      const shown = how === COPY && kind === KEEP ? kindAt(state, start) : kind;
      written.push(["place", game.players[owner].name, game.types[shown], game.places[end]]);
    }
  }
  for (const [name, square, a, b] of move.effects) written.push(effect(game, name, square, a, b));
  for (const square of move.captures) written.push(["x", game.places[square]]);
  if (promotion) written.push(promotion);
  return written;
}

function effect(game, name, square, a, b) {
  if (name === "add-to-counter") return ["#", game.counters[square][0], a < 0 ? String(a) : `+${a}`];
  if (name === "set-counter") return ["#", game.counters[square][0], String(a)];
  if (name === "next-turn") return ["#", name, String(square)];
  const place = game.places[square];
  if (name === "create") return ["place", game.players[b].name, game.types[a], place];
  if (name === "change-type") return ["=", game.types[a], place];
  if (name === "change-owner") return ["=", game.players[a].name, place];
  if (name === "flip") return ["flip", place];
  return ["@", place, String(a), String(b)];
}

export function writeParts(written) {
  const words = [];
  let end = "";
  let lastName = "";
  for (const part of written) {
    const [what, ...rest] = part;
    if (what === "move" || what === "place") {
      words.push(...rest);
      end = rest.at(-1);
    } else if (what === "=") {
      const [name, square] = rest;
      if (name === lastName && words.at(-1) !== name) words.push(square);
      else words.push("=", name, ...(square === end ? [] : ["on", square]));
    } else words.push(...part);
    if (what !== "move" && what !== "place") end = "";
    lastName = what === "=" ? part[1] : "";
  }
  return words.join(" ");
}

/** A move as a saved game has it, without its number. */
export function moveText(game, state, move) {
  if (move.isPass) return PASS;
  const text = writeParts(parts(game, state, move));
  return move.partial === NOT_PARTIAL ? text : `partial ${move.partial >= 0 ? game.ordinals[move.partial] : 0} ${text}`;
}

/** The parts of a recorded move, `partial N` left aside; null if the text is no move. */
export function readParts(text) {
  let words = text.split(/\s+/).filter(Boolean);
  if (words[0] === "partial") words = words.slice(2);
  const found = [];
  let end = "";
  for (let at = 0; at < words.length;) {
    const [a, b, c, d] = words.slice(at, at + 4);
    const left = words.length - at;
    if (a === "=" && left >= 4 && c === "on") {
      at += 3;
      while (at < words.length && !startsPart(words, at)) { found.push(["=", b, words[at]]); at += 1; }
    } else if (a === "=" && left >= 2) { found.push(["=", b, end]); at += 2; }
    else if ((a === "flip" || a === "x") && left >= 2) { found.push([a, b]); at += 2; }
    else if (a === "#" && left >= 3) { found.push(["#", b, c]); at += 3; }
    else if (a === "@" && left >= 4) { found.push(["@", b, c, d]); at += 4; }
    else if (left >= 4 && (c === "-" || c === "x")) { end = d; found.push(["move", a, b, c, d]); at += 4; }
    else if (left >= 3) { end = c; found.push(["place", a, b, c]); at += 3; }
    else return null;
  }
  return found;
}

const MARKS = ["=", "flip", "x", "@", "#"];

function startsPart(words, at) {
  if (MARKS.includes(words[at])) return true;
  const [a, b] = words.slice(at + 1, at + 3);
  return b !== undefined && (b === "-" || b === "x" || (!MARKS.includes(a) && !MARKS.includes(b)));
}

const joined = (all) => all.map((part) => part.join("\t")).sort().join("\n");

/** The legal move that was recorded, as play/replay.py finds it: {move, isLoose}, or {why} there is none. */
export function recorded(position, text) {
  const legal = position.moves;
  if (text.toLowerCase() === "pass") {
    const pass = legal.find((m) => m.raw.isPass);
    return pass ? { move: pass } : { why: "the rules allow no pass here" };
  }
  const exact = legal.find((m) => m.text === text);
  if (exact) return { move: exact };
  const wanted = readParts(text);
  if (!wanted) return { why: "this is not the notation of a move" };
  const target = joined(wanted);
  const fitting = legal.filter((m) => !m.raw.isPass && joined(parts(position.game, position.state, m.raw)) === target);
  const isLeg = text.toLowerCase().startsWith("partial");
  const found = fitting.find((m) => (m.raw.partial !== NOT_PARTIAL) === isLeg) ?? fitting[0];
  if (!found) return { why: legal.length ? `no legal move of \`${position.player}\` is written so` : "the game is over: nobody may move" };
  return { move: found, endsTurn: found.raw.partial !== NOT_PARTIAL && !isLeg };
}
