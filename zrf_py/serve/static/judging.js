// Moves judged by what a look sees before and after them, as in play/review.py.
const MARKS = [[.15, "??"], [.1, "?"], [.05, "?!"]]; // of what its player can hope for, a move loses so much at least
const [TEXT, GOES_ON] = [0, 3];

/** What a move cost its player: `before` and `after` are looks, with `chances` and `lines`. */
export function judge(before, after, player, text) {
  const [was, now] = [before, after].map(({ chances }) => score(chances, player));
  const [best] = before.lines ?? [];
  const isBest = best && best.moves[0]?.[TEXT] === text;
  const fall = isBest ? 0 : Math.max(0, was - now);
  const mark = MARKS.find(([least]) => fall >= least)?.[1] ?? "";
  return { before: was, after: isBest ? Math.max(was, now) : now, mark, better: mark && best ? best.turns[0] : "" };
}

/** Of one game, what a player can hope for, from 0 to 1: a draw is shared by all sides. */
function score(chances, player) {
  const sides = chances.filter(({ players }) => players.length);
  const drawn = chances.find(({ players }) => !players.length)?.share ?? 0;
  return sides.find(({ players }) => players.includes(player)).share + drawn / sides.length;
}

/** The moves of a line up to the end of its first turn. */
export function firstTurn(moves) {
  const end = moves.findIndex((move) => !move[GOES_ON]);
  return moves.slice(0, end < 0 ? moves.length : end + 1);
}
