"""Game review: the loss of each move in expected score, and a better move for each mistake.

Every position is searched, by `advice.look` unless another search is given. A move's loss is the player's expected
score before it minus that after it; the best move of the search loses nothing. Moves are judged from the last to the
first: an evaluation after a move that contradicts the one before the move, by `CONTRADICTION` or more, replaces it, so
a best move that fails is compared with the second line. `serve/static/judging.js` does the same.
"""

from collections.abc import Callable
from dataclasses import dataclass

from zrf_py.play import chances
from zrf_py.play.advice import Advice, ended, look
from zrf_py.play.game import Position
from zrf_py.play.turn_text import played_turn

Search = Callable[[Position], Advice]

MARKS = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))
"""(least loss in expected score, annotation), largest first."""
CONTRADICTION = 0.25
"""Smaller differences between two searches are noise, which corrections would carry from move to move: in races, the
value of a tempo swings by 20 % from ply to ply."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A reviewed move or leg: its `text` in full notation, the `turn` so far in short notation, the player and the
    expected score `before` and `after` it (0 to 1), the annotation or "", and if annotated the better turn."""

    text: str
    turn: str
    player: str
    before: float
    after: float
    mark: str
    better: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Chances of the sides and of a draw in a position. `advice` is the search that they come from; None if they come
    from the result of the game, or were corrected by the evaluation after the next move."""

    shares: tuple[float, ...]
    advice: Advice | None


def review(position: Position, search: Search = look) -> list[Judged]:
    """Judge the moves that led to a position, in order, except those of chance; `search` evaluates each position."""
    line = [*position.line()][::-1]
    *earlier, after = [_evaluated(at, search) for at in line]
    judged = []
    for previous, at, before in zip(line[-2::-1], line[:0:-1], earlier[::-1], strict=True):
        players = at.game.program.game.players
        player = next(i for i, p in enumerate(players) if p.name == previous.player)
        if at.move is not None and players[player].kind == "player":
            verdict, before = judge(before, after, at, player)
            judged.append(verdict)
        after = before
    return judged[::-1]


def judge(before: Evaluation, after: Evaluation, at: Position, player: int) -> tuple[Judged, Evaluation]:
    """Judge the move of `player` that led to the position `at`, by the evaluations before and after it.

    The second result is the evaluation before the move, corrected if the one after it contradicts it.
    """
    assert at.move is not None
    program, text = at.game.program, at.move.text
    lines = before.advice.lines if before.advice else ()
    others = [line for line in lines if line.moves[0] != text]
    is_expected = bool(lines) and lines[0].moves[0] == text
    was, now = (chances.score(program, evaluation.shares, player) for evaluation in (before, after))
    fails = is_expected and was - now >= CONTRADICTION
    if (fails or now - was >= CONTRADICTION) and _overrules(before, after):
        part = max(0.0, min(1.0, (others[0].chance - now) / (was - now))) if fails and others else 0.0
        shares = zip(before.shares, after.shares, strict=True)
        before = Evaluation(tuple(part * a + (1 - part) * b for a, b in shares), None)
        was = chances.score(program, before.shares, player)
    elif is_expected:
        now = max(was, now)
    mark = next((mark for least, mark in MARKS if was - now >= least), "")
    better = others[0].turns[0] if mark and others else ""
    return Judged(text, played_turn(at), program.game.players[player].name, was, now, mark, better), before


def _overrules(before: Evaluation, after: Evaluation) -> bool:
    """Return whether the evaluation after a move outweighs the one before. It doesn't if the one before is certain, or
    if only one reply is legal and nothing is certain, because a forced move is searched only to depth 1."""
    earlier, later = before.advice, after.advice
    if earlier is not None and earlier.is_certain:
        return False
    return later is None or later.is_certain or len(later.lines) > 1


def _evaluated(position: Position, search: Search) -> Evaluation:
    if (shares := ended(position)) is not None:
        return Evaluation(shares, None)
    advice = search(position)
    return Evaluation(advice.shares, advice)
