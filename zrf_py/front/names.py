"""Looking names up, and saying what is wrong when a name is not there. Used by the checking stages and by `lower`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from zrf_py.front.nodes import Atom
from zrf_py.text.diagnostics import Report
from zrf_py.text.suggest import listing, suggest

_UNFILLED = re.compile(r"\$[0-9]")


def look_up(table: Mapping[str, int], name: Atom, kind: str, report: Report, others: Iterable[str] = ()) -> int:
    """The number of `name` in `table`; an unknown name is reported as `unknown-<kind>` and gives -1.

    `others` are further names that would have been right here, for the suggestion only.
    """
    number = table.get(name.text)
    if number is None:
        unknown(table, name, kind, report, others)
        return -1
    return number


def unknown(table: Iterable[str], name: Atom, kind: str, report: Report, others: Iterable[str] = ()) -> None:
    """Report `name` as an unknown `kind`; a `$n` that nothing filled has been reported already."""
    if _UNFILLED.search(name.text):
        return
    known = list(table)
    guess = suggest(name.text, [*known, *others])
    report.add(
        f"unknown-{kind.replace(' ', '-')}",
        f"`{name.text}` is not a {kind} of this game" if kind[0] not in "aeiou"
        else f"`{name.text}` is not an {kind} of this game",
        name.origin,
        label=f"no such {kind}",
        help=(f"did you mean `{guess}`? " if guess else "")
        + (f"known: {listing(known)}" if known else f"this game has no {kind} at all"),
    )
