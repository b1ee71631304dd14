"""State space of a puzzle: complete turns as edges, in native code or by the interpreter.

A node is a position in the representation of the space; a leg is given as its index in the list of legal ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from zrf_py.ir.ops import Program
from zrf_py.native.errors import NoRoom
from zrf_py.native.piece_square import TableShape
from zrf_py.play.turns import turns
from zrf_py.run.engine import Engine, say_slow
from zrf_py.run.position import NOBODY, Position
from zrf_py.run.rules import Rules
from zrf_py.solve.children import ANY_VALUE, Children

if TYPE_CHECKING:
    from zrf_py.solve.engine import NativeSpace

StateSpace: TypeAlias = "InterpretedSpace | NativeSpace"


def state_space(program: Program, count_turns: bool, skip_counters: bool = False) -> StateSpace:
    """Return a native space if the native engine supports the game, else an interpreted one.

    `count_turns`: the number of turns made distinguishes positions. `skip_counters`: counters do not.
    """
    try:
        from zrf_py.solve.engine import NativeSpace

        return NativeSpace(program, count_turns, skip_counters)
    except ImportError as error:
        say_slow(error)
    except NoRoom:
        pass
    return InterpretedSpace(program, count_turns, skip_counters)


class InterpretedSpace:
    """State space on the interpreter, which supports all games; `NativeSpace` documents the methods of both."""

    def __init__(self, program: Program, count_turns: bool, skip_counters: bool = False) -> None:
        self.program = program
        self.skip_counters = skip_counters
        self.engine: Engine = Rules(program)
        self.count_turns = count_turns
        self.solvers = set(program.game.playing)
        self._table = TableShape.of(program.game)
        self._numbers: Sequence[int] = ()
        self._last: list[tuple[int, ...]] = []
        self._limit = 0

    def want(self, marks: Sequence[int], need: int) -> None:
        """Do nothing: the interpreter does not prune by wanted places."""

    def limit(self, turns: int) -> None:
        self._limit = turns

    def aim(self, numbers: Sequence[int], unmet: int = 0) -> None:
        """Set the evaluation, as `NativeSpace.aim` does, but ignore `unmet`."""
        self._numbers = numbers

    def node(self, position: Position) -> Position:
        return position

    def key(self, node: Position) -> int:
        turns = node.made if self.count_turns else ()
        counted = replace(node, counters=()) if self.skip_counters else node
        return hash((counted.key(), node.stores, turns))

    def value(self, node: Position) -> int:
        """Return the heuristic value of a node."""
        if not self._numbers:
            return 0
        return sum(self._numbers[self._table.at(o, k, s)]
                   for s, (o, k) in enumerate(zip(node.owner, node.piece, strict=True)) if o != NOBODY)

    def is_solved(self, node: Position) -> bool:
        outcome = self.engine.outcome(node)
        return outcome is not None and not self.solvers.isdisjoint(outcome.winners)

    def turns(self, node: Position, below: int = ANY_VALUE, goal: int = 0) -> Children:
        complete_turns = turns(self.engine, node)
        self._last = []
        for turn in complete_turns:
            position, numbers = node, []
            for leg in turn.legs:
                numbers.append(self.engine.moves(position).index(leg))
                position = self.engine.after(position, leg)
            self._last.append(tuple(numbers))
        ends = [turn.end for turn in complete_turns]
        return Children(
            [self.key(e) for e in ends], [self.value(e) for e in ends], [e.result is not None for e in ends],
            [self.key(e) == goal if goal else
             e.result is not None and not self.solvers.isdisjoint(e.result.winners) for e in ends],
            [len(legs) for legs in self._last], True,
        )

    def legs(self, child: int) -> tuple[int, ...]:
        return self._last[child]

    def after_legs(self, node: Position, legs: Sequence[int]) -> Position:
        for number in legs:
            node = self.engine.after(node, self.engine.moves(node)[number])
        return node

    def depth_first(
        self, node: Position, noise: int, bits: int, slices: Callable[[int], int],
    ) -> tuple[tuple[int, ...] | None, bool]:
        turns_left: dict[int, int] = {}
        stack: list[tuple[Position, int, tuple[int, ...]]] = [(node, self._limit or 1 << 20, ())]
        visited = 0
        while stack:
            if slices(visited) <= 0:
                return None, False
            state, left, path = stack.pop()
            key = hash((self.key(state), state.chain, state.last_from))
            if turns_left.get(key, -1) >= left:
                continue
            turns_left[key] = left
            visited += 1
            if state.chain is None and self.is_solved(state):
                return path, True
            if state.result is None and left > 0:
                after = [(self.engine.after(state, move), i) for i, move in enumerate(self.engine.moves(state))]
                after.sort(key=lambda pair: -self.value(pair[0]))
                stack += [(p, left - (p.chain is None), (*path, i)) for p, i in after]
        return None, True
