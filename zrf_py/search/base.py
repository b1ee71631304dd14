"""Program → what every search of a game starts from: its nature, its measured worths, native memory and code."""

from __future__ import annotations

from random import Random

from zrf_py.ir.ops import Program
from zrf_py.run.native.search import Lines, Plan, Searcher, Weights
from zrf_py.search.lines import lines
from zrf_py.search.measure import last_moves
from zrf_py.search.nature import Nature, nature
from zrf_py.search.worth import weights


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
            last_matters=self.nature.asks_last))
        self.searcher.weigh(self.weights)
        if self.nature.asks_last:
            self.searcher.last_moves_matter(last_moves(self.searcher, Random(1)))
