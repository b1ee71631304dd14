"""The turns of a position of a puzzle, as the native engine tells them. Types only: to name them takes no LLVM."""

from dataclasses import dataclass

ANY_VALUE = 1 << 62
"""More than any value of a position of a puzzle."""


@dataclass(frozen=True, slots=True)
class Children:
    """The turns of a position, by number: keys and values of where they lead, and whether that is the end and a win."""

    keys: list[int]
    values: list[int]
    ended: list[bool]
    solved: list[bool]
    legs: list[int]
    complete: bool
    """Whether none was left out for want of room."""
    dropped: int = 0
    """How many were left out for their values."""
