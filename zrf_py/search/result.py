"""What a search finds: lines of play with values, and their order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from zrf_py.ir.ops import Program
from zrf_py.run.position import Move, Position
from zrf_py.search.memory import SURE, WIN

SPREAD = 300
"""The value with which three games of four are won, about. A third of it won on one board of a dice game (25 to 10) and
lost on another (10 to 19)."""


def hundredths(share: float) -> int:
    """The value that stands for a share of games won, 0 to 1."""
    lead = min(0.999, max(-0.999, 2 * share - 1))
    return round(SPREAD * lead / (1 - abs(lead)))


@dataclass(frozen=True, slots=True)
class Line:
    """Moves (or legs) that follow each other, and what they are worth to the player who makes the first; where that is
    chance, to the one who moves next for real.

    `value` is in hundredths of a typical unit; beyond `SURE` the game is won, or lost below `-SURE`. `depth` is how
    many turns were looked ahead at least (in a race of many: of one's own); 0 where nothing was looked at.
    """

    value: int
    moves: tuple[Move, ...]
    depth: int

    @property
    def ends_in(self) -> int | None:
        """In how many moves or legs the game is won (or lost, where negative); None if that isn't known."""
        if self.value > SURE:
            return WIN - self.value
        return -(WIN + self.value) if self.value < -SURE else None


@dataclass(frozen=True, slots=True)
class Expected:
    """Where chance is to move: who moves next for real, and what the position is worth to that player on average."""

    player: int
    value: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """The best lines, best first; positions visited; seconds taken; whether the best value is certain.

    Where chance is to move, `expected` is there, and the lines are its outcomes, each as likely as any other.
    """

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    proven: bool
    expected: Expected | None = None

    @property
    def value(self) -> int:
        """What the position is worth to who is to move, or to the player of `expected`."""
        return self.expected.value if self.expected else self.best.value

    @property
    def best(self) -> Line:
        return self.lines[0]

    def player_of(self, program: Program, position: Position) -> int:
        """Whose worth `value` is: of who is to move, or where that is chance, of who moves next for real."""
        return self.expected.player if self.expected else program.game.turns[position.turn].mover


Progress = Callable[[Analysis], None]
"""Told what is known so far."""
Stop = Callable[[], bool]
"""Asked whether to end with that."""


def by_value(lines: Iterable[Line]) -> list[Line]:
    """Lines of equal standing, best first."""
    return sorted(lines, key=lambda line: -line.value)


def descending(lines: Sequence[Line]) -> list[Line]:
    """Lines in their order, none worth more than the one before it."""
    worths = accumulate((line.value for line in lines), min)
    return [replace(line, value=worth) for line, worth in zip(lines, worths, strict=True)]
