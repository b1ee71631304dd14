"""Time for the moves of each player: so many seconds for the game, and some more with every turn."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MAX_SECONDS = 24 * 3600
MAX_INCREMENT = 600


@dataclass
class Clock:
    """`left` are the seconds of each player; `running` is whose run since `since`, "" while none do."""

    seconds: float
    increment: float
    left: dict[str, float] = field(default_factory=dict)
    running: str = ""
    since: float = 0.0

    @staticmethod
    def wished(wish: Any, players: Iterable[str]) -> Clock | None:
        """A clock as a page asks for it, `[seconds, increment]`; None for anything that isn't one."""
        if not (isinstance(wish, list) and len(wish) == 2 and all(type(n) in (int, float) for n in wish)):
            return None
        seconds, increment = wish
        if not (1 <= seconds <= MAX_SECONDS and 0 <= increment <= MAX_INCREMENT):
            return None
        return Clock(seconds, increment, dict.fromkeys(players, float(seconds)))

    def now(self, player: str) -> float:
        """Seconds that a player has left now."""
        left = self.left.get(player, 0.0)
        return left - (time.monotonic() - self.since) if player == self.running else left

    def run(self, player: str) -> None:
        """From now on the time of one player runs, or nobody's (""); who was to move gets the increment for a turn."""
        if player == self.running:
            return
        if self.running:
            self.left[self.running] = max(0.0, self.now(self.running)) + (self.increment if player else 0.0)
        self.running = player if player in self.left else ""
        self.since = time.monotonic()

    def fresh(self) -> Clock:
        """The same clock for another game."""
        return Clock(self.seconds, self.increment, dict.fromkeys(self.left, self.seconds))

    def told(self) -> dict[str, Any]:
        """The clock as a page shows it, in seconds."""
        return {"seconds": self.seconds, "increment": self.increment, "running": self.running,
                "left": {name: round(max(0.0, self.now(name)), 2) for name in self.left}}

    def as_json(self) -> list[Any]:
        """The clock as stored on disk; no time runs while the server is down."""
        return [self.seconds, self.increment, {name: self.now(name) for name in self.left}]

    @staticmethod
    def from_json(data: Any) -> Clock | None:
        """Restore a clock from `as_json`; None if `data` is no list of three."""
        if not isinstance(data, list) or len(data) != 3:
            return None
        return Clock(float(data[0]), float(data[1]), {str(k): float(v) for k, v in dict(data[2]).items()})
