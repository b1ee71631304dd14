"""Questions that nobody asks who only plays: whether a goal holds, what a number is; they tell why games ended.

This is no part of the kernel of `native/`; whoever shows games where there is no interpreter adds it.
"""

from zrf_py.jit.language import entry
from zrf_py.native.kernel import goals, numbers


@entry
def goal_holds(tree: int, player: int) -> int:
    """Whether a goal about the board (by its place in `goal`) holds for a player."""
    return goals.holds(tree, player)


@entry
def number_told(tree: int, player: int) -> int:
    """What a number (by its place in `numbers`) is for a player."""
    return numbers.value(tree, player, -1)
