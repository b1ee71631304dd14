// Judge moves by the evaluations before and after them, as in play/review.py.
const MARKS = [[.15, "??"], [.1, "?"], [.05, "?!"]]; // least loss in expected score for each mark
const [TEXT, GOES_ON] = [0, 3];

/** The loss of a move: `before` and `after` are evaluations with `chances` and `lines`. */
export function judge(before, after, player, text) {
  const [was, now] = [before, after].map(({ chances }) => score(chances, player));
  const [best] = before.lines ?? [];
  const isBest = best && best.moves[0]?.[TEXT] === text;
  const fall = isBest ? 0 : Math.max(0, was - now);
  const mark = MARKS.find(([least]) => fall >= least)?.[1] ?? "";
  return { before: was, after: isBest ? Math.max(was, now) : now, mark, better: mark && best ? best.turns[0] : "" };
}

/** The expected score of a player, from 0 to 1; all sides share a draw. */
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
