"""Argument validation for public functions; a bad argument raises `ZrfError` with code `bad-argument`."""

import operator
from collections.abc import Collection
from typing import Any

from zrf_py.text.diagnostics import ZrfError

MOST = 2**31 - 1
"""Upper bound of arguments that count games, plies or positions."""

DEEPEST = 400
"""Maximum depth of a perft, in plies."""


def integer(value: Any) -> int | None:
    """Convert a Python or numpy integer to an int; return None for anything else, booleans included."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return an integer argument (of Python or numpy) as `int`; `least` and `most` are inclusive bounds.

    :raises ZrfError: if the value is not an integer, is a boolean, or is out of bounds.
    """
    number = integer(value)
    if number is None or (least is not None and number < least) or (most is not None and number > most):
        bounds = f" from {least:,} to {most:,}" if most is not None else ""
        raise bad(name, value, f"give a whole number{bounds}")
    return number


def want(name: str, value: Any, kinds: Any, instead: str) -> None:
    """Check the type of an argument; `instead` describes an acceptable value for the message.

    :raises ZrfError: if it is of none of the `kinds`, or is a boolean, unless `kinds` is `bool`.
    """
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise bad(name, value, f"give {instead}")


def one_of(name: str, value: Any, choices: Collection[str], or_none: bool = False) -> Any:
    """Return a text argument that must be one of `choices` (or None, if allowed).

    :raises ZrfError: if it isn't.
    """
    if not (value is None and or_none) and (not isinstance(value, str) or value not in choices):
        raise bad(name, value, "give one of " + ", ".join(choices))
    return value


def bad(name: str, value: Any, help: str) -> ZrfError:
    """Return the error for an invalid argument."""
    return ZrfError(f"`{name}` can't be {repr(value)[:80]}", "bad-argument", help=help)
