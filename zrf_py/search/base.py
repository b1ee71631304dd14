"""Per-game data shared by all searches: traits, measured evaluation weights, native memory and code."""

from dataclasses import replace
from functools import cached_property
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.native.machine import Machine
from zrf_py.run.position import Position
from zrf_py.search.evaluation.deadlines import deadlines
from zrf_py.search.evaluation.lines import lines
from zrf_py.search.evaluation.mobility import Trials
from zrf_py.search.evaluation.weights import STEP, crowded_races, race_steps, weights
from zrf_py.search.plan import Lines, Patterns, Plan, Weights
from zrf_py.search.preparation import NativeTrials, Prepared, kept, last_moves, learn
from zrf_py.search.searcher import MakeMachine, Searcher
from zrf_py.search.traits import GameTraits, game_traits
from zrf_py.text.packing import without_collector


class Base:
    """Search data of one game, created once; measurements and compiled code are cached on disk."""

    def __init__(self, program: Program, patterns: Patterns | None = None, machine: MakeMachine | None = None) -> None:
        """:param patterns: learned patterns, to be added to the sums.
        :param machine: factory for memory without machine code; the interpreter then measures, and nothing is learned.
        :raises NoRoom: if the native engine can't take the game."""
        self.program = program
        self.traits: GameTraits = game_traits(program)
        self.lines: Lines = lines(program)
        self.deadlines = deadlines(program)
        self.patterns = patterns
        self._machine = machine or Machine
        with without_collector():
            prepared = self._measure(Trials(program), False) if machine else kept(
                program, lambda: self._measure(NativeTrials(program), True))
        self._steps = prepared.steps
        self.weights: Weights = prepared.weights
        """Weights measured from the rules alone; `learned` refines those of squares."""
        self.learned = prepared.learned
        if patterns is not None:
            self.weights = replace(self.weights, terms={**self.weights.terms, "per_move": patterns.per_move})
            self.searcher.use_patterns(patterns)
        self._weigh(self.searcher)
        if prepared.last is not None:
            self.searcher.last_moves_matter(prepared.last)

    @cached_property
    def searcher(self) -> Searcher:
        """Native memory and code of the search."""
        races = crowded_races(self.program, self._steps) if self._steps else None
        is_pure = races is not None and not self.weights.takes
        plan = Plan(
            self.lines, self.traits.null_move, counts_leaves=not self.traits.royals,
            last_matters=self.traits.asks_last,
            races=races, sums_suffice=is_pure, beam=is_pure and self.traits.players > 2, patterns=self.patterns)
        return Searcher(self.program, plan, self._machine)

    def _measure(self, trials: Trials, plays: bool) -> Prepared:
        """Measure the weights, and other data of the game that the rules don't state. Without `plays`, no games are
        played for this: nothing is learned, and all last moves count as relevant."""
        self.weights, self.learned = weights(self.program, trials), None
        self._steps = race_steps(self.program, trials)
        prepared = Prepared(self.weights, steps=self._steps)
        if plays:
            self._weigh(self.searcher)
            if self.knows_no_square and self.traits.players == 2 and not self.traits.chance:
                prepared.learned = learn(self.searcher)
        if self.traits.asks_last:
            every_move = [1] * 64 * (len(self.program.game.pieces) + 1)
            prepared.last = last_moves(self.searcher.engine, Random(1)) if plays else every_move
        return prepared

    def _weigh(self, searcher: Searcher) -> None:
        searcher.weigh(replace(self.weights, board=self.learned) if self.learned else self.weights)

    def weigh(self, position: Position) -> None:
        """Set the weights that depend on deadlines, for a search from `position`."""
        if not self.deadlines:
            return
        board = [[list(row) for row in kinds] for kinds in self.learned or self.weights.board]
        for deadline in self.deadlines:
            cost = round(STEP * deadline.cost(position))
            for kind in deadline.kinds:
                for square in deadline.squares:
                    board[deadline.player][kind][square] -= cost
        self.searcher.weigh(replace(self.weights, board=board))

    @property
    def knows_no_square(self) -> bool:
        """True if weights differ by type only: pieces don't move, there is no line or goal to fill, and points don't
        decide. (If they do, learned weights of squares won no more games: gefangen-2 211 to 218, tippy 15 to 15.)"""
        rows = (row for kinds in self.weights.board for row in kinds)
        is_told = self.lines.players or self.weights.terms["per_point"]
        return not is_told and all(min(row) == max(row) for row in rows)
