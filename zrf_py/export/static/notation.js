// Full move notation, as in saved games, written and parsed: the same as play/notation.py.
import { COPY, DROP, KEEP, MOVE, NOT_PARTIAL, kindAt, ownerAt } from "./engine.js";

export const PASS = "Pass";

/** The parts of a move in a position, in the order in which they are written. */
export function parts(game, state, move) {
  const written = [];
  const promotions = [];
  for (const [action, start, end, kind] of move.movements) {
    if (action === MOVE) {
      if (start !== end) written.push(["move", game.types[kindAt(state, start)], game.places[start], ownerAt(state, end) >= 0 ? "x" : "-", game.places[end]]);
      if (kind !== KEEP) promotions.push(["=", game.types[kind], game.places[end]]);
    } else {
      const owner = action === DROP ? move.side : ownerAt(state, start);
      const shown = action === COPY && kind === KEEP ? kindAt(state, start) : kind;
      written.push(["place", game.players[owner].name, game.types[shown], game.places[end]]);
    }
  }
  for (const [name, square, a, b] of move.effects) written.push(effect(game, name, square, a, b));
  for (const square of move.captures) written.push(["x", game.places[square]]);
  return [...written, ...promotions];
}

function effect(game, name, square, a, b) {
  if (name === "add-to-counter") return ["#", game.counters[square][0], a < 0 ? String(a) : `+${a}`];
  if (name === "set-counter") return ["#", game.counters[square][0], String(a)];
  if (name === "next-turn") return ["#", name, String(square)];
  const place = game.places[square];
  const [first, second] = game.effects[name];
  if (second === "player") return ["place", game.players[b].name, game.types[a], place];
  if (first === "piece" || first === "side") return ["=", first === "piece" ? game.types[a] : game.players[a].name, place];
  if (first === "none") return [name, place];
  return ["@", place, String(a), String(b)];
}

export function writeParts(written) {
  const words = [];
  let end = "";
  let lastName = "";
  for (const part of written) {
    const [word, ...rest] = part;
    if (word === "move" || word === "place") {
      words.push(...rest);
      end = rest.at(-1);
    } else if (word === "=") {
      const [name, square] = rest;
      if (name === lastName && words.at(-1) !== name) words.push(square);
      else words.push("=", name, ...(square === end ? [] : ["on", square]));
    } else words.push(...part);
    if (word !== "move" && word !== "place") end = "";
    lastName = word === "=" ? part[1] : "";
  }
  return words.join(" ");
}

/** A move as saved games write it, without its number. */
export function moveText(game, state, move) {
  if (move.isPass) return PASS;
  const text = writeParts(parts(game, state, move));
  return move.partial === NOT_PARTIAL ? text : `partial ${move.partial >= 0 ? game.ordinals[move.partial] : 0} ${text}`;
}

const split = (text) => text.split(/\s+/).filter(Boolean);

/** The spellings of a part: a change may omit a square on which the part before ends, and in a list all but its square. */
function forms([word, ...rest], end, listed) {
  if (word === "move" || word === "place") return [rest];
  if (word !== "=") return [[word, ...rest]];
  const [name, square] = rest;
  return [...(name === listed ? [[square]] : []), ["=", name, "on", square], ...(square === end ? [["=", name]] : [])];
}

/** The states after one more part, each with the number of words read, the remaining parts, the square for which `on` may be omitted, and the name of the list being read. */
function* steps(words, [at, left, end, listed]) {
  for (const [i, part] of left.entries()) {
    for (const form of forms(part, end, listed)) {
      const spaced = split(form.join(" "));
      if (spaced.some((word, k) => words[at + k] !== word)) continue;
      const last = part[0] === "move" || part[0] === "place" ? part.at(-1) : end;
      yield [at + spaced.length, left.filter((_, k) => k !== i), last, part[0] === "=" && form.at(-1) === part[2] ? part[1] : ""];
    }
  }
}

/** Return whether the words of a record are exactly these parts, in any order: the same as play/notation.py. */
function isWrittenSo(words, written) {
  const stack = [[[0, written, "", ""]].values()];
  const seen = new Set();
  while (stack.length) {
    const { value: state, done } = stack.at(-1).next();
    if (done) { stack.pop(); continue; }
    if (state[0] === words.length && !state[1].length) return true;
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    stack.push(steps(words, state));
  }
  return false;
}

/** Return false if a text certainly isn't this move's: a cheap filter that does not write the move. */
function mayBe(game, { isPass, movements: [first] }, text) {
  if (isPass || !first) return !isPass;
  const [action, start, end] = first;
  const name = game.places[end];
  return text.includes(name) || (action === MOVE && start === end) || /\s/.test(name);
}

/** The legal move that was recorded, as play/replay.py finds it: {move, endsTurn}, or {why}, the reason why there is none. */
export function recorded({ game, state, player, moves }, text) {
  const words = split(text);
  if (text.toLowerCase() === "pass") {
    const pass = moves.find((m) => m.raw.isPass);
    return pass ? { move: pass } : { why: "passing isn't allowed here" };
  }
  const readings = [[words, false], ...(words[0]?.toLowerCase() === "partial" ? [[words.slice(2), true]] : [])];
  const isPartial = (m) => m.raw.partial !== NOT_PARTIAL;
  const matches = readings.flatMap(([rest, isLeg]) => moves
    .filter((m) => mayBe(game, m.raw, text) && isWrittenSo(rest, parts(game, state, m.raw)))
    .map((move) => ({ move, endsTurn: isPartial(move) && !isLeg, isOther: isPartial(move) !== isLeg })));
  const fits = matches.some((one) => !one.isOther) ? matches.filter((one) => !one.isOther) : matches;
  return fits.find(({ move }) => move.text === text) ?? fits[0]
    ?? { why: game.info.missing || (moves.length ? `no legal move of \`${player}\` matches` : "the game is over") };
}
