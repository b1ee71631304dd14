"""Native engine with the beam search compiled in: Python interface to `kernel.py`."""

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
"""Most positions of a generation."""
LARGEST = 1 << 21
"""Most squares in all slots together: on large boards the beam is narrower."""


BEAMS = replace(
    SEARCHING, modules=(*SEARCHING.modules, "zrf_py.search.beam.slots", "zrf_py.search.beam.kernel"),
    exports=(*SEARCHING.exports, ("beam_begin", 1), ("beam_next", 1), ("beam_go", 1)))


class BeamSearcher(Searcher):
    """Native beam search for one game. Not thread-safe."""

    also: ClassVar = BEAMS

    @property
    def widest(self) -> int:
        """Largest possible beam width."""
        return max(8, min(WIDEST, LARGEST // len(self.program.game.board.places) // 2))

    def widen(self, position: Position, width: int) -> None:
        """Start at a position, after `prepare`, with `width` positions in the first generation."""
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
        """Start the next generation from these slots of the last one."""
        self.machine.arrays["beam_list"][: len(slots)] = slots
        self.search.beam_count = len(slots)
        self.machine.call["beam_next"](min(width, self.widest))

    def grow(self, answered: bool, limit: int | None, slices: Callable[[int], int]) -> bool:
        """Complete the generation, or find a win; return True once either is done.

        If `answered`, the others then move until it is the player's turn again. `slices` maps the positions visited so
        far to the number that may follow; 0 ends it. At most `limit` positions are visited.

        :raises RulesFault: if a block of the rules does not terminate.
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
        """Return the generation's positions in which the game goes on, best first."""
        positions = map(self._way, self.machine.arrays["beam_heap"][: self.search.beam_next])
        return sorted((way for way in positions if way.value > -n.INFINITE), key=lambda way: -way.value)

    def _way(self, slot: int) -> Way:
        entry = n.BeamSlot.over(self.machine.arrays["beam"], slot * n.BeamSlot.size)
        at = slot * n.KEPT_LEGS
        legs = tuple(self.machine.arrays["beam_way"][at : at + entry.legs])
        return Way(slot, entry.value, entry.lead - entry.debt, legs, entry.first)

    def way_to_win(self) -> Way | None:
        """Return the first winning path, if any."""
        return self._way(int(self.search.beam_end)) if self.search.beam_won else None

    def way_to_draw(self) -> Way | None:
        """Return the first path to a draw, if any."""
        return self._way(int(self.search.beam_end) + 1) if self.search.beam_draw else None
