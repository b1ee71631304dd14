"""Game review: the loss of each move in expected score, and a better move for each mistake.

Every position is searched, by `advice.look` unless another search is given. A move's loss is the player's expected
score before it minus that after it; the best move of the search loses nothing. `serve/static/judging.js` does so, too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from zrf_py.play import chances
from zrf_py.play.advice import Advice, ended, look
from zrf_py.play.game import Position
from zrf_py.play.turn_text import played_turn

Search = Callable[[Position], Advice]

MARKS = ((0.15, "??"), (0.10, "?"), (0.05, "?!"))
"""(least loss in expected score, annotation), largest first."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A reviewed move or leg: its `text` as recorded, the turn so far as people write it (`said`), its player, that
    player's expected score `before` and `after` it (0 to 1), its annotation or "", and if annotated the better turn."""

    text: str
    said: str
    player: str
    before: float
    after: float
    mark: str
    better: str

    @property
    def fall(self) -> float:
        """Loss in expected score, at least 0."""
        return max(0.0, self.before - self.after)


@dataclass(frozen=True, slots=True)
class Seen:
    """Chances of the sides and of a draw: from a search; after the end of a game, from its result (`advice`: None)."""

    shares: tuple[float, ...]
    advice: Advice | None


def review(position: Position, search: Search = look) -> Iterator[Judged]:
    """Judge the moves that led to a position, in order, except those of chance; `search` evaluates each position."""
    line = [*position.line()][::-1]
    looks = (_evaluated(at, search) for at in line)
    before, current = next(looks), line[0]
    for at, after in zip(line[1:], looks, strict=True):
        player = next(i for i, p in enumerate(at.game.program.game.players) if p.name == current.player)
        if at.move is not None and at.game.program.game.players[player].kind == "player":
            yield judge(before, after, at, player)
        before, current = after, at


def judge(before: Seen, after: Seen, at: Position, player: int) -> Judged:
    """Judge the move of `player` that led to the position `at`, by the evaluations before and after it."""
    assert at.move is not None
    program = at.game.program
    best = before.advice.lines[0] if before.advice else None
    was, now = (chances.score(program, seen.shares, player) for seen in (before, after))
    if best is not None and best.moves[0] == at.move.text:
        now = max(was, now)
    mark = next((mark for least, mark in MARKS if was - now >= least), "")
    better = best.turns[0] if mark and best is not None else ""
    return Judged(at.move.text, played_turn(at), program.game.players[player].name, was, now, mark, better)


def _evaluated(position: Position, search: Search) -> Seen:
    if (shares := ended(position)) is not None:
        return Seen(shares, None)
    advice = search(position)
    return Seen(advice.shares, advice)
