"""What an engine is, and the contract between engines.

An engine takes one `Program` and answers the questions below. Every engine gives the same moves, in the same order,
the same positions and outcomes, and raises the same faults; `run/rules.py` is the definition.
"""

import functools
from typing import Protocol

from zrf_py.ir.ops import Program
from zrf_py.run.position import Move, Outcome, Position


class Engine(Protocol):
    """Rules of one game, ready to be asked."""

    program: Program

    def __hash__(self) -> int: ...

    def start(self) -> Position:
        """The position a game starts from."""
        ...

    def moves(self, position: Position) -> tuple[Move, ...]:
        """Every legal move or leg; empty when the game is over.

        :raises RulesFault: if a block of the rules never ends on this position.
        """
        ...

    def after(self, position: Position, move: Move) -> Position:
        """The position after one of its moves; the turn passes on unless the same piece must go on."""
        ...

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        """How the game ended in this position, None while it goes on; `repetitions` counts its occurrences."""
        ...

    def is_attacked(self, position: Position, player: int) -> bool:
        """Whether some opponent could take a royal piece of the player."""
        ...


def say_slow(error: ImportError) -> None:
    """Let the user know, once for each reason, that the interpreter does what machine code could do."""
    _say_once(str(error))


@functools.cache
def _say_once(reason: str) -> None:
    import logging

    logging.getLogger("zrf_py").warning(
        "the interpreter plays, slowly: the native engine can't be used here (%s)", reason)
