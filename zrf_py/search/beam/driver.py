"""Beam search for races of many: lookahead along own turns, in ever wider passes until a limit is reached."""

from dataclasses import dataclass, field

from zrf_py.search import clock, memory, plan
from zrf_py.search.alphabeta.driver import moves_of
from zrf_py.search.base import Base
from zrf_py.search.beam.engine import BeamSearcher
from zrf_py.search.request import Request
from zrf_py.search.result import Analysis, Line, descending

DEEPEST = 9
"""Most own turns of lookahead; each takes about four times the positions of the one before."""
ANSWERED = 8
"""Least width of passes in which the others move between own turns; in narrower ones they pass."""
SHARE = 0.8
"""Share of the remaining budget that the next pass should take."""
ENDLESS = 1e18
TELLING = 0.01
"""Seconds left below which only the first turn of a line is reported, since decoding it takes time."""
NOISE_SHARE, MOST_NOISE = 4, 900
"""The noise used is its square divided by the first number, at most the second: whole turns differ by more than moves
do, so the noise of a middling player would not matter. It stays large for the weakest and small for the strongest."""
TABLE_BITS = 12, 20
"""Least and largest size of the table, as powers of two."""


Best = dict[tuple[int, ...], tuple[int, plan.Way]]
"""By the legs of a first turn: number of own turns searched, and the best path that begins with it."""


class BeamSearch:
    """Beam search for one game; keeps nothing between searches."""

    def __init__(self, base: Base) -> None:
        assert isinstance(base.searcher, BeamSearcher)
        self.base = base
        self.searcher = base.searcher

    def analyse(self, request: Request) -> Analysis:
        """Return the best lines of a position in which the game goes on.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        return _Run(self, request, clock.TimeManager(request.limits, request.stop)).run()


@dataclass
class _Run:
    """State of one search."""

    owner: BeamSearch
    request: Request
    pace: clock.TimeManager
    lines: list[Line] = field(default_factory=list)
    proven: bool = False
    first: int = 0
    """Positions visited by the first pass, over all first turns."""

    def run(self) -> Analysis:
        request, searcher = self.request, self.owner.searcher
        moves = searcher.engine.moves(request.position)
        self.lines = [Line(0, moves[:1], 0)]
        self.owner.base.weigh(request.position)
        searcher.prepare(request.position, request.past, self._table_bits())
        searcher.noise(min(MOST_NOISE, request.limits.noise**2 // NOISE_SHARE), request.seed)
        self.pace.start()
        width = 1
        while self._pass(width) and width < searcher.widest and (len(moves) > 1 or request.limits.depth):
            request.tell(self.result())
            width = self._next_width(width)
        searcher.restart(request.position)
        return self.result()

    @property
    def players(self) -> int:
        """Number of players."""
        return self.owner.base.traits.players

    def _table_bits(self) -> int:
        positions = self.request.limits.nodes or int((self.request.limits.time or 10) * 500_000)
        return max(TABLE_BITS[0], min(TABLE_BITS[1], (2 * positions).bit_length()))

    def _depth(self, width: int) -> int:
        """Return the lookahead of a pass in own turns."""
        return min(self.request.limits.depth or DEEPEST, width.bit_length() - (width > 3) if width > 1 else 1)

    def _next_width(self, before: int) -> int:
        """Return the next width: as large as the budget allows, at least twice the last one."""
        width, left = 2 * before, SHARE * self._left()
        while width < self.owner.searcher.widest and self._cost(width * 9 // 8 + 1) < left:
            width = width * 9 // 8 + 1
        return min(width, self.owner.searcher.widest)

    def _cost(self, width: int) -> float:
        """Estimate the positions that a pass visits."""
        each = self.players if width >= ANSWERED else 1
        return self.first * (1 + each * width * (self._depth(width) - 1))

    def _left(self) -> float:
        """Estimate the positions left within the limits."""
        visited, left = self.owner.searcher.visited, self.pace.left
        by_nodes = self.request.limits.nodes - visited if self.request.limits.nodes is not None else ENDLESS
        return min(by_nodes, left * self.pace.speed if left is not None else ENDLESS)

    def _pass(self, width: int) -> bool:
        """Run a pass that expands `width` positions per generation; return False if the search is to end."""
        searcher, depth = self.owner.searcher, self._depth(width)
        best: Best = {}
        searcher.widen(self.request.position, width)
        for made in range(1, depth + 1):
            done = searcher.grow(width >= ANSWERED and made < depth, self.request.limits.nodes, self.pace.slice)
            if won := searcher.way_to_win():
                line = self._line(won, width, made, memory.WIN - len(won.legs))
                self.lines = [line, *(other for other in self.lines if other.moves[0] != line.moves[0])]
                self.lines = descending(self.lines[: self.request.count])
                self.proven = made == 1
                return not self.proven
            paths = searcher.ways() if done or made == 1 else []
            if not done and not paths:
                break
            if not paths:
                return self._is_lost(best, width)
            best |= {way.legs[: way.first]: (made, way) for way in reversed(paths[: self.request.count])}
            if not done:
                break
            if width == 1:
                self.first = searcher.visited
            searcher.next_generation([way.slot for way in paths], width)
        if best and (done or made > self.lines[0].depth):
            self._keep(best, width)
        return done

    def _is_lost(self, best: Best, width: int) -> bool:
        """Handle a pass in which every path loses or draws: choose a draw, else the longest path; return True to go on
        searching."""
        if draw := self.owner.searcher.way_to_draw():
            self.lines = [self._line(draw, width, 1, 0)]
        elif best:
            self._keep(best, width)
        return True

    def _keep(self, best: Best, width: int) -> None:
        """Store the best lines of a pass, one per first turn, deepest first, since a path dropped on the way is worth
        no more."""
        ranked = sorted(best.values(), key=lambda at: (-at[0], -at[1].value))[: self.request.count]
        self.lines = descending([self._line(way, width, made, way.lead) for made, way in ranked])

    def _line(self, way: plan.Way, width: int, made: int, value: int) -> Line:
        """Return a path as a line; only its first turn if the others passed, which can't be played so, or if time is
        short."""
        left = self.pace.left
        is_whole = width >= ANSWERED and (left is None or left > TELLING)
        legs = way.legs if is_whole else way.legs[: way.first]
        return Line(value, moves_of(self.owner.searcher, self.request.position, legs), made)

    def result(self) -> Analysis:
        return Analysis(tuple(self.lines), self.owner.searcher.visited, self.pace.seconds, self.proven)
