"""Arguments of public functions, looked at before anything is done with them."""

import operator
from typing import Any

from zrf_py.text.diagnostics import Diagnostic, ZrfError

MOST = 2**31 - 1
"""The largest number of games, plies or positions that may be asked for."""

DEEPEST = 400
"""Plies that may be counted."""


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number, of Python or of numpy, within bounds.

    :raises ZrfError: if the value is something else.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not (
            (least is None or least <= number) and (most is None or number <= most)):
        bounds = f" from {least:,} to {most:,}" if most is not None else ""
        raise bad(name, value, f"give a whole number{bounds}")
    return number


def want(name: str, value: Any, kinds: Any, instead: str) -> None:
    """Check the type of an argument; `instead` is what to give, in words.

    :raises ZrfError: if it is of none of these types.
    """
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise bad(name, value, f"give {instead}")


def bad(name: str, value: Any, help: str) -> ZrfError:
    """The error for an argument that does not fit."""
    return ZrfError([Diagnostic("bad-argument", f"`{name}` can't be {repr(value)[:80]}", None, help=help)])
