"""Repetition counts of the positions of a game, extended incrementally along the game."""

from collections import Counter
from dataclasses import dataclass
from threading import Lock
from typing import Any

Position = Any
"""The class of `play/game.py`, which imports this module."""
_counting = Lock()
"""Lock held while counts are extended."""


@dataclass(eq=False)
class Occurrences:
    """Number of occurrences of each position up to `last`; the object is handed on from position to position."""

    times: Counter[object]
    last: object = None


def times(position: Position) -> int:
    """Return the number of occurrences of a position in its game, including this one. Thread-safe."""
    with _counting:
        return _counted(position).times[position.state.key()]


def _counted(target: Position) -> Occurrences:
    """Return the counts up to `target`: those of the latest earlier position that has counts, plus the positions since.

    The same counts then belong to `target`, so that each position of a game is counted only once.
    """
    counts, since = Occurrences(Counter()), list[Position]()
    for position in target.line():
        if position.occurrences is not None and position.occurrences.last is position:
            counts = position.occurrences
            break
        since.append(position)
    for position in reversed(since):
        counts.times[position.state.key()] += 1
    counts.last, target.occurrences = target, counts
    return counts
