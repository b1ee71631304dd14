"""Beam search: of all positions that cost the same, the most promising ones are gone on with.

With a beam as wide as there are positions it is a breadth-first search, and what it finds is the cheapest solution.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

from zrf_py.solve.children import ANY_VALUE
from zrf_py.solve.state_space import Node, StateSpace

PATIENCE = 30
"""A beam that has not come nearer to a solution for so long is given up."""
Cost = Callable[[int], int]
"""What a turn of so many legs costs; at least 1."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position on the way: the one before, and the legs between."""

    before: Step | None
    legs: tuple[int, ...]

    def path(self) -> tuple[tuple[int, ...], ...]:
        """The turns from the root."""
        found = []
        step: Step | None = self
        while step is not None and step.before is not None:
            found.append(step.legs)
            step = step.before
        return tuple(found[::-1])


@dataclass(frozen=True)
class Sweep:
    """What a beam came to: a solution as turns, its cost; whether nothing was left out on the way; positions seen."""

    turns: tuple[tuple[int, ...], ...] | None
    cost: int
    complete: bool
    visited: int


@dataclass(slots=True)
class _Level:
    """The candidates of one cost: a heap with the worst on top, and the keys that were seen."""

    heap: list[tuple[int, int, int, Step, Node]]
    keys: set[int]
    full: bool = False


class Beam:
    """One sweep from a root. `cheaper_than` is what a solution must cost less than; `go_on` is asked now and then with
    (cost, positions visited) whether there is still time."""

    def __init__(
        self, space: StateSpace, width: int, cost: Cost, cheaper_than: int, go_on: Callable[[int, int], bool],
    ) -> None:
        self.space = space
        self.width = width
        self.cost = cost
        self.all_alike = cost(1) == cost(2)
        self.best = cheaper_than
        self.found: Step | None = None
        self.go_on = go_on
        self.levels: dict[int, _Level] = {}
        self.seen: set[int] = set()
        self.visited = 0
        self.complete = True
        self.goal = 0
        """The key of the position to be reached, instead of a solution."""
        self.only_whole = False
        """Stop as soon as something has to be left out."""
        self._number = 0

    def sweep(self, root: Node) -> Sweep:
        """Go through the levels, cheapest first, until a solution is sure to be the cheapest of this beam."""
        start = Step(None, ())
        if not self.goal and self.space.is_solved(root):
            return Sweep((), 0, True, 1)
        self.seen.add(self.space.key(root))
        self._expand(root, start, 0)
        nearest, since = ANY_VALUE, 0
        while self.levels and (cost := min(self.levels)) + 1 < self.best:
            level = self.levels.pop(cost)
            nearest, since = min((nearest, since), (-max(level.heap)[0], cost))
            if cost - since > PATIENCE and not self.only_whole:
                self.complete = False
                break
            self.complete = self.complete and not level.full
            if self.only_whole and not self.complete:
                break
            self.seen |= {entry[2] for entry in level.heap}
            for _worth, _number, _key, step, before in sorted(level.heap, key=_rank):
                if not self.go_on(cost, self.visited):
                    self.complete = False
                    return self._result()
                self._expand(self.space.after_legs(before, step.legs), step, cost)
        return self._result()

    def _result(self) -> Sweep:
        return Sweep(self.found.path() if self.found else None, self.best, self.complete, self.visited)

    def _expand(self, node: Node, step: Step, cost: int) -> None:
        """Look at every turn of a position."""
        below = ANY_VALUE
        following = self.levels.get(cost + 1)
        if self.all_alike and following is not None and len(following.heap) >= self.width:
            below = -following.heap[0][0]
        found = self.space.turns(node, below, self.goal)
        self.complete = self.complete and found.complete
        if found.dropped and following is not None:
            following.full = True
        self.visited += len(found.keys) + found.dropped
        for i, (key, worth) in enumerate(zip(found.keys, found.values, strict=True)):
            total = cost + self.cost(found.legs[i])
            if total >= self.best:
                continue
            if found.solved[i]:
                self.best, self.found = total, Step(step, self.space.legs(i))
            elif not found.ended[i] and key not in self.seen:
                self._offer(total, worth, key, i, step, node)

    def _offer(self, cost: int, worth: int, key: int, child: int, step: Step, node: Node) -> None:
        """Keep a candidate if it is among the best of its level."""
        level = self.levels.get(cost)
        if level is None:
            level = self.levels[cost] = _Level([], set())
        if key in level.keys:
            return
        full = len(level.heap) >= self.width
        level.full = level.full or full
        if full and -worth <= level.heap[0][0]:
            return
        level.keys.add(key)
        self._number += 1
        entry = (-worth, -self._number, key, Step(step, self.space.legs(child)), node)
        if full:
            level.keys.discard(heapq.heappushpop(level.heap, entry)[2])
        else:
            heapq.heappush(level.heap, entry)


def _rank(entry: tuple[int, int, int, Step, Node]) -> tuple[int, int]:
    return -entry[0], -entry[1]
