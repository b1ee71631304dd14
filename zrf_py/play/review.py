"""A game that was played → each of its moves judged: what it cost who made it, and what would have been better.

A search looks at every position (`advice.look`). A move falls by what its player could hope for before it, less what he
can hope for after it; the best move that was found falls by nothing. `serve/static/judging.js` is the same for pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.play import chances
from zrf_py.play.advice import Advice, ended, look
from zrf_py.play.game import Position

MARKS = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))
"""What a move is marked with that falls by so much at least."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One move or leg: who made it, what he could hope for `before` and `after` it, from 0 to 1, its mark ("" for none)
    and the turn that is better, where it is marked."""

    text: str
    player: str
    before: float
    after: float
    mark: str
    better: str

    @property
    def fall(self) -> float:
        """What the move cost."""
        return max(0.0, self.before - self.after)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look says of a position, or where the game is over its result: shares of the sides and of the draw."""

    shares: tuple[float, ...]
    advice: Advice | None


def review(position: Position) -> Iterator[Judged]:
    """Every choice that players made on the way to a position, in order; moves of chance are none."""
    line = [*position.line()][::-1]
    looks = (_seen(at) for at in line)
    before, here = next(looks), line[0]
    for at, after in zip(line[1:], looks, strict=True):
        player = next(i for i, p in enumerate(at.game.program.game.players) if p.name == here.player)
        if at.move is not None and at.game.program.game.players[player].kind == "player":
            yield judge(before, after, at, player)
        before, here = after, at


def judge(before: Seen, after: Seen, at: Position, player: int) -> Judged:
    """What the move that led to a position is worth to its player, by what is seen before and after it."""
    assert at.move is not None
    program = at.game.program
    best = before.advice.lines[0] if before.advice else None
    was, now = (chances.score(program, seen.shares, player) for seen in (before, after))
    if best is not None and best.moves[0] == at.move.text:
        now = max(was, now)
    mark = next((mark for least, mark in MARKS if was - now >= least), "")
    better = best.turns[0] if mark and best is not None else ""
    return Judged(at.move.text, program.game.players[player].name, was, now, mark, better)


def _seen(position: Position) -> Seen:
    if (shares := ended(position)) is not None:
        return Seen(shares, None)
    advice = look(position)
    return Seen(advice.shares, advice)
