"""Limits → how many positions a search may visit before it is asked again."""

import time
from dataclasses import dataclass, field

from zrf_py.search.limits import GLANCE, Limits
from zrf_py.search.result import Stop

RESERVE = 0.003
"""Seconds of a time limit that are left for what follows the search."""
SLICE = 0.015
"""Seconds after which Python is back in charge."""


@dataclass
class TimeManager:
    """The clock of one search; it begins when this is made."""

    limits: Limits
    stop: Stop | None
    speed: float = 200_000.0
    """Positions a second, as seen so far."""
    began: float = field(default_factory=time.perf_counter)
    _last: tuple[int, float] = (0, 0.0)

    def start(self) -> None:
        """From here on positions are visited."""
        self._last = 0, time.perf_counter()

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float | None:
        """Seconds until the time is over; None without a limit of time."""
        return None if self.limits.time is None else self.limits.time - RESERVE - self.seconds

    def slice(self, visited: int) -> int:
        """How many positions may be visited before this is asked again; 0 to stop."""
        now = time.perf_counter()
        before, then = self._last
        if visited - before > 200 and now > then:
            self.speed = (visited - before) / (now - then)
        self._last = visited, now
        if self.stop and self.stop():
            return 0
        wanted = self.speed * SLICE
        if (left := self.left) is not None:
            if left <= 0:
                return min(GLANCE, self.limits.nodes or GLANCE) if visited == 0 else 0
            wanted = min(wanted, 0.7 * left * self.speed + 1)
        if self.limits.nodes is not None:
            wanted = min(wanted, self.limits.nodes - visited)
        return int(max(0, wanted)) or int(self.limits.nodes is None)
