"""Iterative-deepening driver of alpha-beta, with aspiration windows and several principal variations."""

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
"""Half the width of the aspiration window."""
LARGEST_TABLE, SMALLEST_TABLE = 21, 12
"""Sizes of the transposition table, as powers of two."""
DEEPEST = 100


class AlphaBeta:
    """Alpha-beta search for one game; keeps nothing between searches."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.searcher: Searcher = base.searcher

    def analyse(self, request: Request) -> Analysis:
        """Return the best lines of a position in which the game goes on.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        return _Run(self, request, TimeManager(request.limits, request.stop)).run()


@dataclass
class _Run:
    """State of one search."""

    owner: AlphaBeta
    request: Request
    pace: TimeManager
    lines: list[Line] = field(default_factory=list)
    visited: int = 0
    proven: bool = False
    count: int = 1
    """Number of lines wanted, at most that of the moves."""

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
        positions = self.request.limits.nodes or (int((self.request.limits.time or 10) * 500_000))
        return max(SMALLEST_TABLE, min(LARGEST_TABLE, (2 * positions).bit_length()))

    def _is_enough(self, depth: int, moves: int) -> bool:
        """Return whether a greater depth can't change the result."""
        if moves == 1 and self.request.limits.depth is None:
            return True
        best = abs(self.lines[0].value)
        return WIN - best <= depth if best > SURE else self.proven

    def _depth(self, depth: int, guess: int) -> bool:
        """Search all wanted lines to a depth; return False if a limit ended it."""
        lines: list[Line] = []
        skipped: list[int] = []
        proven = True
        for number in range(self.count):
            self.owner.searcher.skip(skipped)
            near = guess if number == 0 and depth > 3 and abs(guess) < SURE else None
            result = self._window(depth, near)
            if result.line and (result.complete or (self.count == 1 and result.value > -INFINITE)):
                moves = moves_of(self.owner.searcher, self.request.position, result.line)
                lines.append(Line(result.value, moves, depth))
                skipped.append(result.line[0])
            if not result.complete:
                self._keep(lines)
                return False
            proven = proven and result.proven
        self._keep(lines)
        self.proven = proven or abs(self.lines[0].value) > SURE
        return True

    def _keep(self, lines: list[Line]) -> None:
        """Store the lines of a depth before those left from the previous depth, which are worth no more."""
        firsts = {line.moves[0] for line in lines}
        rest = [line for line in self.lines if line.moves[0] not in firsts and (line.depth or not lines)]
        if lines:
            self.lines = descending([*by_value(lines), *by_value(rest)][: self.count])

    def _window(self, depth: int, guess: int | None) -> Found:
        searcher = self.owner.searcher
        if guess is not None:
            low, high = guess - WINDOW, guess + WINDOW
            result = searcher.deepen(self.request.position, depth, low, high, self.pace.slice)
            self.visited = result.visited
            if not result.complete or low < result.value < high:
                return result if result.complete or result.value > low else _nothing(result)
        result = searcher.deepen(self.request.position, depth, -INFINITE, INFINITE, self.pace.slice)
        self.visited = result.visited
        return result

    def result(self) -> Analysis:
        return Analysis(tuple(self.lines), self.visited, self.pace.seconds, self.proven)


def moves_of(searcher: Searcher, position: Position, numbers: Sequence[int]) -> tuple[Move, ...]:
    """Return the moves of a line from their indices in generation order; reloads `position` at the end."""
    line, at = [], position
    for number in numbers:
        moves = searcher.engine.moves(at)
        if number >= len(moves):
            break
        line.append(moves[number])
        at = searcher.engine.after(at, moves[number])
    searcher.restart(position)
    return tuple(line)


def _nothing(result: Found) -> Found:
    """Return the result of a search aborted before it found a value above its window."""
    return Found(-INFINITE, (), result.visited, False, False)
