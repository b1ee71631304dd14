"""Program → what every search of a game starts from: its nature, its measured worths, native memory and code."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.run.native.beam import BeamSearcher
from zrf_py.run.native.plan import Lines, Manner, Plan, Weights
from zrf_py.run.native.search import Searcher
from zrf_py.run.position import Position
from zrf_py.search.deadlines import deadlines
from zrf_py.search.lines import lines
from zrf_py.search.measure import last_moves
from zrf_py.search.nature import Nature, nature
from zrf_py.search.worth import STEP, crowded_races, weights

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
        races = crowded_races(program)
        is_pure = races is not None and not self.weights.takes
        wanted = Plan(
            self.lines, self.nature.null_move, counts_leaves=not self.nature.royals,
            last_matters=self.nature.asks_last,
            races=races, sums_tell=is_pure, beam=is_pure and self.nature.players > 2)
        self.searcher = BeamSearcher(program, wanted) if wanted.beam else Searcher(program, wanted)
        self.searcher.weigh(self.weights)
        self.deadlines = deadlines(program)
        if self.knows_no_square and self.nature.players == 2 and not self.nature.chance:
            self.searcher.learn(GAMES // 4, 1, BY_CHANCE, 4 * RATE)
            self.searcher.learn(GAMES, 2, BY_CHANCE, RATE)
        if self.nature.asks_last:
            self.searcher.last_moves_matter(last_moves(self.searcher, Random(1)))

    def weigh(self, position: Position) -> None:
        """Set the worths that depend on how far the game has gone."""
        if not self.deadlines:
            return
        board = [[list(row) for row in kinds] for kinds in self.weights.board]
        for deadline in self.deadlines:
            cost = round(STEP * deadline.cost(position))
            for kind in deadline.kinds:
                for square in deadline.squares:
                    board[deadline.player][kind][square] -= cost
        self.searcher.weigh(replace(self.weights, board=board))

    @property
    def knows_no_square(self) -> bool:
        """Whether the measured worths differ by type only: pieces that don't move, with no row or goal to fill."""
        rows = (row for kinds in self.weights.board for row in kinds)
        return not self.lines.players and all(min(row) == max(row) for row in rows)
