"""Apply all safe fixes to a text; return the new text, the changes and the remaining problems.

A change is kept only if it makes the text better (see `_is_better`): a wrong guess changes nothing.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.balance import settled
from zrf_py.author.editor.fixes import Fix, fixed, fixes
from zrf_py.author.format.files import Rewritten
from zrf_py.author.lint.linting import lints_of
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Source

MAX_TRIES = 400
"""Maximum number of times that one file is compiled again."""
MAX_READ = 10_000_000
"""Maximum number of characters compiled again, or ten times the text if that is more; long files may need more runs."""
MISSPELT = {"unknown-move-type", "flag-never-set"}
"""Codes of the lints that are fixed: names that match nothing, probably because they are misspelt."""
_lints = lru_cache(maxsize=2)(lints_of)


@dataclass(frozen=True)
class Done:
    """A change: the message that led to it, its line in the text to which it was applied, and a short description."""

    message: Diagnostic
    line: int
    title: str


@dataclass(frozen=True)
class Fixed(Rewritten):
    """A text before and after, its original problems, the changes, and the problems left to the author."""

    LABEL = "fixed"
    problems: tuple[Diagnostic, ...]
    done: tuple[Done, ...]
    left: tuple[Diagnostic, ...]


def fix_text(name: str, text: str, path: Path | None = None) -> Fixed:
    """Apply all safe fixes to a text; return the result. Includes are resolved beside `path`.

    >>> fix_text("a.zrf", '(version "zrf+")').changed
    False
    """
    first = settled(analyse(Source(name, text), path))
    last, done = _mended(first, iter(range(min(MAX_TRIES, max(10, MAX_READ // max(1, len(text)))))))
    return Fixed(name, text, last.source.text, (*_problems(first),), (*done,), (*_problems(last),))


def _mended(analysis: Analysis, tries: Iterator[int]) -> tuple[Analysis, list[Done]]:
    """Apply all safe fixes, taking one of `tries` for each attempt; return the last analysis and the changes."""
    done: list[Done] = []
    refused: set[tuple[str, str, str]] = set()
    while True:
        step = next(((problem, fix) for problem in _open(analysis) for fix in _certain(analysis, problem)
                     if _key(problem, fix) not in refused), None)
        if step is None or next(tries, None) is None:
            break
        problem, fix = step
        after, more = settled(fixed(analysis, fix)), list[Done]()
        if after.is_read and not analysis.is_read and not _is_better(analysis, after):
            after, more = _mended(after, tries)  # mistakes that the parentheses had hidden
        if _is_better(analysis, after):
            line, _ = analysis.source.position(fix.edits[0].span.start)
            done += [Done(problem, line, fix.title), *more]
            analysis = after
        else:
            refused.add(_key(problem, fix))
    return analysis, done


def _problems(analysis: Analysis) -> list[Diagnostic]:
    return [message for message in analysis.diagnostics if message.severity in ("error", "warning")]


def _open(analysis: Analysis) -> Iterator[Diagnostic]:
    """Yield problems to fix (only errors if the text can't be read, as words may be misread), then misspelt names."""
    yield from (_problems(analysis) if analysis.is_read else analysis.errors)
    yield from (lint for lint in _lints(analysis) if lint.code in MISSPELT)


def _certain(analysis: Analysis, problem: Diagnostic) -> list[Fix]:
    """Return the sure fixes for a problem that edit only this text and leave nothing to fill in."""
    return [fix for fix in fixes(analysis, problem) if fix.sure and all(
        edit.span.source is analysis.source and "?\")" not in edit.text and "…" not in edit.text
        for edit in fix.edits)]


def _key(problem: Diagnostic, fix: Fix) -> tuple[str, str, str]:
    """Return a key for a refused fix: code, preceding text, title. Edits elsewhere in the text don't change the key."""
    origin = problem.origin
    before = origin.span.source.text[max(0, origin.span.start - 40) : origin.span.end] if origin else ""
    return problem.code, before, fix.title


def _is_better(before: Analysis, after: Analysis) -> bool:
    """Return whether `after` has no new problem, and fewer problems or errors than `before` without more of the other.
    If both numbers are equal, `after` must have fewer lints, and no new one.

    New warnings are allowed if parentheses were unbalanced before, since these hide warnings.
    """
    were, are = ((len(items), len(analysis.errors)) for analysis in (before, after) for items in [_problems(analysis)])
    fewer = are[0] <= were[0] and are[1] <= were[1] and (are != were or Counter(
        map(_sameness, _lints(after))) < Counter(map(_sameness, _lints(before))))
    new = Counter(map(_sameness, _problems(after))) - Counter(map(_sameness, _problems(before)))
    return fewer and all(severity == "warning" and not before.is_read for severity, *_ in new)


def _sameness(problem: Diagnostic) -> tuple[str, str, str]:
    return problem.severity, problem.code, problem.message
