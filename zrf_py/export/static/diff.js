// The difference a move makes on the board, found by applying it: the same as run/diff.py.
import { COPY, DROP, KEEP, MOVE, NOBODY, keyOf } from "./engine.js";

export const NEW = -1; // origin of a piece that was not on the board

/** The difference that a move makes to the position `state`: {start, end, piece, becomes, taken, men, moved, placed,
 * isDrop}, numbers with -1 for none; `men` and `placed` are rows [square, square before or NEW, player, type],
 * `moved` [from, to]. */
export function moveDiff(game, state, move) {
  const cells = new Map(); // squares written so far, packed as in `state.cell`
  const origins = new Map();
  const gone = [];
  const at = (square) => cells.get(square) ?? state.cell[square];
  const remove = (square) => {
    if (!at(square)) return;
    gone.push(origins.get(square) ?? square);
    cells.set(square, 0);
  };
  const put = (square, cell, origin = NEW) => {
    remove(square);
    origins.set(square, origin);
    cells.set(square, cell);
  };
  const change = (square, cell) => {
    if (!origins.has(square)) origins.set(square, square);
    cells.set(square, cell);
  };

  const starts = new Set();
  const lifted = move.movements.map(([action, start, end, kind]) => {
    if (action === DROP) return [end, packed(move.side, kind), NEW];
    const cell = at(start);
    const origin = action === COPY || starts.has(start) ? NEW : start;
    if (action === MOVE) starts.add(start);
    return [end, cell && kind !== KEEP ? packed(playerOf(cell), kind) : cell, origin];
  });
  for (const start of starts) cells.set(start, 0);
  for (const [end, cell, origin] of lifted) if (cell) put(end, cell, origin);
  for (const [name, square, a, b] of move.effects) {
    const cell = at(square);
    if (name === "create") put(square, packed(b, a));
    else if (!cell) continue;
    else if (name === "flip") change(square, packed((playerOf(cell) + game.players.length - 1) % game.players.length, typeOf(cell)));
    else if (name === "change-owner") change(square, packed(a, typeOf(cell)));
    else if (name === "change-type") change(square, packed(playerOf(cell), a));
  }
  for (const square of move.captures) remove(square);

  const men = [...origins].filter(([square]) => at(square)).map(([square, origin]) => [square, origin, playerOf(at(square)), typeOf(at(square))]);
  const taken = gone.filter((origin) => origin !== NEW);
  let [start, end] = keyOf(move);
  if (start === -1 && end === -1 && !move.isPass) end = [...origins.keys(), ...taken][0] ?? -1;
  const isDrop = move.movements[0]?.[0] === DROP;
  const piece = isDrop ? move.movements[0][3] : start >= 0 ? typeOf(state.cell[start]) : -1;
  const becomes = origins.has(end) ? typeOf(at(end)) : -1;
  const moved = men.filter(([square, origin]) => origin !== NEW && origin !== square).map(([square, origin]) => [origin, square]);
  return { start, end, piece, becomes: becomes === piece ? -1 : becomes, taken, men, moved, placed: men.filter((man) => man[1] === NEW), isDrop };
}

const packed = (player, kind) => (player + 1) | ((kind + 1) << 8);
const playerOf = (cell) => (cell & 255) - 1;
const typeOf = (cell) => (cell ? (cell >> 8) - 1 : NOBODY);
