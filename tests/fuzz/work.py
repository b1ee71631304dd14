"""A limit on the interpreter's work instead of its time: the same inputs stay unfinished on any machine.

Rules may need a billion operations before the first move, although there is nothing wrong with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from zrf_py.run import interpret
from zrf_py.run.interpret import Doing

MOST = 2_000_000
"""Maximum number of operations of move code for one input: about two seconds."""


class TooMuchWork(BaseException):
    """The interpreter has reached its limit for an input; no `except Exception` catches this."""


class _Counted(dict[str, Doing]):
    """The interpreter's table of operations; it counts the look-ups."""

    left = MOST

    def __getitem__(self, name: str) -> Doing:
        self.left -= 1
        if self.left < 0:
            raise TooMuchWork
        return super().__getitem__(name)


@contextmanager
def bounded(most: int = MOST) -> Iterator[None]:
    """Let the interpreter execute `most` operations, then raise `TooMuchWork` in the middle of its work."""
    table = interpret.TABLE
    counted = _Counted(table)
    counted.left = most
    interpret.TABLE = counted
    try:
        yield
    finally:
        interpret.TABLE = table
