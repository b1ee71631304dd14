"""Name lookup with diagnostics for unknown names. Used by the checking stages and by `lower`."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from zrf_py.front.cures import DEFINE, STANDARD, as_form
from zrf_py.front.keywords import KEYWORDS, PLUS_WORDS
from zrf_py.front.nodes import Atom
from zrf_py.text.diagnostics import TOO, Diagnostic, Report
from zrf_py.text.grouping import by_key
from zrf_py.text.source import Origin, Span
from zrf_py.text.suggest import clipped, is_slip, listing, suggest

_WORD = re.compile(r';[^\n]*|"[^"]*"|[^\s()";]+')
_UNFILLED = re.compile(r"\$[0-9]")
_CELL = re.compile(r"([a-z]+)([0-9]{1,3})", re.I)
_LETTER = re.compile(r"\$[lIi|]?|[%&#@][1-9]")
_REMOVAL = "kill-positions"
PARENTHESES, ELSE_IF, CALL = "put it in its own parentheses", "write `else (if …)`", "to call the macro, write"
"""Beginnings of hints that also concern the word after the reported one; that word is then not reported."""
_UNREAD = {"unexpected", "incomplete", "unknown-keyword", "bad-grid", "odd-name"}
"""Error codes of forms that were left out: the names they define are missing, too."""
_COMPASS = {"n", "e", "s", "w", "ne", "nw", "se", "sw"}
_FEW = 12
"""Largest number of known names that are listed beside a suggestion."""


def warn_of_doubles(kind: str, words: Iterable[str], place: Origin, report: Report) -> None:
    """Warn about each name that a list holds more than once, usually by mistake: a repeated label makes several
    positions with one name, a repeated player a second player."""
    for word in (word for word, count in Counter(words).items() if count > 1):
        report.add("defined-twice", f"{kind} `{clipped(word)}` is listed twice", place, severity="warning")


def look_up(
    table: Mapping[str, int], name: Atom, kind: str, report: Report, others: Iterable[str] = (),
    severity: str = "error", help: str = "",
) -> int:
    """Return the number of `name` in `table`; report an unknown name as `unknown-<kind>` and return -1.

    `others` are further names that would be valid here, for the suggestion only.
    """
    if name.text not in table:
        unknown(table, name, kind, report, others, severity=severity, help=help)
    return table.get(name.text, -1)


def unknown(
    table: Iterable[str], name: Atom, kind: str, report: Report, others: Iterable[str] = (), message: str = "",
    severity: str = "error", help: str = "", otherwise: str = "",
) -> None:
    """Report `name` as an unknown `kind`; if no known name is similar, `otherwise` introduces the list of known ones.

    Nothing is reported if the name holds an unfilled `$n`, or if a form with a syntax error may define it (as any such
    form may if no name of the kind is known). If an earlier problem explains why the name is unknown, this place is
    added to that problem. If a similar name is defined and never used, its definition is reported as misspelt.
    """
    names = list(table)
    message = message or f"`{clipped(name.text)}` is not {'an' if kind[0] in 'aeiou' else 'a'} {kind} of this game"
    unread = any(name.text == word for _, word in report.unread)
    if _UNFILLED.search(name.text) or ((not names or unread)
                                       and any(d.code in _UNREAD or (d.code, kind) == ("missing-players", "player")
                                               for d in report.errors_of(report.part))):
        return
    use = name.origin.span
    cause = next((d for d in report.items if d.origin and _explains(d, d.origin.span, name, kind, names)), None)
    if cause and cause.origin:
        again = _is_about(cause, name, kind) and cause.origin.span != use
        report.add(cause.code, cause.message, cause.origin, severity=severity, related=[(use, TOO)] if again else ())
        return
    removed = report.removed.get(report.part, {}).get(name.text) if kind == "position" else None
    removed = None if removed == use else removed  # the name may be the entry of `kill-positions` itself
    if removed:
        help = f"leave it out here, or in `{_REMOVAL}`"
    elif _LETTER.fullmatch(name.text):
        help = "did you mean `$1`? arguments of a macro are called `$1`, `$2` …"
    elif name.text in report.macros and (kind == "keyword" or not suggest(name.text, names)):
        help = help or f"{CALL} `{as_form(name, report.macros[name.text])}`"
    ends = name.text.split("-") if kind == "position" else []
    if len(ends) == 2 and set(ends) <= set(names):
        help = f"name every position: `{ends[0]} … {ends[1]}`"
    guess = _abbreviated(name.text, [*names, *others]) or suggest(name.text, [*names, *others])
    called = use.source.text[use.start - 1 : use.start] == "(" and not (guess and is_slip(name.text, guess))
    if called and (file := STANDARD.get(name.text)):
        help = f'to use the macro `{name.text}`, write `(include "std/{file}.zrf")` before the game'
    elif kind in ("direction", "piece") and name.text in _COMPASS and len(_COMPASS & {*names, *others}) > 1:
        help = f"add `{name.text}` with its steps to the directions of the board"
    if not help and (lone := _unused(name, [*names, *others], report)):
        report.add(f"unknown-{kind}", f"`{lone.text}` is never used, but {message}", Origin(lone), severity=severity,
                   label="is this misspelt?", help=f"did you mean `{name.text}`?", related=[(use, "used here")])
        return
    help = help or (_beyond(name.text, names) if kind == "position" else "")
    listed = f"{kind}s: {listing(names)}" if names else f"this game has no {kind}s"
    if kind in DEFINE and not guess and not otherwise:
        listed += f"; {DEFINE[kind].format(name=clipped(name.text))}"
    help = help or ((otherwise if names else "") + listed if not guess else
                    f"did you mean `{guess}`?" + (f" {listed}" if len(names) <= _FEW and kind != "keyword" else ""))
    first = next((d for d in report.items if d.code == f"unknown-{kind}" and d.origin and d.help == help
                  and name.origin.slots[:1] == d.origin.slots[:1] != ()), None)
    if first:  # already reported for another call of the macro
        report.add(first.code, first.message, first.origin, severity=severity, related=[(use, TOO)])
        return
    report.add(f"unknown-{kind}", message, name.origin, help=help, severity=severity,
               label=f"no such {kind}" if message.endswith(f"{kind} of this game") else "unknown here",
               related=[(removed, f"`{_REMOVAL}` removes it")] if removed else ())


def _unused(name: Atom, names: list[str], report: Report) -> Span | None:
    """Return the place of a known name that the text holds once only, in its definition, and that looks like `name`,
    which the text holds several times; None if there is none."""
    source = name.origin.span.source
    source = report.file if report.file and report.file.name == source.name else source
    places = by_key((match[0], match.start()) for match in _WORD.finditer(source.text))
    unused = [other for other in names if len(places.get(other, ())) == 1 and other not in KEYWORDS]
    guess = suggest(name.text, unused) if len(places.get(name.text, ())) > 1 else None
    return Span(source, places[guess][0], places[guess][0] + len(guess)) if guess else None


def _is_about(problem: Diagnostic, name: Atom, kind: str) -> bool:
    """Return whether a problem reports the same unknown name."""
    return problem.code == f"unknown-{kind}" and f"`{clipped(name.text)}` is n" in problem.message


def _explains(problem: Diagnostic, place: Span, name: Atom, kind: str, names: list[str]) -> bool:
    """Return whether an earlier problem explains why `name` is unknown: the same name elsewhere, a comma after its
    definition, a duplicate or odd label, or a preceding word that needs parentheses around both."""
    if problem.code == "odd-name":
        return place.text == f"{name.text}," in names or place == name.origin.span
    if name.text in PLUS_WORDS:
        return place.text in PLUS_WORDS
    if problem.code == "defined-twice" or problem.message.startswith("label `"):
        return problem.message.startswith({"position": "label "}.get(kind, f"{kind} "))
    if _is_about(problem, name, kind) or problem.message == f"this {kind} has no name":
        return True
    use, text = name.origin.span, name.origin.span.source.text
    places = [place, *(span for span, _ in problem.related)] if problem.code[8:] in ("direction", "condition") else []
    return any(span.source is use.source and span.end <= use.start and not {*"()"} & {*text[span.end : use.start]}
               and (text[span.start - 1] == "(" or problem.help.startswith((PARENTHESES, ELSE_IF, CALL)))
               for span in places)


def _beyond(word: str, names: list[str]) -> str:
    """Return the hint that a square such as `a9` lies beyond the edge of a board that ends at `h8`, or ""."""
    cells = [(len(m[1]), m[1], int(m[2])) for name in (*names, word) if (m := _CELL.fullmatch(name))]
    if len(cells) <= len(names) / 2 + 1 or not _CELL.fullmatch(word):
        return ""
    (*column, row), columns, rows = cells[-1], sorted(c[:2] for c in cells[:-1]), sorted(c[2] for c in cells[:-1])
    if columns[0] <= tuple(column) <= columns[-1] and rows[0] <= row <= rows[-1]:
        return ""
    twice = word[:-1] if word[-2:-1] == word[-1] and len(str(row)) > len(str(rows[-1])) else ""
    return (f"did you mean `{twice}`? " if twice in names else "") + (
            f"the squares go from `{columns[0][1]}{rows[0]}` to `{columns[-1][1]}{rows[-1]}`: name one of these, or "
            "make the board larger")


def _abbreviated(word: str, names: list[str]) -> str | None:
    """Return the known name with the same meaning (`ne` for `north-east`, `e5` for `5e`), or None."""
    short = re.sub("[-_]|(?<=n)orth|(?<=s)outh|(?<=e)ast|(?<=w)est", "", word.lower())
    turned = re.sub(r"^([0-9]+)([a-z]+)$", r"\2\1", word.lower())
    return next((name for name in (short, turned) if name != word and name in names), None)


def word_before(name: Atom) -> tuple[str, str]:
    """Return the word before a name ("" if a parenthesis is nearer), and the name as written, perhaps `$1`."""
    span = (*name.origin.slots, name.origin.span)[0]
    before = re.search(r"([^\s()]+)\s+$", span.source.text[: span.start])
    return before[1] if before else "", span.text
