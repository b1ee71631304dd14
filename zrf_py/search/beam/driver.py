"""A race of many: one's own turns far ahead, the widest ways first, in ever wider passes until a limit is reached."""

from dataclasses import dataclass, field

from zrf_py.search import clock, memory, plan
from zrf_py.search.alphabeta.driver import moves_of
from zrf_py.search.base import Base
from zrf_py.search.beam.engine import BeamSearcher
from zrf_py.search.request import Request
from zrf_py.search.result import Analysis, Line, descending

DEEPEST = 9
"""Own turns that are looked ahead; with four times the positions one turn more."""
ANSWERED = 8
"""Passes as wide as that let the others move between one's own turns; in narrower ones they sit still."""
SHARE = 0.8
"""The part of what the limits still allow that the next pass should take."""
ENDLESS = 1e18
TELLING = 0.01
"""Seconds that it may take to find the moves of a long line."""
NOISE_SHARE, MOST_NOISE = 4, 900
"""The square of the noise divided by that is used instead: whole turns differ by more than single moves do, so that the
noise of a middling player would not be heard. That of the weakest is loud enough, that of the strongest stays faint."""
TABLE_BITS = 12, 20
"""Of the number of entries, the fewest and the most."""


Best = dict[tuple[int, ...], tuple[int, plan.Way]]
"""By the legs of a first turn: the best way that begins with it, and how many own turns that was followed."""


class BeamSearch:
    """Search for one game in which more than two race; what it found is not kept."""

    def __init__(self, base: Base) -> None:
        assert isinstance(base.searcher, BeamSearcher)
        self.base = base
        self.searcher = base.searcher

    def analyse(self, request: Request) -> Analysis:
        """The best lines of a position that is not the end of the game.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        return _Run(self, request, clock.TimeManager(request.limits, request.stop)).run()


@dataclass
class _Run:
    """One analysis."""

    owner: BeamSearch
    request: Request
    pace: clock.TimeManager
    lines: list[Line] = field(default_factory=list)
    proven: bool = False
    first: int = 0
    """Positions visited by a look at all first turns."""

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
        """How many play."""
        return self.owner.base.traits.players

    def _table_bits(self) -> int:
        wanted = self.request.limits.nodes or int((self.request.limits.time or 10) * 500_000)
        return max(TABLE_BITS[0], min(TABLE_BITS[1], (2 * wanted).bit_length()))

    def _depth(self, width: int) -> int:
        """How many own turns a pass of a width looks ahead."""
        return min(self.request.limits.depth or DEEPEST, width.bit_length() - (width > 3) if width > 1 else 1)

    def _next_width(self, before: int) -> int:
        """The width of the next pass: as wide as what is left allows, but twice the last one at least."""
        width, left = 2 * before, SHARE * self._left()
        while width < self.owner.searcher.widest and self._cost(width * 9 // 8 + 1) < left:
            width = width * 9 // 8 + 1
        return min(width, self.owner.searcher.widest)

    def _cost(self, width: int) -> float:
        """How many positions a pass visits, about."""
        each = self.players if width >= ANSWERED else 1
        return self.first * (1 + each * width * (self._depth(width) - 1))

    def _left(self) -> float:
        """How many positions the limits still allow, about."""
        visited, left = self.owner.searcher.visited, self.pace.left
        by_nodes = self.request.limits.nodes - visited if self.request.limits.nodes is not None else ENDLESS
        return min(by_nodes, left * self.pace.speed if left is not None else ENDLESS)

    def _pass(self, width: int) -> bool:
        """Look ahead some own turns, going on from so many positions each time; False if nothing more is to be done."""
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
            ways = searcher.ways() if done or made == 1 else []
            if not done and not ways:
                break
            if not ways:
                return self._is_lost(best, width)
            best |= {way.legs[: way.first]: (made, way) for way in reversed(ways[: self.request.count])}
            if not done:
                break
            if width == 1:
                self.first = searcher.visited
            searcher.next_generation([way.slot for way in ways], width)
        if best and (done or made > self.lines[0].depth):
            self._keep(best, width)
        return done

    def _is_lost(self, best: Best, width: int) -> bool:
        """In all that was looked at somebody else wins, or nobody: a draw is taken, else what lasts longest. Whether
        there may be more to find."""
        if draw := self.owner.searcher.way_to_draw():
            self.lines = [self._line(draw, width, 1, 0)]
        elif best:
            self._keep(best, width)
        return True

    def _keep(self, best: Best, width: int) -> None:
        """The best lines of a pass, one for each first turn, those that were followed farthest first: what was dropped
        on the way is worth no more."""
        found = sorted(best.values(), key=lambda at: (-at[0], -at[1].value))[: self.request.count]
        self.lines = descending([self._line(way, width, made, way.lead) for made, way in found])

    def _line(self, way: plan.Way, width: int, made: int, value: int) -> Line:
        """The moves of a way; where the others sit still, none but the first turn could be played so, and where time is
        short, no more is worth telling."""
        left = self.pace.left
        is_whole = width >= ANSWERED and (left is None or left > TELLING)
        legs = way.legs if is_whole else way.legs[: way.first]
        return Line(value, moves_of(self.owner.searcher, self.request.position, legs), made)

    def result(self) -> Analysis:
        return Analysis(tuple(self.lines), self.owner.searcher.visited, self.pace.seconds, self.proven)
