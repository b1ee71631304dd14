"""Two players who see everything: alpha-beta, one depth after the other, until a limit is reached."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from zrf_py.run.position import Move, Position
from zrf_py.search.base import Base
from zrf_py.search.clock import TimeManager
from zrf_py.search.memory import INFINITE, SURE, WIN
from zrf_py.search.plan import Found
from zrf_py.search.request import Request
from zrf_py.search.result import Analysis, Line, by_value, descending
from zrf_py.search.searcher import Searcher

WINDOW = 60
"""Half the width of the window of values in which a depth is searched first."""
LARGEST_TABLE, SMALLEST_TABLE = 21, 12
"""Bits of the number of entries."""
DEEPEST = 100


class AlphaBeta:
    """Search for one game of two players; what it found is not kept."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.searcher: Searcher = base.searcher

    def analyse(self, request: Request) -> Analysis:
        """The best lines of a position that is not the end of the game.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        return _Run(self, request, TimeManager(request.limits, request.stop)).run()


@dataclass
class _Run:
    """One analysis."""

    owner: AlphaBeta
    request: Request
    pace: TimeManager
    lines: list[Line] = field(default_factory=list)
    visited: int = 0
    proven: bool = False
    count: int = 1
    """How many lines are looked for: no more than there are moves."""

    def run(self) -> Analysis:
        request, searcher = self.request, self.owner.searcher
        moves = searcher.engine.moves(request.position)
        self.owner.base.weigh(request.position)
        searcher.prepare(request.position, request.past, self._table_bits())
        searcher.noise(request.limits.noise, request.seed)
        self.count = min(request.count, len(moves))
        self.lines = [Line(0, (moves[0],), 0)]
        self.pace.start()
        value = 0
        for depth in range(1, (request.limits.depth or DEEPEST) + 1):
            if not self._depth(depth, value):
                break
            value = self.lines[0].value
            if self._is_enough(depth, len(moves)):
                break
            request.tell(self.result())
        return self.result()

    def _table_bits(self) -> int:
        wanted = self.request.limits.nodes or (int((self.request.limits.time or 10) * 500_000))
        return max(SMALLEST_TABLE, min(LARGEST_TABLE, (2 * wanted).bit_length()))

    def _is_enough(self, depth: int, moves: int) -> bool:
        """Whether a greater depth can't change what was found."""
        if moves == 1 and self.request.limits.depth is None:
            return True
        best = abs(self.lines[0].value)
        return WIN - best <= depth if best > SURE else self.proven

    def _depth(self, depth: int, guess: int) -> bool:
        """Search all wanted lines to a depth; False if a limit ended it."""
        found: list[Line] = []
        skipped: list[int] = []
        proven = True
        for number in range(self.count):
            self.owner.searcher.skip(skipped)
            near = guess if number == 0 and depth > 3 and abs(guess) < SURE else None
            result = self._window(depth, near)
            if result.line and (result.complete or (self.count == 1 and result.value > -INFINITE)):
                moves = moves_of(self.owner.searcher, self.request.position, result.line)
                found.append(Line(result.value, moves, depth))
                skipped.append(result.line[0])
            if not result.complete:
                self._keep(found)
                return False
            proven = proven and result.proven
        self._keep(found)
        self.proven = proven or abs(self.lines[0].value) > SURE
        return True

    def _keep(self, found: list[Line]) -> None:
        """What a depth found comes before what is left from the depth before, which is worth no more: the depth would
        have found it first."""
        firsts = {line.moves[0] for line in found}
        rest = [line for line in self.lines if line.moves[0] not in firsts and (line.depth or not found)]
        if found:
            self.lines = descending([*by_value(found), *by_value(rest)][: self.count])

    def _window(self, depth: int, guess: int | None) -> Found:
        searcher = self.owner.searcher
        if guess is not None:
            low, high = guess - WINDOW, guess + WINDOW
            found = searcher.deepen(self.request.position, depth, low, high, self.pace.slice)
            self.visited = found.visited
            if not found.complete or low < found.value < high:
                return found if found.complete or found.value > low else _nothing(found)
        found = searcher.deepen(self.request.position, depth, -INFINITE, INFINITE, self.pace.slice)
        self.visited = found.visited
        return found

    def result(self) -> Analysis:
        return Analysis(tuple(self.lines), self.visited, self.pace.seconds, self.proven)


def moves_of(searcher: Searcher, position: Position, numbers: Sequence[int]) -> tuple[Move, ...]:
    """The moves of a line from their numbers in the order of generation; then the position is in memory again."""
    found, at = [], position
    for number in numbers:
        moves = searcher.engine.moves(at)
        if number >= len(moves):
            break
        found.append(moves[number])
        at = searcher.engine.after(at, moves[number])
    searcher.restart(position)
    return tuple(found)


def _nothing(found: Found) -> Found:
    """A search that was broken off before it found anything above its window."""
    return Found(-INFINITE, (), found.visited, False, False)
