"""The engine protocol and its contract.

An engine serves one `Program`. All engines generate the same moves in the same order, reach the same positions and
outcomes, and raise the same faults; `run/rules.py` is the reference.
"""

import functools
from typing import Protocol

from zrf_py.ir.ops import Program
from zrf_py.run.position import Move, Outcome, Position


class Engine(Protocol):
    """Move generator and referee for one game."""

    program: Program

    def __hash__(self) -> int: ...

    def start(self) -> Position:
        """Return the start position."""
        ...

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Return every legal move or leg; empty when the game is over, except by repetition.

        :raises RulesFault: if the rules can't be followed on this position, for example because a block never ends.
        """
        ...

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move; the turn passes on unless the same piece can continue."""
        ...

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """Return the outcome of a finished game, else None; `repetitions` counts the position's occurrences so far."""
        ...

    def is_attacked(self, position: Position, player: int) -> bool:
        """Return whether some opponent could capture a royal piece of the player."""
        ...


def say_slow(error: ImportError) -> None:
    """Warn, once per reason, that the slow interpreter plays in place of machine code."""
    _say_once(str(error))


@functools.cache
def _say_once(reason: str) -> None:
    import logging

    logging.getLogger("zrf_py").warning(
        "the slower interpreter is used: the native engine can't be used here (%s)", reason)
