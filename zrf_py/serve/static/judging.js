// Judge moves by the evaluations before and after them, as in play/review.py.
const MARKS = [{ least: .15, sign: "??" }, { least: .1, sign: "?" }, { least: .05, sign: "?!" }]; // minimum loss in expected score for each mark
const CONTRADICTION = .25;
const [TEXT, GOES_ON] = [0, 3];

/** Judge a move by two evaluations; `known` is the one before it, corrected if the one after contradicts it. @param {Evaluation} before @param {Evaluation} after */
export function judge(before, after, player, text) {
  const { chances, lines = [] } = before;
  const others = lines.filter(({ moves }) => moves[0]?.[TEXT] !== text);
  const isExpected = lines[0]?.moves[0]?.[TEXT] === text;
  const [was, now] = [before, after].map((evaluation) => score(evaluation.chances, player));
  const fails = isExpected && was - now >= CONTRADICTION;
  const isWrong = (fails || now - was >= CONTRADICTION) && overrules(before, after);
  const part = fails && others.length ? Math.max(0, Math.min(1, (others[0].chance - now) / (was - now))) : 0;
  const known = isWrong ? { chances: chances.map((side, i) => ({ ...side, share: part * side.share + (1 - part) * after.chances[i].share })) } : before;
  const [from, to] = [score(known.chances, player), isExpected && !isWrong ? Math.max(was, now) : now];
  const mark = MARKS.find(({ least }) => from - to >= least)?.sign ?? "";
  return { before: from, after: to, mark, better: mark && others.length ? others[0].turns[0] : "", known };
}

const isCertain = ({ proven, lines }) => proven || (lines?.[0]?.ends ?? null) !== null;

/** Return whether the later evaluation is more reliable. It isn't if the earlier one is certain, or if the later one is uncertain and has only one move, which is searched to depth 1. */
const overrules = (before, after) => !isCertain(before) && (isCertain(after) || after.lines?.length !== 1);

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
