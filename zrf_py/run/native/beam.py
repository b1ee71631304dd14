"""The native engine with the search for the widest ways compiled in: what `kernel/beam.py` does, asked from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from zrf_py.run.native import machine
from zrf_py.run.native.kernel import memory as m
from zrf_py.run.native.kernel import notes as n
from zrf_py.run.native.plan import Way
from zrf_py.run.native.search import Searcher
from zrf_py.run.position import Position

MANY = 1 << 60
WIDEST = 1024
"""Positions of a generation at most."""
LARGEST = 1 << 21
"""Squares in all slots; on large boards fewer positions are kept."""


class BeamSearcher(Searcher):
    """Looks far ahead along one player's turns. Not for two threads at the same time."""

    also: ClassVar[tuple[str, ...]] = (*machine.SEARCHING, "beam")
    exports: ClassVar = {**Searcher.exports, "beam_begin": 1, "beam_next": 1, "beam_go": 1}

    @property
    def widest(self) -> int:
        """How many positions a generation can keep."""
        return max(8, min(WIDEST, LARGEST // len(self.program.game.board.places) // 2))

    def widen(self, position: Position, width: int) -> None:
        """Begin at a position, of which `prepare` was told, with so many positions in the first generation."""
        room = self.widest
        slots = 2 * room + 2
        self._allot(n.BEAM, slots)
        squares = len(self.program.game.board.places)
        assert self.layout is not None
        params = self.layout.tables["params"]
        for where, each in zip(n.BEAM_ROWS, (squares, squares, params[m.STORES], params[m.KEEPS], n.KEPT_LEGS),
                               strict=True):
            self._allot((where,), slots * each)
        self._search[n.BEAM_ROOM], self._search[n.BEAM_END] = room, 2 * room
        self.restart(position)
        self._call["beam_begin"](min(width, room))

    def next_generation(self, slots: Sequence[int], width: int) -> None:
        """Go on from these slots of the last generation."""
        self._arrays["beam_list"][: len(slots)] = slots
        self._search[n.BEAM_COUNT] = len(slots)
        self._call["beam_next"](min(width, self.widest))

    def grow(self, answered: bool, limit: int | None, slices: Callable[[int], int]) -> bool:
        """Complete the generation, or find a win: whether that was done.

        If it is to be answered, the others move, too, until it is the player's turn again. `slices` is asked, with the
        positions visited so far, how many more may be visited; 0 ends it. Never more than `limit` are.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        self._search[n.BEAM_LIMIT], self._search[n.BEAM_ANSWERED] = limit or MANY, answered
        done = False
        while not done and not self._state[m.ERROR]:
            budget = slices(self.visited)
            if budget <= 0:
                break
            done = bool(self._call["beam_go"](budget))
        if self._state[m.ERROR] == m.ENDLESS:
            self._check()
        return done and not self._state[m.ERROR]

    @property
    def visited(self) -> int:
        """Positions visited since `prepare`."""
        return int(self._search[n.VISITED])

    def ways(self) -> list[Way]:
        """The positions of the generation in which the game goes on, best first."""
        arrays = self._arrays
        slots = arrays["beam_heap"][: self._search[n.BEAM_NEXT]]
        found = [self._way(slot) for slot in slots if arrays["beam_value"][slot] > -n.INFINITE]
        return sorted(found, key=lambda way: -way.value)

    def _way(self, slot: int) -> Way:
        arrays = self._arrays
        at = slot * n.KEPT_LEGS
        legs = tuple(arrays["beam_way"][at : at + arrays["beam_legs"][slot]])
        lead = arrays["beam_lead"][slot] - arrays["beam_debt"][slot]
        return Way(slot, int(arrays["beam_value"][slot]), int(lead), legs, int(arrays["beam_first"][slot]))

    def way_to_win(self) -> Way | None:
        """The first way found that wins."""
        return self._way(int(self._search[n.BEAM_END])) if self._search[n.BEAM_WON] else None

    def way_to_draw(self) -> Way | None:
        """The first way found that ends the game with nobody's win."""
        return self._way(int(self._search[n.BEAM_END]) + 1) if self._search[n.BEAM_DRAW] else None
