"""Hooks for changes of the board and ends of turns; see `hook` in `jit/language.py`."""

from zrf_py.jit.language import hook


@hook
def watch_cell(square: int, old: int, new: int) -> None:
    """Called when a square gets another piece."""


@hook
def watch_store(at: int, old: int, new: int) -> None:
    """Called when an element of `stores` changes."""


@hook
def turn_ends(m: int, number: int, at: int) -> int:
    """Called by `visit_turns` for each turn, with the position after it on the board; return whether the turn counts.

    `m`: record of the last leg. `at`: row (`turns.py`) of the position before it. `number`: its index among the legal
    moves there.
    """
    return 0


@hook
def has_enough_turns() -> int:
    """Return whether no further turn needs to be visited."""
    return 0
