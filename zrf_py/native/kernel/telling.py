"""Queries that only explain positions: whether a goal holds, the value of a number.

`native/` does not compile this module; programs that show games without an interpreter (`export/wasm.py`) add it.
"""

from zrf_py.jit.language import entry
from zrf_py.native.kernel import goals, numbers


@entry
def goal_holds(tree: int, player: int) -> int:
    """Return whether a goal about the board, by its index in `goal`, holds for a player."""
    return goals.holds(tree, player)


@entry
def number_told(tree: int, player: int) -> int:
    """Return a number's value for a player, by its index in `numbers`."""
    return numbers.value(tree, player, -1)
