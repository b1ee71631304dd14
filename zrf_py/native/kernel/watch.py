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
    """Called in a visited turn while its end is on the board; return whether it counts.

    `m` is the record of its last leg, `number` the leg's index among the legal ones of the row `at`.
    """
    return 0


@hook
def has_enough_turns() -> int:
    """Return whether no further turn needs to be visited."""
    return 0
