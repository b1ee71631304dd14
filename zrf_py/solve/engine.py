"""The native engine with `kernel.py` compiled in: it expands positions, guided by the evaluation that `aim` sets.

A node holds the contents of the native arrays of a position; a turn is a tuple of indices in lists of legal legs.
"""

from array import array
from collections.abc import Callable, Sequence
from ctypes import memmove
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.native.engine import Native
from zrf_py.native.errors import NoRoom
from zrf_py.native.extension import Extension
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import MOVES_ROOM, Layout
from zrf_py.native.machine import Machine
from zrf_py.native.piece_square import TableShape
from zrf_py.run.position import Position
from zrf_py.solve import memory as t
from zrf_py.solve.children import ANY_VALUE, Children, Node

LARGEST_AIM = 1 << 24
ORDERED = MOVES_ROOM // 2


def with_puzzle(layout: Layout, program: Program) -> Layout:
    """Return the layout extended by the arrays of puzzles.

    :raises NoRoom: if the evaluation table would be too large.
    """
    size = TableShape.of(program.game).size
    if size > LARGEST_AIM:
        raise NoRoom("aim")
    sizes = {"puzzle": t.Puzzle.size, "child": t.CHILDREN_ROOM * t.Child.size}
    sizes["aim"] = sizes["want"] = size
    for storage in t.TREE:
        if storage.name.startswith(("level_", "list_")):
            sizes[storage.name] = t.LEVELS + 1
    for name in ("list_record", "list_score", "list_index"):
        sizes[name] = ORDERED
    return layout.extended({}, sizes, hashes=1, keeps=m.ALL_KEPT)


PUZZLES = Extension(("zrf_py.solve.kernel",), t.TREE, t.LATE, (
    ("depth_first_begin", 0), ("depth_first", 1), ("all_turns", 0), ("is_puzzle_solved", 0), ("play_leg", 1),
    ("puzzle_key", 0),
))
"""Kernel module and entry points that are compiled only for puzzles."""


class NativeSpace:
    """State space in native code. Not thread-safe."""

    def __init__(self, program: Program, count_turns: bool = False, skip_counters: bool = False) -> None:
        """:param count_turns: positions differ if different numbers of turns were made.
        :param skip_counters: positions that differ only in counters are equal.
        :raises NoRoom: if the game is too large for the native engine or needs the interpreter."""
        self.program = program
        self.machine = Machine(program, PUZZLES)
        self.machine.settle(lambda layout: with_puzzle(layout, program))
        self.engine = Native(program, machine=self.machine)
        self.machine.make_ready()
        puzzle = self.puzzle
        puzzle.count_turns, puzzle.need = int(count_turns), -1
        puzzle.skip_counters = int(skip_counters)
        puzzle.solvers = sum(1 << i for i in program.game.playing)
        self._grow_table(10)

    @property
    def puzzle(self) -> t.Puzzle:
        """The parameters and counters of the kernel."""
        return t.Puzzle.over(self.machine.arrays["puzzle"])

    @property
    def _position_arrays(self) -> list[Any]:
        """Arrays that make up a position, besides the state."""
        arrays = self.machine.arrays
        return [arrays[name] for name in ("cell", "stores", "attributes", "taken") if name in arrays]

    def _grow_table(self, bits: int) -> None:
        """Allocate a transposition table of at least 1 << `bits` entries."""
        self.machine.allot((t.table,), 1 << bits)
        self.puzzle.table_mask = len(self.machine.arrays[t.table.name]) - 1

    def aim(self, numbers: Sequence[int], unmet: int = 0) -> None:
        """Set the evaluation: `numbers` [owner + 1][type + 1][square], lower is better, and the value `unmet` of each
        part of the goal that does not hold."""
        self.machine.arrays["aim"][:] = numbers
        self.puzzle.unmet = unmet

    def want(self, marks: Sequence[int], need: int) -> None:
        """Set the places that every solution has filled (wanted) or empty, indexed like `aim` (see `want` of
        `memory.py`), and the number of wanted places that a solution fills (-1: unknown)."""
        self.machine.arrays["want"][:] = marks
        self.puzzle.need = need

    def limit(self, turns: int) -> None:
        """Limit solutions to `turns` turns from the root; 0 means no limit."""
        self.puzzle.limit = turns

    def node(self, position: Position) -> Node:
        """Return a position as the root node."""
        self.puzzle.made = 0
        self.engine.border.load(position)
        return self._node()

    def _node(self) -> Node:
        state = self.machine.state
        used = int(state.taken_to)
        state.undo = state.turn_undo = 0
        counts = array("q", [self.puzzle.made, used]).tobytes()
        contents = (bytes(a) for a in self._position_arrays[:-1])
        words = bytes(self.machine.arrays["state"])[: 8 * m.ALL_KEPT]
        return words, counts, *contents, bytes(self._position_arrays[-1])[: 4 * used]

    def _place(self, node: Node) -> None:
        """Load a node into native memory."""
        state = self.machine.state
        memmove(self.machine.arrays["state"], node[0], len(node[0]))
        state.frame = state.top = state.error = 0
        self.puzzle.made = array("q", node[1])[0]
        for memory, data in zip(self._position_arrays, node[2:], strict=True):
            memmove(memory, data, len(data))
        self.machine.call["recount"]()

    def is_solved(self, node: Node) -> bool:
        """Return whether a node is a solution."""
        self._place(node)
        return bool(self.machine.call["is_puzzle_solved"]())

    def key(self, node: Node) -> int:
        """Return the 64-bit hash key of a node."""
        self._place(node)
        return self.machine.call["puzzle_key"]()

    def turns(self, node: Node, below: int = ANY_VALUE, goal: int = 0) -> Children:
        """Return the complete turns, one per distinct resulting position, sorted by the number of legs.

        Turns to positions worth `below` or more are left out, except solutions: wins, or the position with key `goal`.
        """
        self._place(node)
        self.puzzle.cut, self.puzzle.below, self.puzzle.goal = 0, below, goal
        count = self.machine.call["all_turns"]()
        if self.machine.state.error == m.ENDLESS:
            self.engine.border.check()
        rows, _, keys, values, ends = (
            self.machine.arrays["child"][i : count * t.Child.size : t.Child.size] for i in range(t.Child.size))
        return Children(
            keys, values, [e > 0 for e in ends], [e > 1 for e in ends],
            [self.engine.row(row).depth + 1 for row in rows],
            not self.machine.state.error and not self.puzzle.cut, int(self.puzzle.dropped),
        )

    def legs(self, child: int) -> tuple[int, ...]:
        """Return the legs of turn `child` of the last call of `turns`, as indices into the legal legs."""
        last = t.Child.over(self.machine.arrays["child"], child * t.Child.size)
        numbers, at = [last.number], last.row
        while at:
            numbers.append(self.engine.row(at).number)
            at = self.engine.row(at).parent
        return tuple(numbers[::-1])

    def after_legs(self, node: Node, legs: Sequence[int]) -> Node:
        """Return the node after some legs, given as indices into the legal legs.

        :raises NoRoom: if there is no such leg.
        """
        self._place(node)
        for number in legs:
            if not self.machine.call["play_leg"](number):
                raise NoRoom("no such leg")
            if self.machine.state.chain < 0:
                self.puzzle.made += 1
        return self._node()

    def depth_first(
        self, node: Node, noise: int, bits: int, slices: Callable[[int], int],
    ) -> tuple[tuple[int, ...] | None, bool]:
        """Search depth first for a solution within the turn limit.

        `slices` maps the positions visited so far to the number that may follow; 0 ends the search. Return (legs of a
        solution, True), or (None, True if there is provably none).
        """
        self._grow_table(bits)
        self._place(node)
        puzzle = self.puzzle
        puzzle.noise = noise
        self.machine.call["depth_first_begin"]()
        done = 0
        while not done and not self.machine.state.error:
            budget = slices(int(puzzle.visited))
            if budget <= 0:
                break
            done = self.machine.call["depth_first"](budget)
        if self.machine.state.error == m.ENDLESS:
            self.engine.border.check()
        if puzzle.solved > 0:
            return tuple(self.machine.arrays["level_index"][: puzzle.solved]), True
        return None, bool(done) and not self.machine.state.error and not puzzle.cut
