"""The native engine with `kernel/puzzle.py` compiled in: positions as `Spot`s, turns as numbers of legs.

It knows how to go through a puzzle and nothing of which way is promising: that is told by `aim`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from ctypes import memmove
from dataclasses import dataclass, replace
from typing import ClassVar

from zrf_py.ir.ops import Program
from zrf_py.run.native import machine
from zrf_py.run.native.engine import Native
from zrf_py.run.native.kernel import memory as m
from zrf_py.run.native.kernel import tree as t
from zrf_py.run.native.layout import MOVES_ROOM, Layout
from zrf_py.run.native.plan import ANY_VALUE, Children, NoRoom, Table
from zrf_py.run.position import Position

LARGEST_AIM = 1 << 24
ORDERED = MOVES_ROOM // 2


def with_puzzle(layout: Layout, program: Program) -> Layout:
    """The layout with what a puzzle needs.

    :raises NoRoom: if that would be too much.
    """
    size = Table.of(program.game).size
    if size > LARGEST_AIM:
        raise NoRoom("aim")
    sizes = {"tree": t.TREE_STATE, "met_key": t.MET, "met_stamp": t.MET}
    sizes["aim"] = sizes["want"] = size
    for where in t.TREE:
        if where.name.startswith(("level_", "list_")):
            sizes[where.name] = t.LEVELS + 1
        if where.name.startswith("node_") or where.name == "way":
            sizes[where.name] = t.NODES_ROOM
        if where.name.startswith("child_"):
            sizes[where.name] = t.CHILDREN_ROOM
    for name in ("list_record", "list_score", "list_index"):
        sizes[name] = ORDERED
    return replace(layout, sizes={**layout.sizes, **sizes})


@dataclass(frozen=True, slots=True)
class Spot:
    """A position as native memory: bytes of the arrays that make it up."""

    parts: tuple[bytes, ...]


class Digger(Native):
    """Goes through a puzzle. Not for two threads at the same time.

    :raises NoRoom: if the game is too large, or has something that only the interpreter knows.
    """

    also = machine.SOLVING
    exports: ClassVar = {
        **Native.exports, "dig_begin": 0, "dig": 1, "all_turns": 0, "is_puzzle_solved": 0, "play_leg": 1,
        "puzzle_key": 0,
    }

    def __init__(self, program: Program, count_turns: bool = False, skip_counters: bool = False) -> None:
        """`count_turns`: positions differ if more turns were made; `skip_counters`: not if only counters differ."""
        super().__init__(program)
        self.layout = with_puzzle(self._settle(), program)
        self._open()
        self._tree = self._arrays["tree"]
        self._tree[t.COUNT_TURNS], self._tree[t.NEED] = int(count_turns), -1
        self._tree[t.SKIP_COUNTERS] = int(skip_counters)
        self._tree[t.SOLVERS] = sum(1 << i for i, p in enumerate(program.game.players) if p.kind == "player")
        self._grow_table(10)
        self._kept = [self._arrays[name] for name in ("cell", "stores", "attributes", "taken") if name in self._arrays]

    def _grow_table(self, bits: int) -> None:
        """Give the table of positions that were met 1 << bits entries at least."""
        self._allot((t.table,), 1 << bits)
        self._tree[t.TABLE_MASK] = len(self._arrays[t.table.name]) - 1

    # ------------------------------------------------------------------------------------------------------ positions

    def aim(self, numbers: Sequence[int], unmet: int = 0) -> None:
        """How much a piece on a square is in the way: [owner + 1][type + 1][square], the less the better; and how much
        it is for each part of the goal that does not hold."""
        self._arrays["aim"][:] = numbers
        self._tree[t.UNMET] = unmet

    def want(self, marks: Sequence[int], need: int) -> None:
        """Where a solution has pieces, and where it has none, in the order of `aim`; see `want` of `kernel/tree.py`.
        `need` is how many of the wanted places are filled, -1 if that can't be told."""
        self._arrays["want"][:] = marks
        self._tree[t.NEED] = need

    def limit(self, turns: int) -> None:
        """From now on a solution has at most so many turns from the root; 0: any number."""
        self._tree[t.LIMIT] = turns

    def spot(self, position: Position) -> Spot:
        """The root: a position as native memory."""
        self._tree[t.MADE] = 0
        self._load(position)
        return self._spot()

    def _spot(self) -> Spot:
        state = self._state
        used = int(state[m.TAKEN_TO])
        for i in (m.FRAME, m.TOP, m.UNDO, m.TURN_UNDO):
            state[i] = 0
        made = array("q", [self._tree[t.MADE], used]).tobytes()
        return Spot((bytes(state), made, *(bytes(a) for a in self._kept[:-1]), bytes(self._kept[-1])[: 4 * used]))

    def _place(self, spot: Spot) -> None:
        """Put a spot into native memory."""
        state = self._state
        stamps = state[m.STAMPS], state[m.STAMPS + 1]
        memmove(state, spot.parts[0], len(spot.parts[0]))
        state[m.STAMPS], state[m.STAMPS + 1] = stamps
        self._tree[t.MADE] = array("q", spot.parts[1])[0]
        for kept, data in zip(self._kept, spot.parts[2:], strict=True):
            memmove(kept, data, len(data))
        self._call["recount"]()

    def is_solved(self, spot: Spot) -> bool:
        """Whether the puzzle is solved here."""
        self._place(spot)
        return bool(self._call["is_puzzle_solved"]())

    def key(self, spot: Spot) -> int:
        """64 bits that are equal for equal positions."""
        self._place(spot)
        return self._call["puzzle_key"]()

    # ---------------------------------------------------------------------------------------------------------- turns

    def turns(self, spot: Spot, below: int = ANY_VALUE, goal: int = 0) -> Children:
        """Every complete turn, one for each distinct position it leads to, those of fewest legs first.

        Only such as lead to a value `below`, or to a solution, which is a win or, if it is given, the key `goal`.
        """
        self._place(spot)
        self._tree[t.CUT], self._tree[t.BELOW], self._tree[t.GOAL] = 0, below, goal
        count = self._call["all_turns"]()
        if self._state[m.ERROR] == m.ENDLESS:
            self._check()
        arrays = self._arrays
        ends = arrays["child_end"][:count]
        legs = arrays["node_legs"]
        return Children(
            arrays["child_key"][:count], arrays["child_value"][:count], [e > 0 for e in ends], [e > 1 for e in ends],
            [legs[node] + 1 for node in arrays["child_node"][:count]],
            not self._state[m.ERROR] and not self._tree[t.CUT], int(self._tree[t.DROPPED]),
        )

    def legs(self, child: int) -> tuple[int, ...]:
        """The legs of a turn that `turns` found last, each by its number among the legal ones."""
        found = [int(self._arrays["child_index"][child])]
        node = self._arrays["child_node"][child]
        while node:
            found.append(int(self._arrays["node_index"][node]))
            node = self._arrays["node_parent"][node]
        return tuple(found[::-1])

    def after_legs(self, spot: Spot, legs: Sequence[int]) -> Spot:
        """The position after some legs, each given by its number among the legal ones.

        :raises NoRoom: if there is no such leg.
        """
        self._place(spot)
        for number in legs:
            if not self._call["play_leg"](number):
                raise NoRoom("no such leg")
            if self._state[m.CHAIN] < 0:
                self._tree[t.MADE] += 1
        return self._spot()

    # ---------------------------------------------------------------------------------------------------- depth first

    def dig(
        self, spot: Spot, noise: int, bits: int, slices: Callable[[int], int],
    ) -> tuple[tuple[int, ...] | None, bool]:
        """Look for a solution within the limit, depth first.

        `slices` is asked, with the positions visited so far, how many more may be visited; 0 ends the search. The
        answer: the legs of a solution, and whether there is none if None was found.
        """
        self._grow_table(bits)
        self._place(spot)
        tree = self._tree
        tree[t.NOISE] = noise
        self._call["dig_begin"]()
        done = 0
        while not done and not self._state[m.ERROR]:
            budget = slices(int(tree[t.VISITED]))
            if budget <= 0:
                break
            done = self._call["dig"](budget)
        if self._state[m.ERROR] == m.ENDLESS:
            self._check()
        if tree[t.SOLVED] > 0:
            return tuple(self._arrays["level_index"][: tree[t.SOLVED]]), True
        return None, bool(done) and not self._state[m.ERROR] and not tree[t.CUT]
