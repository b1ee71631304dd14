"""A bound for the interpreter by work, not by time: what is left unfinished is the same on any machine.

Rules may ask for a thousand million operations before the first move without anything being wrong with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from zrf_py.run import interpret
from zrf_py.run.interpret import Doing

MOST = 2_000_000
"""Operations of move code for one input: some two seconds."""


class TooMuchWork(BaseException):
    """The interpreter has done its share for an input; no `except Exception` holds it up."""


class _Counted(dict[str, Doing]):
    """The interpreter's table of operations, which counts how often it is asked."""

    left = MOST

    def __getitem__(self, name: str) -> Doing:
        self.left -= 1
        if self.left < 0:
            raise TooMuchWork
        return super().__getitem__(name)


@contextmanager
def bounded(most: int = MOST) -> Iterator[None]:
    """Let the interpreter carry out so many operations, then raise `TooMuchWork` in its midst."""
    table = interpret.TABLE
    counted = _Counted(table)
    counted.left = most
    interpret.TABLE = counted
    try:
        yield
    finally:
        interpret.TABLE = table
