"""Looking names up, and saying what is wrong when a name is not there. Used by the checking stages and by `lower`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from zrf_py.front.nodes import Atom
from zrf_py.text.diagnostics import Report
from zrf_py.text.suggest import clipped, listing, suggest

_UNFILLED = re.compile(r"\$[0-9]")
_UNREAD = {"unexpected", "incomplete", "unknown-keyword"}
"""Codes of forms that were left out, and what they define with them."""
_FEW = 12
"""Up to so many known names are listed beside a suggestion."""


MAX_NUMBER = 1_000_000_000


def whole_number(text: str) -> int:
    """The value of a number as written; beyond a thousand million, where nothing in a game is, it stops.

    >>> whole_number("-48"), whole_number("9" * 5000)
    (-48, 1000000000)
    """
    return max(-MAX_NUMBER, min(MAX_NUMBER, int(text[:12])))


def look_up(table: Mapping[str, int], name: Atom, kind: str, report: Report, others: Iterable[str] = ()) -> int:
    """The number of `name` in `table`; an unknown name is reported as `unknown-<kind>` and gives -1.

    `others` are further names that would have been right here, for the suggestion only.
    """
    number = table.get(name.text)
    if number is None:
        unknown(table, name, kind, report, others)
        return -1
    return number


def unknown(
    table: Iterable[str], name: Atom, kind: str, report: Report, others: Iterable[str] = (), message: str = "",
) -> None:
    """Report `name` as an unknown `kind`.

    Says nothing where something else has been reported that must be the reason: a `$n` that nothing filled, or a table
    that is empty because what defines its names could not be read.
    """
    known = list(table)
    if _UNFILLED.search(name.text) or (not known and any(d.code in _UNREAD for d in report.errors)):
        return
    guess = suggest(name.text, [*known, *others])
    article = "an" if kind[0] in "aeiou" else "a"
    listed = f"{kind}s: {listing(known)}" if known else f"this game has no {kind} at all"
    report.add(
        f"unknown-{kind}",
        message or f"`{clipped(name.text)}` is not {article} {kind} of this game",
        name.origin,
        label="not known here" if message else f"no such {kind}",
        help=f"did you mean `{guess}`? {listed}" if guess and len(known) <= _FEW else f"did you mean `{guess}`?"
        if guess else listed,
    )
