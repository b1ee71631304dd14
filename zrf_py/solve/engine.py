"""The native engine with `kernel.py` compiled in: positions as `Node`s, turns as numbers of legs.

It knows how to go through a puzzle and nothing of which way is promising: that is told by `aim`.
"""

from array import array
from collections.abc import Callable, Sequence
from ctypes import memmove
from dataclasses import dataclass, replace
from typing import ClassVar

from zrf_py.ir.ops import Program
from zrf_py.native.engine import Native
from zrf_py.native.errors import NoRoom
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import MOVES_ROOM, Layout
from zrf_py.native.piece_square import Table
from zrf_py.run.position import Position
from zrf_py.solve import memory as t
from zrf_py.solve.children import ANY_VALUE, Children

LARGEST_AIM = 1 << 24
ORDERED = MOVES_ROOM // 2


def with_puzzle(layout: Layout, program: Program) -> Layout:
    """The layout with what a puzzle needs.

    :raises NoRoom: if that would be too much.
    """
    size = Table.of(program.game).size
    if size > LARGEST_AIM:
        raise NoRoom("aim")
    sizes = {"puzzle": t.Puzzle.size, "child": t.CHILDREN_ROOM * t.Child.size}
    sizes["aim"] = sizes["want"] = size
    for where in t.TREE:
        if where.name.startswith(("level_", "list_")):
            sizes[where.name] = t.LEVELS + 1
    for name in ("list_record", "list_score", "list_index"):
        sizes[name] = ORDERED
    params = array("q", layout.tables[m.params.name])
    known = m.Params.over(params)
    known.hashes, known.keeps = 1, m.ALL_KEPT
    return replace(layout, tables={**layout.tables, m.params.name: params}, sizes={**layout.sizes, **sizes})


@dataclass(frozen=True, slots=True)
class Node:
    """A position as native memory: bytes of the arrays that make it up."""

    parts: tuple[bytes, ...]


class NativeSpace(Native):
    """Goes through a puzzle. Not for two threads at the same time.

    :raises NoRoom: if the game is too large, or has something that only the interpreter knows.
    """

    also = Extension(("zrf_py.solve.kernel",), t.TREE, t.LATE)
    exports: ClassVar = {
        **Native.exports, "depth_first_begin": 0, "depth_first": 1, "all_turns": 0, "is_puzzle_solved": 0,
        "play_leg": 1, "puzzle_key": 0,
    }

    def __init__(self, program: Program, count_turns: bool = False, skip_counters: bool = False) -> None:
        """`count_turns`: positions differ if more turns were made; `skip_counters`: not if only counters differ."""
        super().__init__(program)
        self.layout = with_puzzle(self._settle(), program)
        self._open()
        self._puzzle.count_turns, self._puzzle.need = int(count_turns), -1
        self._puzzle.skip_counters = int(skip_counters)
        self._puzzle.solvers = sum(1 << i for i, p in enumerate(program.game.players) if p.kind == "player")
        self._grow_table(10)

    def _find(self) -> None:
        super()._find()
        self._puzzle = t.Puzzle.over(self._arrays["puzzle"])
        self._kept = [self._arrays[name] for name in ("cell", "stores", "attributes", "taken") if name in self._arrays]

    def _grow_table(self, bits: int) -> None:
        """Give the table of positions that were met 1 << bits entries at least."""
        self._allot((t.table,), 1 << bits)
        self._puzzle.table_mask = len(self._arrays[t.table.name]) - 1

    # ------------------------------------------------------------------------------------------------------ positions

    def aim(self, numbers: Sequence[int], unmet: int = 0) -> None:
        """How much a piece on a square is in the way: [owner + 1][type + 1][square], the less the better; and how much
        it is for each part of the goal that does not hold."""
        self._arrays["aim"][:] = numbers
        self._puzzle.unmet = unmet

    def want(self, marks: Sequence[int], need: int) -> None:
        """Where a solution has pieces, and where it has none, in the order of `aim`; see `want` of `memory.py`.
        `need` is how many of the wanted places are filled, -1 if that can't be told."""
        self._arrays["want"][:] = marks
        self._puzzle.need = need

    def limit(self, turns: int) -> None:
        """From now on a solution has at most so many turns from the root; 0: any number."""
        self._puzzle.limit = turns

    def node(self, position: Position) -> Node:
        """The root: a position as native memory."""
        self._puzzle.made = 0
        self._load(position)
        return self._node()

    def _node(self) -> Node:
        state = self._state
        used = int(state.taken_to)
        state.undo = state.turn_undo = 0
        made = array("q", [self._puzzle.made, used]).tobytes()
        kept = (bytes(a) for a in self._kept[:-1])
        return Node((bytes(self._arrays["state"])[: 8 * m.ALL_KEPT], made, *kept, bytes(self._kept[-1])[: 4 * used]))

    def _place(self, node: Node) -> None:
        """Put a node into native memory."""
        state = self._state
        memmove(self._arrays["state"], node.parts[0], len(node.parts[0]))
        state.frame = state.top = state.error = 0
        self._puzzle.made = array("q", node.parts[1])[0]
        for kept, data in zip(self._kept, node.parts[2:], strict=True):
            memmove(kept, data, len(data))
        self._call["recount"]()

    def is_solved(self, node: Node) -> bool:
        """Whether the puzzle is solved here."""
        self._place(node)
        return bool(self._call["is_puzzle_solved"]())

    def key(self, node: Node) -> int:
        """64 bits that are equal for equal positions."""
        self._place(node)
        return self._call["puzzle_key"]()

    # ---------------------------------------------------------------------------------------------------------- turns

    def turns(self, node: Node, below: int = ANY_VALUE, goal: int = 0) -> Children:
        """Every complete turn, one for each distinct position it leads to, those of fewest legs first.

        Only such as lead to a value `below`, or to a solution, which is a win or, if it is given, the key `goal`.
        """
        self._place(node)
        self._puzzle.cut, self._puzzle.below, self._puzzle.goal = 0, below, goal
        count = self._call["all_turns"]()
        if self._state.error == m.ENDLESS:
            self._check()
        rows, _, keys, values, ends = (
            self._arrays["child"][i : count * t.Child.size : t.Child.size] for i in range(t.Child.size))
        return Children(
            keys, values, [e > 0 for e in ends], [e > 1 for e in ends], [self._row(row).depth + 1 for row in rows],
            not self._state.error and not self._puzzle.cut, int(self._puzzle.dropped),
        )

    def legs(self, child: int) -> tuple[int, ...]:
        """The legs of a turn that `turns` found last, each by its number among the legal ones."""
        last = t.Child.over(self._arrays["child"], child * t.Child.size)
        found, at = [last.number], last.row
        while at:
            found.append(self._row(at).number)
            at = self._row(at).parent
        return tuple(found[::-1])

    def after_legs(self, node: Node, legs: Sequence[int]) -> Node:
        """The position after some legs, each given by its number among the legal ones.

        :raises NoRoom: if there is no such leg.
        """
        self._place(node)
        for number in legs:
            if not self._call["play_leg"](number):
                raise NoRoom("no such leg")
            if self._state.chain < 0:
                self._puzzle.made += 1
        return self._node()

    # ---------------------------------------------------------------------------------------------------- depth first

    def depth_first(
        self, node: Node, noise: int, bits: int, slices: Callable[[int], int],
    ) -> tuple[tuple[int, ...] | None, bool]:
        """Look for a solution within the limit, depth first.

        `slices` is asked, with the positions visited so far, how many more may be visited; 0 ends the search. The
        answer: the legs of a solution, and whether there is none if None was found.
        """
        self._grow_table(bits)
        self._place(node)
        puzzle = self._puzzle
        puzzle.noise = noise
        self._call["depth_first_begin"]()
        done = 0
        while not done and not self._state.error:
            budget = slices(int(puzzle.visited))
            if budget <= 0:
                break
            done = self._call["depth_first"](budget)
        if self._state.error == m.ENDLESS:
            self._check()
        if puzzle.solved > 0:
            return tuple(self._arrays["level_index"][: puzzle.solved]), True
        return None, bool(done) and not self._state.error and not puzzle.cut
