"""Requests to a search (position, history, limits) and results: lines of play with values, and their order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.run.position import Move, Position
from zrf_py.search.limits import A_SECOND, Limits
from zrf_py.search.memory import SPREAD, SURE, WIN


def hundredths(share: float) -> int:
    """Return the value in hundredths that is equivalent to winning this share (0 to 1) of games."""
    lead = min(0.999, max(-0.999, 2 * share - 1))
    return round(SPREAD * lead / (1 - abs(lead)))


@dataclass(frozen=True, slots=True)
class SearchLine:
    """Principal variation: legs in `moves`, and the value for the player of the first one; if that is chance, for the
    next ordinary player.

    `value` is in hundredths of a move's worth; beyond `SURE` the game is won, below `-SURE` lost. `depth` is the least
    number of turns searched (by a beam: own turns), or in a tree search the number of legs of the line; 0: none.
    """

    value: int
    moves: tuple[Move, ...]
    depth: int

    @property
    def ends_in(self) -> int | None:
        """Legs to the win (negative: to the loss); None if not proved."""
        if self.value > SURE:
            return WIN - self.value
        return -(WIN + self.value) if self.value < -SURE else None


@dataclass(frozen=True, slots=True)
class Expected:
    """Expectation where chance is to move: the next ordinary player, and the mean value for that player."""

    player: int
    value: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """Result of a search: best lines first; positions visited; seconds; whether the best value is proved.

    Where chance is to move, `expected` is set, and the lines are its equally likely outcomes.
    """

    lines: tuple[SearchLine, ...]
    nodes: int
    seconds: float
    proven: bool
    expected: Expected | None = None

    @property
    def value(self) -> int:
        """Value of the position for the player to move, or for the player of `expected`."""
        return self.expected.value if self.expected else self.best.value

    @property
    def best(self) -> SearchLine:
        return self.lines[0]

    def player_of(self, program: Program, position: Position) -> int:
        """Return the player to whom `value` applies: the one to move, or if that is chance, the next ordinary one."""
        return self.expected.player if self.expected else program.game.turns[position.turn].mover


Progress = Callable[[Analysis], None]
"""Callback for interim results."""
Stop = Callable[[], bool]
"""Callback that returns True to stop the search."""


def by_value(lines: Iterable[SearchLine]) -> list[SearchLine]:
    """Sort lines by value, best first."""
    return sorted(lines, key=lambda line: -line.value)


@dataclass(frozen=True)
class Request:
    """A request for the best `count` lines of a position in which the game goes on, within `limits`.

    `past` holds earlier positions that could be repeated, oldest first. `progress` receives interim results; when
    `stop` returns True, the search ends. Equal seeds give equal lines, unless time is limited.
    """

    position: Position
    past: Sequence[Position] = ()
    limits: Limits = A_SECOND
    count: int = 1
    seed: int = 0
    progress: Progress | None = None
    stop: Stop | None = None
