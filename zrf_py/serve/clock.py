"""Clocks: each player has a number of seconds for the game, and an increment for each turn."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

MAX_SECONDS = 24 * 3600
MAX_INCREMENT = 600


@dataclass
class Clock:
    """Clocks of a game: `left` has each player's seconds; the clock of `running` ("": none) has run since `since`."""

    seconds: float
    increment: float
    left: dict[str, float] = field(default_factory=dict)
    running: str = ""
    since: float = 0.0

    @staticmethod
    def wished(wish: Any, players: Iterable[str]) -> Clock | None:
        """Return the clock that a page requests as `[seconds, increment]`; None if the request is invalid."""
        if not (isinstance(wish, list) and len(wish) == 2 and all(type(n) in (int, float) for n in wish)):
            return None
        seconds, increment = wish
        if not (1 <= seconds <= MAX_SECONDS and 0 <= increment <= MAX_INCREMENT):
            return None
        return Clock(seconds, increment, dict.fromkeys(players, float(seconds)))

    def now(self, player: str) -> float:
        """Return the seconds that a player has left now; 0 or less if the time has run out."""
        left = self.left.get(player, 0.0)
        return left - (time.monotonic() - self.since) if player == self.running else left

    def run(self, player: str) -> None:
        """Start the clock of one player, or stop all (""); a player whose turn ends gets the increment."""
        if player == self.running:
            return
        if self.running:
            self.left[self.running] = max(0.0, self.now(self.running)) + (self.increment if player else 0.0)
        self.running = player if player in self.left else ""
        self.since = time.monotonic()

    def fresh(self) -> Clock:
        """Return the same clock, reset for another game."""
        return Clock(self.seconds, self.increment, dict.fromkeys(self.left, self.seconds))

    def for_page(self) -> dict[str, Any]:
        """Return the clock for a page, in seconds."""
        return {"seconds": self.seconds, "increment": self.increment, "running": self.running,
                "left": {name: round(max(0.0, self.now(name)), 2) for name in self.left}}

    def as_json(self) -> list[Any]:
        """Return the clock for storage; no time runs while the server is down."""
        return [self.seconds, self.increment, {name: self.now(name) for name in self.left}]

    @staticmethod
    def from_json(data: Any) -> Clock | None:
        """Restore a clock from `as_json`; None if `data` is not a list of three."""
        if not isinstance(data, list) or len(data) != 3:
            return None
        return Clock(float(data[0]), float(data[1]), {str(k): float(v) for k, v in dict(data[2]).items()})
