"""Nodes of a puzzle's state space and their successors. Types only, so that importing them does not import LLVM."""

from dataclasses import dataclass
from typing import Any

Node = Any
"""A position in the representation of a state space."""
ANY_VALUE = 1 << 62
"""Upper bound on the value of a position."""


@dataclass(frozen=True, slots=True)
class Children:
    """The complete turns of a position, in parallel lists: key and value of the position after each, whether the game
    is over there, whether it is solved, and the number of legs."""

    keys: list[int]
    values: list[int]
    ended: list[bool]
    solved: list[bool]
    legs: list[int]
    complete: bool
    """False if turns were omitted for lack of room."""
    dropped: int = 0
    """Number of turns omitted because of their values."""
