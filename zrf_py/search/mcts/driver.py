"""Any number of players, chance, teams: Monte-Carlo tree search, grown until a limit is reached."""

import time
from dataclasses import dataclass, field
from statistics import mean

from zrf_py.search.base import Base
from zrf_py.search.chance import is_drawn, next_player
from zrf_py.search.clock import RESERVE, SLICE
from zrf_py.search.evaluation.weights import tells
from zrf_py.search.limits import GLANCE
from zrf_py.search.memory import WIN
from zrf_py.search.plan import Lines, MctsSettings, Node, Weights
from zrf_py.search.request import Request
from zrf_py.search.result import SPREAD, Analysis, Expected, Line, by_value, hundredths
from zrf_py.search.searcher import Searcher

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


class TreeSearch:
    """Search for one game; what it found is not kept."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.searcher: Searcher = base.searcher
        self.settings = mcts_settings(base.weights, base.lines)

    def analyse(self, request: Request) -> Analysis:
        """The best lines of a position that is not the end of the game.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        return _Run(self, request).run()


def mcts_settings(weights: Weights, rows: Lines) -> MctsSettings:
    """How to grow: where squares or pieces differ in worth, estimates tell who is ahead; else games are played out."""
    if tells(weights, rows):
        return MctsSettings(True, EXPLORE, 600, ON, SPREAD, TRIES)
    return MctsSettings(False, EXPLORE, 600, 10**6, SPREAD, 1)


@dataclass
class _Run:
    """One analysis."""

    owner: TreeSearch
    request: Request
    began: float = field(default_factory=time.perf_counter)
    visited: int = 0
    proven: bool = False

    def run(self) -> Analysis:
        request, searcher, limits = self.request, self.owner.searcher, self.request.limits
        most = limits.nodes or 10**12
        room = min(LARGEST_TREE, max(4096, PER_NODE * min(most, int((limits.time or 10) * 200_000))))
        self.owner.base.weigh(request.position)
        searcher.begin_tree(request.position, request.past, room, request.seed + 1, self.owner.settings)
        speed, shown = 50_000.0, self.began
        while not self.proven and self.visited < most and not (self.visited and request.stop and request.stop()):
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
            if request.progress and now - shown > TALKATIVE:
                shown = now
                request.progress(self.result())
        return self.result()

    def result(self) -> Analysis:
        searcher = self.owner.searcher
        player = next_player(searcher.engine, self.request.position)
        children = searcher.children_of(0, player)
        known = [i for i, child in enumerate(children) if child.visits] or list(range(len(children)))[:1]
        expected = None
        if is_drawn(searcher.program, self.request.position):
            shares = {i: self._share(children[i], player) for i in known}
            expected = Expected(player, hundredths(mean(shares.values())))
            order = sorted(known, key=lambda i: shares[i], reverse=True)
        else:
            order = sorted(known, key=lambda i: self._merit(children[i]), reverse=True)
        found = by_value(self._line(children, i, player) for i in order[: self.request.count])
        searcher.restart(self.request.position)
        return Analysis(tuple(found), self.visited, time.perf_counter() - self.began, self.proven, expected)

    def _line(self, children: list[Node], number: int, player: int) -> Line:
        """The line that begins with a child of the root: always on to what was tried most."""
        searcher, position, found = self.owner.searcher, self.request.position, []
        first = children[number]
        while True:
            found.append(searcher.engine.moves(position)[number])
            position = searcher.engine.after(position, found[-1])
            children = searcher.children_of(children[number].number)
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
        return node.reward_asked if node.visits else 0.5

    def _merit(self, node: Node) -> tuple[int, int, float]:
        """What makes a move the best: a proven win, the sooner the better, then how often it was tried, then a loss,
        the later the better; chance has no best moves."""
        is_chance = self.owner.searcher.program.game.players[node.mover].kind == "random"
        if node.proven > 0 and not is_chance:
            return (1, -node.far, 0.0) if node.proven >> node.mover & 1 else (-1, node.far, 0.0)
        return (0, node.visits, node.reward) if node.proven >= -1 else (-2, 0, 0.0)
