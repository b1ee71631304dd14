"""Name lookup with diagnostics for unknown names. Used by the checking stages and by `lower`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from zrf_py.front.cures import DEFINE
from zrf_py.front.keywords import PLUS_WORDS
from zrf_py.front.nodes import Atom
from zrf_py.text.diagnostics import Diagnostic, Report
from zrf_py.text.source import Origin, Span
from zrf_py.text.suggest import clipped, listing, suggest

_UNFILLED = re.compile(r"\$[0-9]")
_CELL = re.compile(r"([a-z]+)([0-9]{1,3})", re.I)
_LETTER = re.compile(r"\$[lIi|]|[%&#@][1-9]")
_REMOVAL = "kill-positions"
PARENTHESES, ELSE_IF = "put it in its own parentheses", "write `else (if …)`"
"""Beginnings of hints that are about the next word, too."""
_UNREAD = {"unexpected", "incomplete", "unknown-keyword", "bad-grid"}
"""Error codes of forms that were left out: the names they define are missing, too."""
_FEW = 12
"""Largest number of known names that are listed beside a suggestion."""


def warn_of_doubles(kind: str, words: Iterable[str], place: Origin, report: Report) -> None:
    """Warn of each name that occurs more than once in a list, which is most often a slip: a repeated label makes
    several positions of one name, a repeated player a second player."""
    for word in (word for word, count in Counter(words).items() if count > 1):
        report.add("defined-twice", f"{kind} `{clipped(word)}` is listed twice", place, severity="warning")


def look_up(
    table: Mapping[str, int], name: Atom, kind: str, report: Report, others: Iterable[str] = (),
    severity: str = "error", help: str = "",
) -> int:
    """Return the number of `name` in `table`; report an unknown name as `unknown-<kind>` and return -1.

    `others` are further names that would be valid here, for the suggestion only.
    """
    number = table.get(name.text)
    if number is None:
        unknown(table, name, kind, report, others, severity=severity, help=help)
        return -1
    return number


def unknown(
    table: Iterable[str], name: Atom, kind: str, report: Report, others: Iterable[str] = (), message: str = "",
    severity: str = "error", help: str = "", otherwise: str = "",
) -> None:
    """Report `name` as an unknown `kind`; if no known name is similar, `otherwise` introduces the list of known ones.

    Reports nothing if an earlier error explains the gap: an unfilled `$n`, or a form with a syntax error that may
    define the name (any such form if no name of the kind is known). A problem that explains it is repeated instead.
    """
    names = list(table)
    if _UNFILLED.search(name.text) or ((not names or (kind, name.text) in report.unread)
                                       and any(d.code in _UNREAD or (d.code, kind) == ("missing-players", "player")
                                               for d in report.errors_of(report.part))):
        return
    cause = next((d for d in report.items if d.origin and _explains(d, d.origin.span, name, kind, names)), None)
    if cause:
        report.add(cause.code, cause.message, cause.origin, severity=severity)
        return
    removed = report.removed.get(report.part, {}).get(name.text) if kind == "position" else None
    if removed == name.origin.span:  # the name is the entry of `kill-positions` itself
        removed = None
    if removed:
        help = f"leave it out here, or in `{_REMOVAL}`"
    elif _LETTER.fullmatch(name.text):
        help = "did you mean `$1`? arguments of a macro are called `$1`, `$2` …"
    elif name.text in report.macros:
        help = help or f"to call the macro, write it in parentheses with its arguments: `({name.text} …)`"
    ends = name.text.split("-") if kind == "position" else []
    if len(ends) == 2 and set(ends) <= set(names):
        help = f"name every position: `{ends[0]} … {ends[1]}`"
    guess = _abbreviated(name.text, [*names, *others]) or suggest(name.text, [*names, *others])
    help = help or (_beyond(name.text, names) if kind == "position" else "")
    article = "an" if kind[0] in "aeiou" else "a"
    listed = f"{kind}s: {listing(names)}" if names else f"this game has no {kind}s"
    if kind in DEFINE and not guess and not otherwise:
        listed += f"; {DEFINE[kind].format(name=clipped(name.text))}"
    report.add(
        f"unknown-{kind}",
        message or f"`{clipped(name.text)}` is not {article} {kind} of this game",
        name.origin,
        label="unknown here" if message else f"no such {kind}",
        related=[(removed, f"`{_REMOVAL}` removes it")] if removed else (),
        help=help or ((otherwise if names else "") + listed if not guess else
                      f"did you mean `{guess}`?" + (f" {listed}" if len(names) <= _FEW else "")),
        severity=severity,
    )


def _explains(problem: Diagnostic, place: Span, name: Atom, kind: str, names: list[str]) -> bool:
    """Return whether an earlier problem leaves `name` unknown: a comma after its definition, a label written twice in
    place of another, a word before it without the parentheses that belong around both."""
    if problem.code == "odd-name":
        return place.text == f"{name.text}," in names or place == name.origin.span
    if name.text in PLUS_WORDS:
        return place.text in PLUS_WORDS
    if problem.code == "defined-twice":
        return problem.message.startswith({"position": "label ", "direction": "direction "}.get(kind, ()))
    use = name.origin.span
    return (problem.help.startswith((PARENTHESES, ELSE_IF)) and place.source is use.source and place.end <= use.start
            and not use.source.text[place.end : use.start].strip())


def _beyond(word: str, names: list[str]) -> str:
    """Return the hint that a square such as `a9` lies beyond the edge of a board that ends at `h8`, or ""."""
    cells = [(len(m[1]), m[1], int(m[2])) for name in (*names, word) if (m := _CELL.fullmatch(name))]
    if len(cells) <= len(names) / 2 + 1 or not _CELL.fullmatch(word):
        return ""
    (*column, row), columns, rows = cells[-1], sorted(c[:2] for c in cells[:-1]), sorted(c[2] for c in cells[:-1])
    if columns[0] <= tuple(column) <= columns[-1] and rows[0] <= row <= rows[-1]:
        return ""
    return (f"the squares go from `{columns[0][1]}{rows[0]}` to `{columns[-1][1]}{rows[-1]}`: name one of these, or "
            "make the board larger")


_COMPASS = (("north", "n"), ("south", "s"), ("east", "e"), ("west", "w"))


def _abbreviated(word: str, names: list[str]) -> str | None:
    """Return the known name with the same meaning: `ne` for `north-east`, `e5` for `5e`."""
    short = word.lower().replace("-", "").replace("_", "")
    for long, letter in _COMPASS:
        short = short.replace(long, letter)
    turned = re.sub(r"^([0-9]+)([a-z]+)$", r"\2\1", word.lower())
    return next((name for name in (short, turned) if name != word and name in names), None)


def word_before(name: Atom) -> tuple[str, str]:
    """Return the word before a name, "" if a parenthesis is nearer, and the name as the text has it, perhaps `$1`."""
    span = (*name.origin.slots, name.origin.span)[0]
    before = re.search(r"([^\s()]+)\s+$", span.source.text[: span.start])
    return before[1] if before else "", span.text
