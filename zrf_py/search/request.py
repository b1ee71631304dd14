"""What a search is asked: a position, what was played before it, and how far to look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from zrf_py.run.position import Position
from zrf_py.search.limits import A_SECOND, Limits
from zrf_py.search.result import Analysis, Progress, Stop


@dataclass(frozen=True)
class Request:
    """A position in which the game goes on, and what is wanted of it: the best `count` lines within `limits`.

    `past` are earlier positions that could come again, the oldest first. `progress` is told what is known so far;
    when `stop` says so, the search ends with that. The same seed gives the same lines, unless time is a limit.
    """

    position: Position
    past: Sequence[Position] = ()
    limits: Limits = A_SECOND
    count: int = 1
    seed: int = 0
    progress: Progress | None = None
    stop: Stop | None = None

    def tell(self, analysis: Analysis) -> None:
        """Report what is known so far, if anybody asked for it."""
        if self.progress:
            self.progress(analysis)


class Search(Protocol):
    """A kind of search, made ready for one game."""

    def analyse(self, request: Request) -> Analysis:
        """The best lines of a position.

        :raises RulesFault: if a block of the rules never ends on one of the positions.
        """
        ...
