"""Native kinds of search: alpha-beta, Monte-Carlo tree search, beam search. The driver turns limits into budgets, runs
the search and reads its lines."""

import time
from dataclasses import dataclass, field

from zrf_py.search.base import Base
from zrf_py.search.chance import is_drawn, next_player
from zrf_py.search.evaluation.weights import shows_leader
from zrf_py.search.limits import A_SECOND, CPU_RESERVE, GLANCE, RESERVE, SLICE, SPEEDS, Limits, table_bits, tree_room
from zrf_py.search.memory import MANY
from zrf_py.search.plan import Lines, MctsSettings, Weights
from zrf_py.search.result import Analysis, Request, Stop
from zrf_py.search.searcher import Searcher
from zrf_py.search.traits import BEAM, TREE


@dataclass
class TimeManager:
    """Clock of one search, started on construction, in the thread that searches."""

    limits: Limits
    stop: Stop | None
    speed: float = SPEEDS["first"]
    """Positions per second, as measured last; if processor time is limited, per second of processor time."""
    began: float = field(default_factory=time.perf_counter)
    cpu_began: float = field(default_factory=time.thread_time)
    _last: tuple[int, float] = (0, 0.0)

    def start(self) -> None:
        """Mark the start of the search proper."""
        self._last = 0, self._now()

    def _now(self) -> float:
        return time.perf_counter() if self.limits.cpu is None else time.thread_time()

    @property
    def seconds(self) -> float:
        """Seconds since construction."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float | None:
        """Seconds left until the nearer limit; None if neither time nor processor time is limited."""
        limits = self.limits
        left = None if limits.time is None else limits.time - RESERVE - self.seconds
        if limits.cpu is None:
            return left
        cpu = limits.cpu - CPU_RESERVE - (time.thread_time() - self.cpu_began)
        return cpu if left is None else min(left, cpu)

    @property
    def nodes_left(self) -> int:
        """Estimate of the positions that may be visited after the last call of `slice`."""
        nodes = MANY if self.limits.nodes is None else self.limits.nodes - self._last[0]
        return nodes if self.left is None else min(nodes, max(0, int(self.left * self.speed)))

    def slice(self, visited: int) -> int:
        """Update the measured speed; return the number of positions to visit before the next call, or 0 to stop."""
        now = self._now()
        before, last_time = self._last
        if visited - before > 200 and now > last_time:
            self.speed = (visited - before) / (now - last_time)
        self._last = visited, now
        if self.stop and self.stop():
            return 0
        budget = self.speed * SLICE
        if (left := self.left) is not None:
            if left <= 0:
                return min(GLANCE, self.limits.nodes or GLANCE) if visited == 0 else 0
            budget = min(budget, 0.7 * left * self.speed + 1)
        if self.limits.nodes is not None:
            budget = min(budget, self.limits.nodes - visited)
        return int(max(0, budget)) or int(self.limits.nodes is None)


LARGEST_TABLE = 21
"""Largest size of the transposition table, as an exponent of two."""
LARGEST_TREE = 1 << 20
TRIES = 3
"""Number of moves drawn for each leg of a rollout; the best one is played."""
REPORT_EVERY = 1.0
"""Seconds between interim results of a tree search; other kinds report after each depth or pass."""


class Driver:
    """Native search of one kind for one game, without state between searches."""

    def __init__(self, base: Base, kind: str) -> None:
        self.base = base
        self.kind = kind
        self.searcher: Searcher = base.searcher

    def analyse(self, request: Request) -> Analysis:
        """Return the best lines of a position in which the game goes on.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        limits, searcher = request.limits, self.searcher
        is_endless = self.kind == TREE and limits.seconds is None and limits.nodes is None  # MCTS has no depth limit
        pace = TimeManager(A_SECOND if is_endless else limits, request.stop)
        self._begin(request)
        pace.start()
        reported_at = time.perf_counter()
        while (budget := pace.slice(searcher.visited)) > 0 and not searcher.go(self.kind, budget, pace.nodes_left):
            is_due = self.kind != TREE or time.perf_counter() - reported_at > REPORT_EVERY
            if request.progress and is_due and searcher.search.at < 0:  # else the root is not in memory
                reported_at = time.perf_counter()
                request.progress(searcher.result(self.kind, request.position, pace.seconds))
        return searcher.result(self.kind, request.position, pace.seconds)

    def _begin(self, request: Request) -> None:
        position, limits, searcher = request.position, request.limits, self.searcher
        searcher.machine.begin_own()
        moves = len(searcher.engine.moves(position))
        count = min(request.count, moves)
        self.base.weigh(position)
        if self.kind == TREE:
            player = next_player(searcher.engine, position) if is_drawn(searcher.program, position) else -1
            settings = mcts_settings(self.base.weights, self.base.lines)
            room = tree_room(limits, LARGEST_TREE)
            searcher.begin_tree(position, request.past, room, settings, request.seed, count, player)
            return
        searcher.prepare(position, request.past, table_bits(limits, LARGEST_TABLE))
        searcher.noise(limits.noise, request.seed)
        if self.kind == BEAM:
            searcher.widen(count, limits.depth, limits.nodes, is_forced=moves == 1)
        else:
            searcher.deepen(count, limits.depth)


def mcts_settings(weights: Weights, rows: Lines) -> MctsSettings:
    """Return the settings: evaluation at the leaves if it can show who is ahead, else rollouts to the game's end."""
    return MctsSettings(True, tries=TRIES) if shows_leader(weights, rows) else MctsSettings(False, rollout_legs=10**6)
