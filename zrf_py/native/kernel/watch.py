"""What others are told: how the board changes, how turns end. See `hook` in `jit/language.py`."""

from zrf_py.jit.language import hook


@hook
def watch_cell(square: int, old: int, new: int) -> None:
    """A square holds another piece."""


@hook
def watch_store(at: int, old: int, new: int) -> None:
    """An element of `stores` changes."""


@hook
def turn_ends(m: int, number: int, at: int) -> int:
    """A turn that is visited has ended, its end is on the board; whether it counts.

    `m` is the record of its last leg, `number` the leg's number among the legal ones of the row `at`.
    """
    return 0


@hook
def has_enough_turns() -> int:
    """Whether no further turn need be visited."""
    return 0
