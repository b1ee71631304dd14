"""Repetition counts of the positions of a game, extended incrementally along the game."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Protocol, Self

from zrf_py.run import position as run

_counting = Lock()
"""Lock held while a count is extended."""


@dataclass(eq=False)
class Met:
    """Number of occurrences of each position until `last`; a shared object that moves on to later positions."""

    times: Counter[object]
    last: object = None


class Occurs(Protocol):
    """A position of a game with its history."""

    state: run.Position
    met: Met | None

    def line(self) -> Iterator[Self]: ...


def times(here: Occurs) -> int:
    """Return the number of occurrences of a position in its game, including this one. Thread-safe."""
    with _counting:
        return _counted(here).times[here.state.key()]


def _counted(here: Occurs) -> Met:
    """Return the counts until here: those of the latest previous position that has them, plus the positions since.

    The counts are moved from there to here, so that along a game each position is counted once.
    """
    met, since = Met(Counter()), []
    for position in here.line():
        if position.met is not None and position.met.last is position:
            met = position.met
            break
        since.append(position)
    for position in reversed(since):
        met.times[position.state.key()] += 1
    met.last, here.met = here, met
    return met
