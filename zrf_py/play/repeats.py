"""How often the positions of a game have occurred, counted once along the whole game."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Protocol, Self

from zrf_py.run import position as run

_counting = Lock()
"""Held while a count is handed on."""


@dataclass(eq=False)
class Met:
    """How often each position has occurred until `last`; several may hold it, one after the other the last."""

    times: Counter[object]
    last: object = None


class Occurs(Protocol):
    """A position of a game, with those before it."""

    state: run.Position
    met: Met | None

    def line(self) -> Iterator[Self]: ...


def times(here: Occurs) -> int:
    """How often a position has occurred in its game, now included. Threads may ask about games that share positions."""
    with _counting:
        return _counted(here).times[here.state.key()]


def _counted(here: Occurs) -> Met:
    """What has occurred until here: that of the latest position before for which it is known, and what came since.

    The count is handed on, so that along a game each position is counted once.
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
