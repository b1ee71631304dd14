"""Beam search over complete turns: of all positions of equal cost, only the most promising are expanded.

A beam that is wide enough for all positions is a uniform-cost search, whose solution is optimal.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

from zrf_py.solve.children import ANY_VALUE, Node
from zrf_py.solve.state_space import StateSpace

PATIENCE = 30
"""A beam gives up when the cost has risen by more than this without a better value."""
Turns = tuple[tuple[int, ...], ...]
"""Turns of a path, each a tuple of indices of legs."""
Cost = Callable[[int], int]
"""Cost of a turn by its number of legs; at least 1."""


@dataclass(frozen=True, slots=True)
class Step:
    """Node of a path: its predecessor, and the legs that lead from there."""

    before: Step | None
    legs: tuple[int, ...]

    def path(self) -> Turns:
        """Return the turns from the root."""
        turns = []
        step: Step | None = self
        while step is not None and step.before is not None:
            turns.append(step.legs)
            step = step.before
        return tuple(turns[::-1])


@dataclass(slots=True)
class _Level:
    """Open list of one cost: a heap with the worst candidate on top, and the keys of its positions."""

    heap: list[tuple[int, int, int, Step, Node]]
    keys: set[int]
    full: bool = False


class Beam:
    """One sweep from a root, after which `complete` is True if nothing was pruned, and `visited` holds the number of
    positions. `cheaper_than` is an exclusive bound on the cost; `go_on`, called with (cost, positions visited), returns
    False to stop."""

    def __init__(
        self, space: StateSpace, width: int, cost: Cost, cheaper_than: int, go_on: Callable[[int, int], bool],
    ) -> None:
        self.space = space
        self.width = width
        self.cost = cost
        self.all_alike = cost(1) == cost(2)
        self.best = cheaper_than
        self.best_step: Step | None = None
        self.go_on = go_on
        self.levels: dict[int, _Level] = {}
        self.expanded: set[int] = set()
        self.visited = 0
        self.complete = True
        self.goal = 0
        """Key of the position to reach; 0: any solution."""
        self.only_whole = False
        """True if the sweep stops as soon as a candidate is pruned."""
        self._number = 0

    def sweep(self, root: Node) -> Turns | None:
        """Expand the levels, cheapest first; return the turns of the cheapest solution found, None if there is none.

        The sweep ends when no cheaper solution is possible in this beam, after `PATIENCE` levels without progress, or
        when `go_on` returns False.
        """
        if not self.goal and self.space.is_solved(root):
            self.visited = 1
            return ()
        self.expanded.add(self.space.key(root))
        self._expand(root, Step(None, ()), 0)
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
            self.expanded |= {entry[2] for entry in level.heap}
            for _worth, _number, _key, step, before in sorted(level.heap, key=lambda entry: (-entry[0], -entry[1])):
                if not self.go_on(cost, self.visited):
                    self.complete = False
                    return self._solution()
                self._expand(self.space.after_legs(before, step.legs), step, cost)
        return self._solution()

    def _solution(self) -> Turns | None:
        return self.best_step.path() if self.best_step else None

    def _expand(self, node: Node, step: Step, cost: int) -> None:
        """Generate the successors of a position."""
        below = ANY_VALUE
        following = self.levels.get(cost + 1)
        if self.all_alike and following is not None and len(following.heap) >= self.width:
            below = -following.heap[0][0]
        children = self.space.turns(node, below, self.goal)
        self.complete = self.complete and children.complete
        if children.dropped and following is not None:
            following.full = True
        self.visited += len(children.keys) + children.dropped
        if not (children.keys or children.dropped or self.goal) and self.space.is_solved(node):
            self.best, self.best_step = cost, step  # to have no move is a win
        for i, (key, worth) in enumerate(zip(children.keys, children.values, strict=True)):
            total = cost + self.cost(children.legs[i])
            if total >= self.best:
                continue
            if children.solved[i]:
                self.best, self.best_step = total, Step(step, self.space.legs(i))
            elif not children.ended[i] and key not in self.expanded:
                self._offer(total, worth, key, i, step, node)

    def _offer(self, cost: int, worth: int, key: int, child: int, step: Step, node: Node) -> None:
        """Add a candidate to its level, if it is among the best there."""
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
