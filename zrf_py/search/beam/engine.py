"""The native engine with the beam search compiled in: what `kernel.py` does, asked from Python."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from zrf_py.native.kernel import memory as m
from zrf_py.run.position import Position
from zrf_py.search import memory as n
from zrf_py.search.plan import Way
from zrf_py.search.searcher import SEARCHING, Searcher

MANY = 1 << 60
WIDEST = 1024
"""Positions of a generation at most."""
LARGEST = 1 << 21
"""Squares in all slots; on large boards fewer positions are kept."""


BEAMS = replace(
    SEARCHING, modules=(*SEARCHING.modules, "zrf_py.search.beam.slots", "zrf_py.search.beam.kernel"),
    exports=(*SEARCHING.exports, ("beam_begin", 1), ("beam_next", 1), ("beam_go", 1)))


class BeamSearcher(Searcher):
    """Looks far ahead along one player's turns. Not for two threads at the same time."""

    also: ClassVar = BEAMS

    @property
    def widest(self) -> int:
        """How many positions a generation can keep."""
        return max(8, min(WIDEST, LARGEST // len(self.program.game.board.places) // 2))

    def widen(self, position: Position, width: int) -> None:
        """Begin at a position, of which `prepare` was told, with so many positions in the first generation."""
        room = self.widest
        slots = 2 * room + 2
        self.machine.allot((n.beam,), slots * n.BeamSlot.size)
        self.machine.allot((n.beam_heap, n.beam_list), slots)
        squares = len(self.program.game.board.places)
        assert self.machine.layout is not None
        params = self.machine.layout.params
        sizes = squares, squares, params.stores, params.keeps, n.KEPT_LEGS
        for where, each in zip(n.BEAM_ROWS, sizes, strict=True):
            self.machine.allot((where,), slots * each)
        self.search.beam_room, self.search.beam_end = room, 2 * room
        self.restart(position)
        self.machine.call["beam_begin"](min(width, room))

    def next_generation(self, slots: Sequence[int], width: int) -> None:
        """Go on from these slots of the last generation."""
        self.machine.arrays["beam_list"][: len(slots)] = slots
        self.search.beam_count = len(slots)
        self.machine.call["beam_next"](min(width, self.widest))

    def grow(self, answered: bool, limit: int | None, slices: Callable[[int], int]) -> bool:
        """Complete the generation, or find a win: whether that was done.

        If it is to be answered, the others move, too, until it is the player's turn again. `slices` is asked, with the
        positions visited so far, how many more may be visited; 0 ends it. Never more than `limit` are.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        self.search.beam_limit, self.search.beam_answered = limit or MANY, answered
        done = False
        while not done and not self.machine.state.error:
            budget = slices(self.visited)
            if budget <= 0:
                break
            done = bool(self.machine.call["beam_go"](budget))
        if self.machine.state.error == m.ENDLESS:
            self.engine.border.check()
        return done and not self.machine.state.error

    @property
    def visited(self) -> int:
        """Positions visited since `prepare`."""
        return int(self.search.visited)

    def ways(self) -> list[Way]:
        """The positions of the generation in which the game goes on, best first."""
        found = map(self._way, self.machine.arrays["beam_heap"][: self.search.beam_next])
        return sorted((way for way in found if way.value > -n.INFINITE), key=lambda way: -way.value)

    def _way(self, slot: int) -> Way:
        kept = n.BeamSlot.over(self.machine.arrays["beam"], slot * n.BeamSlot.size)
        at = slot * n.KEPT_LEGS
        legs = tuple(self.machine.arrays["beam_way"][at : at + kept.legs])
        return Way(slot, kept.value, kept.lead - kept.debt, legs, kept.first)

    def way_to_win(self) -> Way | None:
        """The first way found that wins."""
        return self._way(int(self.search.beam_end)) if self.search.beam_won else None

    def way_to_draw(self) -> Way | None:
        """The first way found that ends the game with nobody's win."""
        return self._way(int(self.search.beam_end) + 1) if self.search.beam_draw else None
