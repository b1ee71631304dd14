// The reason for the end of a game, as a code with a number, a name and the pieces involved: the same as play/reasons.py.
import { NOBODY, kindAt, ownerAt } from "./engine.js";

const [AND, OR, NOT, ABSOLUTE, RELATIVE, COUNT, TAKEN, COMPARE] = [0, 1, 2, 3, 4, 5, 6, 8]; // kinds of goals, as in native/kernel/goals.py
const [OWN, OPPONENT, DIRECTION] = [0, 1, 3];

/** The reason as {code, number, name, places}; a code that pages don't know is a word from the rules. */
export function reasonOf(engine, state, outcome) {
  const { game } = engine;
  const plain = (code, more = {}) => ({ code, number: 0, name: "", places: [], ...more });
  if (["stalemated", "repetition", "last-left"].includes(outcome.reason)) return plain(outcome.reason);
  if (outcome.reason === "checkmated") return plain("checkmated", { places: royalPlaces(game, state, outcome.losers) });
  for (const end of game.ends) {
    const players = end.players ?? [state.mover];
    const chosen = { win: outcome.winners, loss: outcome.losers }[end.result] ?? players;
    if (end.asksState) continue;
    for (const player of players) {
      if (!chosen.includes(player) || !engine.holds(state, end.goal, player)) continue;
      for (const part of partsOf(engine, state, end.goal, player)) {
        const reason = explained(engine, state, part, player);
        if (reason) return plain(reason.code, reason);
      }
    }
  }
  return plain(outcome.reason);
}

export function royalPlaces(game, state, players) {
  return [...state.cell.keys()].filter((s) => players.includes(ownerAt(state, s)) && game.royals[ownerAt(state, s)].includes(kindAt(state, s)));
}

function* partsOf(engine, state, tree, player) {
  const { goal } = engine.game;
  if (goal[tree] > NOT) yield tree;
  else if (goal[tree] === AND || goal[tree] === OR) {
    for (const part of goal.slice(tree + 2, tree + 2 + goal[tree + 1])) {
      if (engine.holds(state, part, player)) yield* partsOf(engine, state, part, player);
    }
  }
}

function explained(engine, state, tree, player) {
  const { goal, types, shown, compares } = engine.game;
  const kind = goal[tree];
  if (kind === RELATIVE) return pattern(engine.game, state, tree, player);
  if (kind === ABSOLUTE) return { code: "reached", places: occupied(engine.game, state, tree, player) };
  if (kind === TAKEN) {
    const kinds = goal.slice(tree + 3, tree + 3 + goal[tree + 2]);
    const cell = state.taken.find((c) => (c & 255) - 1 === player && kinds.includes((c >> 8) - 1));
    return cell ? { code: "taken", name: types[(cell >> 8) - 1] } : null;
  }
  if (kind === COUNT && !goal[tree + 1]) return { code: "left", number: goal[tree + 2] };
  if (kind === COUNT) return goal[tree + 2] === shown ? { code: "full" } : { code: "on-board", number: goal[tree + 2] };
  if (kind !== COMPARE) return null;
  const about = compares[tree];
  if (!about.code) return null;
  const number = engine.number(state, about.number, player);
  if (!about.zone) return { code: about.code, number, name: about.name };
  const places = about.zone[player].filter((s) => ownerAt(state, s) === player);
  const isAll = places.length > 1 && places.length === state.cell.reduce((count, _, s) => count + (ownerAt(state, s) === player), 0);
  return number ? { code: isAll ? "all-in-zone" : "in-zone", number, places } : { code: "reached" };
}

function isThere(game, state, square, item, player) {
  const held = state.cell[square];
  let matches = held !== 0 && (held >> 8) - 1 === game.goal[item + 1];
  if (game.goal[item] === OWN) matches &&= (held & 255) - 1 === player;
  else if (game.goal[item] === OPPONENT) matches &&= (held & 255) - 1 !== player;
  return matches !== Boolean(game.goal[item + 2]);
}

function pattern(game, state, tree, player) {
  const { goal } = game;
  const items = Array.from({ length: goal[tree + 1] }, (_, i) => tree + 4 + 3 * i);
  const men = items.filter((item) => goal[item] !== DIRECTION);
  const directions = new Set(items.filter((item) => goal[item] === DIRECTION).map((item) => goal[item + 1]));
  for (let start = 0; start < state.cell.length; start += 1) {
    const squares = [];
    let square = start;
    const fits = items.every((item) => {
      if (goal[item] === DIRECTION) square = game.steps[goal[item + 1]][player][square];
      else if (square < 0 || !isThere(game, state, square, item, player)) return false;
      else squares.push(square);
      return square >= 0;
    });
    if (!fits) continue;
    const places = squares.filter((s) => ownerAt(state, s) !== NOBODY);
    const alike = new Set(men.map((item) => goal.slice(item, item + 3).join())).size === 1;
    return directions.size === 1 && alike && places.length === men.length ? { code: "row", number: men.length, places } : { code: "pattern", places };
  }
  return { code: "pattern" };
}

function occupied(game, state, tree, player) {
  const { goal } = game;
  const [places, occupants] = [goal[tree + 1], goal[tree + 2]];
  const first = tree + 3 + 2 * places;
  const squares = [];
  for (let i = 0; i < places; i += 1) {
    const [isZone, number] = goal.slice(tree + 3 + 2 * i, tree + 5 + 2 * i);
    for (const square of isZone ? game.zones[number][player] : [number]) {
      const fits = Array.from({ length: occupants }, (_, k) => first + 3 * k).some((item) => isThere(game, state, square, item, player));
      if (ownerAt(state, square) !== NOBODY && fits) squares.push(square);
    }
  }
  return squares;
}
