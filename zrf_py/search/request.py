"""Requests to a search: position, history, limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zrf_py.run.position import Position
from zrf_py.search.limits import A_SECOND, Limits
from zrf_py.search.result import Analysis, Progress, Stop


@dataclass(frozen=True)
class Request:
    """A request for the best `count` lines of a position in which the game goes on, within `limits`.

    `past` holds earlier positions that could be repeated, oldest first. `progress` receives interim results; when
    `stop` returns True, the search ends. Equal seeds give equal lines, unless time is limited.
    """

    position: Position
    past: Sequence[Position] = ()
    limits: Limits = A_SECOND
    count: int = 1
    seed: int = 0
    progress: Progress | None = None
    stop: Stop | None = None


class Search(Protocol):
    """A search of one kind, for one game."""

    def analyse(self, request: Request) -> Analysis:
        """Return the best lines of a position.

        :raises RulesFault: if a block of the rules does not terminate.
        """
        ...
