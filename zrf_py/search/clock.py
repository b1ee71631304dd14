"""Time management: turns limits into the number of positions to visit before the next check."""

import time
from dataclasses import dataclass, field

from zrf_py.search.limits import CPU_RESERVE, GLANCE, RESERVE, SLICE, SPEEDS, Limits
from zrf_py.search.memory import MANY
from zrf_py.search.result import Stop


@dataclass
class TimeManager:
    """Clock of one search, started on construction, in the thread that searches."""

    limits: Limits
    stop: Stop | None
    speed: float = SPEEDS["first"]
    """Positions per second, as measured last; where processor time is limited, per second of that."""
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
        """Seconds left by the limit that is nearer; None without a limit of time or processor time."""
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
        """Return the number of positions to visit before the next call; 0: stop."""
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
