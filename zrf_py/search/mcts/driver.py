"""Monte-Carlo tree search driver, for any number of players, teams and chance; runs until a limit is reached."""

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
"""Nodes allocated per position to visit: expansion creates all children at once."""
LARGEST_TREE = 1 << 20
EXPLORE = 80_000
"""Exploration constant in 1/65536. Twice as much won one game of placing men (14 to 0, 16 drawn) and was as good in
four others (30 to 40 games, 2000 positions); in othello half as much lost 5 to 14, twice 8 to 12."""
TRIES = 3
"""Moves drawn per leg of a rollout, of which the best is played."""
ON = 0
"""Legs of a rollout before evaluation; four were no better (14 to 14)."""
TALKATIVE = 1.0
"""Seconds between reports of progress."""


class TreeSearch:
    """Tree search for one game; keeps nothing between searches."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.searcher: Searcher = base.searcher
        self.settings = mcts_settings(base.weights, base.lines)

    def analyse(self, request: Request) -> Analysis:
        """Return the best lines of a position in which the game goes on.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        return _Run(self, request).run()


def mcts_settings(weights: Weights, rows: Lines) -> MctsSettings:
    """Return the settings: evaluation at the leaves if it tells who is ahead, else rollouts to the end of the game."""
    if tells(weights, rows):
        return MctsSettings(True, EXPLORE, 600, ON, SPREAD, TRIES)
    return MctsSettings(False, EXPLORE, 600, 10**6, SPREAD, 1)


@dataclass
class _Run:
    """State of one search."""

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
        best_lines = by_value(self._line(children, i, player) for i in order[: self.request.count])
        searcher.restart(self.request.position)
        return Analysis(tuple(best_lines), self.visited, time.perf_counter() - self.began, self.proven, expected)

    def _line(self, children: list[Node], number: int, player: int) -> Line:
        """Return the line that begins with a child of the root and follows the best children."""
        searcher, position, moves = self.owner.searcher, self.request.position, []
        first = children[number]
        while True:
            moves.append(searcher.engine.moves(position)[number])
            position = searcher.engine.after(position, moves[-1])
            children = searcher.children_of(children[number].number)
            if not children or len(moves) > 40:
                break
            number = max(range(len(children)), key=lambda i: self._merit(children[i]))
            if children[number].visits < 2 and children[number].proven < 0:
                break
        return Line(self._value(first, player), tuple(moves), len(moves))

    def _value(self, node: Node, player: int) -> int:
        """Return the value for a player, in hundredths."""
        if node.proven > 0:
            won = WIN - 1 - node.far
            return won if node.proven >> player & 1 else -won
        return hundredths(self._share(node, player))

    def _share(self, node: Node, player: int) -> float:
        """Return the mean reward of a node for a player, 0 to 1."""
        if node.proven >= 0:
            return 0.5 if node.proven == 0 else float(node.proven >> player & 1)
        return node.reward_asked if node.visits else 0.5

    def _merit(self, node: Node) -> tuple[int, int, float]:
        """Return the sort key of a move: a proven win, the sooner the better, then visits, then a loss, the later the
        better; chance has no best moves."""
        is_chance = self.owner.searcher.program.game.players[node.mover].kind == "random"
        if node.proven > 0 and not is_chance:
            return (1, -node.far, 0.0) if node.proven >> node.mover & 1 else (-1, node.far, 0.0)
        return (0, node.visits, node.reward) if node.proven >= -1 else (-2, 0, 0.0)
