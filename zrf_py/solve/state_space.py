"""What a puzzle is searched on: complete turns of a position, in machine code or by the interpreter.

A node is a position in the form the space likes best; a leg is given by its number among the legal ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from zrf_py.ir.ops import Program
from zrf_py.native.errors import NoRoom
from zrf_py.native.piece_square import Table
from zrf_py.play.turns import turns
from zrf_py.run.engine import Engine, say_slow
from zrf_py.run.position import NOBODY, Position
from zrf_py.run.rules import Rules
from zrf_py.solve.children import ANY_VALUE, Children

Node = Any


class StateSpace(Protocol):
    """A puzzle as a graph of turns."""

    def aim(self, numbers: Sequence[int], unmet: int = 0) -> None:
        """How much a piece on a square is in the way, as `GoalFacts.table` gives it, and a part of the goal that does
        not hold."""
        ...

    def want(self, marks: Sequence[int], need: int) -> None:
        """Where a solution has pieces, as `GoalFacts.marks` gives it."""
        ...

    def limit(self, turns: int) -> None:
        """From now on a solution has at most so many turns from the root; 0: any number."""
        ...

    def node(self, position: Position) -> Node:
        """The root, in the form of this space."""
        ...

    def key(self, node: Node) -> int:
        """The key of a position, as the keys of `turns`."""
        ...

    def turns(self, node: Node, below: int = ANY_VALUE, goal: int = 0) -> Children:
        """The complete turns that lead to a value `below` or to a solution, those of fewest legs first; a solution is a
        win or, if it is given, the position of the key `goal`."""
        ...

    def legs(self, child: int) -> tuple[int, ...]:
        """The legs of a turn that `turns` found last."""
        ...

    def after_legs(self, node: Node, legs: Sequence[int]) -> Node:
        """The position after legs."""
        ...

    def is_solved(self, node: Node) -> bool:
        """Whether the puzzle is solved here."""
        ...

    def depth_first(
        self, node: Node, noise: int, bits: int, slices: Callable[[int], int],
    ) -> tuple[tuple[int, ...] | None, bool]:
        """Depth first: legs to a solution within the limit, or None and whether there is none."""
        ...


def state_space(program: Program, count_turns: bool, skip_counters: bool = False) -> StateSpace:
    """The native space where the game can be played on it, else the interpreter.

    `count_turns`: positions differ if more turns were made. `skip_counters`: they don't if only counters differ.
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
    """The same with the interpreter, which can play everything."""

    def __init__(self, program: Program, count_turns: bool, skip_counters: bool = False) -> None:
        self.program = program
        self.skip_counters = skip_counters
        self.engine: Engine = Rules(program)
        self.count_turns = count_turns
        self.solvers = {i for i, p in enumerate(program.game.players) if p.kind == "player"}
        self._table = Table.of(program.game)
        self._numbers: Sequence[int] = ()
        self._last: list[tuple[int, ...]] = []
        self._limit = 0

    def want(self, marks: Sequence[int], need: int) -> None:
        """Nothing is left out here for having no hope."""

    def limit(self, turns: int) -> None:
        self._limit = turns

    def aim(self, numbers: Sequence[int], unmet: int = 0) -> None:
        """The parts of the goal are not looked at here."""
        self._numbers = numbers

    def node(self, position: Position) -> Position:
        return position

    def key(self, node: Position) -> int:
        made = node.made if self.count_turns else ()
        counted = replace(node, counters=()) if self.skip_counters else node
        return hash((counted.key(), node.stores, made))

    def value(self, node: Position) -> int:
        """How much is in the way of a solution."""
        if not self._numbers:
            return 0
        return sum(self._numbers[self._table.at(o, k, s)]
                   for s, (o, k) in enumerate(zip(node.owner, node.piece, strict=True)) if o != NOBODY)

    def is_solved(self, node: Position) -> bool:
        outcome = self.engine.outcome(node)
        return outcome is not None and not self.solvers.isdisjoint(outcome.winners)

    def turns(self, node: Position, below: int = ANY_VALUE, goal: int = 0) -> Children:
        found = turns(self.engine, node)
        self._last = []
        for turn in found:
            position, numbers = node, []
            for leg in turn.legs:
                numbers.append(self.engine.moves(position).index(leg))
                position = self.engine.after(position, leg)
            self._last.append(tuple(numbers))
        ends = [turn.end for turn in found]
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
        seen: dict[int, int] = {}
        stack: list[tuple[Position, int, tuple[int, ...]]] = [(node, self._limit or 1 << 20, ())]
        visited = 0
        while stack:
            if slices(visited) <= 0:
                return None, False
            here, left, path = stack.pop()
            key = hash((self.key(here), here.chain, here.last_from))
            if seen.get(key, -1) >= left:
                continue
            seen[key] = left
            visited += 1
            if here.chain is None and self.is_solved(here):
                return path, True
            if here.result is None and left > 0:
                after = [(self.engine.after(here, move), i) for i, move in enumerate(self.engine.moves(here))]
                after.sort(key=lambda pair: -self.value(pair[0]))
                stack += [(p, left - (p.chain is None), (*path, i)) for p, i in after]
        return None, True
