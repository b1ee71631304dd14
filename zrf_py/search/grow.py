"""Any number of players, chance, teams: Monte-Carlo tree search, grown until a limit is reached."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean

from zrf_py.run.native.kernel.notes import WIN
from zrf_py.run.native.plan import Lines, Manner, Node, Weights
from zrf_py.run.native.search import Searcher
from zrf_py.run.position import Position
from zrf_py.search.base import Base
from zrf_py.search.chance import is_drawn, next_player
from zrf_py.search.limits import GLANCE, Limits
from zrf_py.search.pace import RESERVE, SLICE
from zrf_py.search.result import SPREAD, Analysis, Expected, Line, Progress, Stop, hundredths
from zrf_py.search.worth import tells

PER_NODE = 24
"""Nodes of the tree that are allotted for each position to be visited: a node grows all its children at once."""
LARGEST_TREE = 1 << 20
EXPLORE = 80_000
"""How much is tried beside the best, in shares of 65536. Twice as much won one game of placing men (14 to 0, 16 drawn)
and was as good in four others (30 to 40 games, 2000 positions); in othello half as much lost 5 to 14, twice 8 to 12."""
TRIES = 3
"""Moves drawn where a line is played on, of which the best is played."""
ON = 0
"""Legs that a line is played on beyond the tree before it is estimated; four were no better (14 to 14)."""
TALKATIVE = 1.0
"""Seconds between two reports of progress."""


class Tree:
    """Search for one game; what it found is not kept."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.searcher: Searcher = base.searcher
        self.manner = manner(base.weights, base.lines)

    def analyse(
        self, position: Position, past: Sequence[Position], limits: Limits, count: int = 1, seed: int = 0,
        progress: Progress | None = None, stop: Stop | None = None,
    ) -> Analysis:
        """The best `count` lines of a position that is not the end of the game; `past` are earlier positions.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        return _Run(self, position, limits, count, progress, stop).run(past, seed)


def manner(weights: Weights, rows: Lines) -> Manner:
    """How to grow: where squares or pieces differ in worth, estimates tell who is ahead; else games are played out."""
    if tells(weights, rows):
        return Manner(True, EXPLORE, 600, ON, SPREAD, TRIES)
    return Manner(False, EXPLORE, 600, 10**6, SPREAD, 1)


@dataclass
class _Run:
    """One analysis."""

    owner: Tree
    position: Position
    limits: Limits
    count: int
    progress: Progress | None
    stop: Stop | None
    began: float = field(default_factory=time.perf_counter)
    visited: int = 0
    proven: bool = False

    def run(self, past: Sequence[Position], seed: int) -> Analysis:
        searcher, limits = self.owner.searcher, self.limits
        most = limits.nodes or 10**12
        room = min(LARGEST_TREE, max(4096, PER_NODE * min(most, int((limits.time or 10) * 200_000))))
        self.owner.base.weigh(self.position)
        searcher.plant(self.position, past, room, seed + 1, self.owner.manner)
        speed, shown = 50_000.0, self.began
        while not self.proven and self.visited < most and not (self.visited and self.stop and self.stop()):
            now = time.perf_counter()
            budget = min(speed * SLICE, most - self.visited)
            if limits.time is not None:
                left = limits.time - RESERVE - (now - self.began)
                if left <= 0 and self.visited:
                    break
                budget = min(budget, 0.7 * left * speed + 1 if left > 0 else GLANCE)
            before = self.visited
            self.proven, self.visited = searcher.follow(max(1, int(budget)))
            speed = max(1000.0, (self.visited - before) / max(time.perf_counter() - now, 1e-6))
            if self.progress and now - shown > TALKATIVE:
                shown = now
                self.progress(self.result())
        return self.result()

    def result(self) -> Analysis:
        searcher = self.owner.searcher
        player = next_player(searcher, self.position)
        children = searcher.nodes_below(0, player)
        known = [i for i, child in enumerate(children) if child.visits] or list(range(len(children)))[:1]
        expected = None
        if is_drawn(searcher.program, self.position):
            shares = {i: self._share(children[i], player) for i in known}
            expected = Expected(player, hundredths(mean(shares.values())))
            order = sorted(known, key=lambda i: shares[i], reverse=True)
        else:
            order = sorted(known, key=lambda i: self._merit(children[i]), reverse=True)
        found = tuple(self._line(children, i, player) for i in order[: self.count])
        searcher.restart(self.position)
        return Analysis(found, self.visited, time.perf_counter() - self.began, self.proven, expected)

    def _line(self, children: list[Node], number: int, player: int) -> Line:
        """The line that begins with a child of the root: always on to what was tried most."""
        searcher, position, found = self.owner.searcher, self.position, []
        first = children[number]
        while True:
            found.append(searcher.moves(position)[number])
            position = searcher.after(position, found[-1])
            children = searcher.nodes_below(children[number].number)
            if not children or len(found) > 40:
                break
            number = max(range(len(children)), key=lambda i: self._merit(children[i]))
            if children[number].visits < 2 and children[number].proven < 0:
                break
        return Line(self._value(first, player), tuple(found), len(found))

    def _value(self, node: Node, player: int) -> int:
        """In the hundredths of estimates, for a player."""
        if node.proven > 0:
            won = WIN - 1 - node.far
            return won if node.proven >> player & 1 else -won
        return hundredths(self._share(node, player))

    def _share(self, node: Node, player: int) -> float:
        """What a child of the root came to for a player, 0 to 1."""
        if node.proven >= 0:
            return 0.5 if node.proven == 0 else float(node.proven >> player & 1)
        return node.told if node.visits else 0.5

    def _merit(self, node: Node) -> tuple[int, int, float]:
        """What makes a move the best: a proven win, the sooner the better, then how often it was tried, then a loss,
        the later the better; chance has no best moves."""
        is_chance = self.owner.searcher.program.game.players[node.mover].kind == "random"
        if node.proven > 0 and not is_chance:
            return (1, -node.far, 0.0) if node.proven >> node.mover & 1 else (-1, node.far, 0.0)
        return (0, node.visits, node.worth) if node.proven >= -1 else (-2, 0, 0.0)
