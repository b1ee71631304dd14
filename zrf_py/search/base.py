"""Program → what every search of a game starts from: its nature, its measured worths, native memory and code."""

from __future__ import annotations

from random import Random

from zrf_py.ir.ops import Program
from zrf_py.run.native.plan import Lines, Manner, Plan, Weights
from zrf_py.run.native.search import Searcher
from zrf_py.search.lines import lines
from zrf_py.search.measure import last_moves
from zrf_py.search.nature import Nature, nature
from zrf_py.search.worth import crowded_races, weights

GAMES = 6000
"""Random games from which worths of squares are learned where the rules tell nothing of them."""
RATE = 700
"""How fast: in thousandths of a hundredth for a position whose result was a surprise."""
BY_CHANCE = Manner(estimates=True, longest=400, tries=4)


class Base:
    """Made once for a game; measuring takes a second or two, compiling as long, unless the code is kept on disk."""

    def __init__(self, program: Program) -> None:
        """:raises NoRoom: if the native engine can't take the game."""
        self.program = program
        self.nature: Nature = nature(program)
        self.lines: Lines = lines(program)
        self.weights: Weights = weights(program)
        self.searcher = Searcher(program, Plan(
            self.lines, self.nature.null_move, counts_leaves=not self.nature.royals,
            last_matters=self.nature.asks_last, races=crowded_races(program)))
        self.searcher.weigh(self.weights)
        if self.knows_no_square and self.nature.players == 2 and not self.nature.chance:
            self.searcher.learn(GAMES // 4, 1, BY_CHANCE, 4 * RATE)
            self.searcher.learn(GAMES, 2, BY_CHANCE, RATE)
        if self.nature.asks_last:
            self.searcher.last_moves_matter(last_moves(self.searcher, Random(1)))

    @property
    def knows_no_square(self) -> bool:
        """Whether the measured worths differ by type only: pieces that don't move, with no row or goal to fill."""
        rows = (row for kinds in self.weights.board for row in kinds)
        return not self.lines.players and all(min(row) == max(row) for row in rows)
