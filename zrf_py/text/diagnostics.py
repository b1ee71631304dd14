"""Diagnostics as values: the problem, its location, and what to type instead.

A compiler stage never prints and rarely raises: it appends a `Diagnostic` to a `Report` and goes on, so that one run
shows every problem. `render.py` renders them for people and programs; `codes.py` explains each code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import NoReturn

from zrf_py.text.codes import CODES, Explanation
from zrf_py.text.source import Origin, Source, Span, harmless, shortened


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem.

    `code` is a key of `codes.CODES`; `message` one line, lower case, no full stop, rules words in back-ticks;
    `label` is printed under the marked text; `notes` are further facts; `help` is something to type or do.
    `related` holds other locations, each with its label.
    `severity` is "error" (the game can't be played), "warning" (playable, but probably a mistake) or "note".
    """

    code: str
    message: str
    origin: Origin | None
    label: str = ""
    notes: tuple[str, ...] = ()
    help: str = ""
    severity: str = "error"
    related: tuple[tuple[Span, str], ...] = ()


WHOLE_FILE, NOBODY_YET = -1, -2
"""Values of `Report.part` for an error of every game, and for one that only belongs to the games that use the text."""
TOO = "here, too"
"""Label of a `related` place that has the same mistake."""
MAX_PROBLEMS = 250
"""Maximum number of problems in one report."""


@dataclass(slots=True)
class Report:
    """Collects problems; the same code at the same location is stored once and counted in `repeats` (by index).

    Beyond `MAX_PROBLEMS` it ends the run by raising `GaveUp`: nobody reads more, and making messages takes time.

    An error in one game of a file must not make the others unplayable: `part` is the number of the game being
    compiled, and `blamed` holds the errors of each part, as indexes into `items`. A stage that reuses a shared result
    for another game calls `log_errors` with that result's errors.
    """

    items: list[Diagnostic] = field(default_factory=list)
    repeats: dict[int, int] = field(default_factory=dict)
    part: int = WHOLE_FILE
    blamed: dict[int, set[int]] = field(default_factory=dict)
    error_log: list[int] = field(default_factory=list)
    """Indexes of errors in order of occurrence, with repeats."""
    unread: set[tuple[str, str]] = field(default_factory=set)
    """(kind, name) of names in forms with syntax errors; these names are not reported as unknown elsewhere."""
    removed: dict[int, dict[str, Span]] = field(default_factory=dict)
    """Positions that each part lists in `kill-positions`, with their locations."""
    macros: dict[str, int] = field(default_factory=dict)
    """Names of the file's macros, each with the number of its arguments, for suggestions."""
    file: Source | None = None
    """The text of the file, if parts of it are compiled as sources of their own."""
    _index: dict[tuple[object, ...], int] = field(default_factory=dict)

    def add(
        self,
        code: str,
        message: str,
        origin: Origin | None,
        *,
        label: str = "",
        notes: Iterable[str] = (),
        help: str = "",
        severity: str = "error",
        related: Iterable[tuple[Span, str]] = (),
    ) -> None:
        """Append a problem; if the same code is already reported at this location, only count it and add its `related`
        (if either is an error, the result is one). A missing `label` or `help` is taken from the table of codes.

        :raises GaveUp: beyond `MAX_PROBLEMS`.
        """
        key = _place(code, message, origin)
        if key in self._index:
            index = self._index[key]
            self.repeats[index] = self.repeats.get(index, 1) + 1
            old = self.items[index]
            self.items[index] = replace(old, severity="error" if severity == "error" else old.severity,
                                        related=tuple(dict.fromkeys((*old.related, *related))))
            if severity == "error":
                self.log_errors((index,))
            return
        if len(self.items) >= MAX_PROBLEMS:
            self.give_up("too-many-problems", f"the file has more than {MAX_PROBLEMS} problems", None)
        self._index[key] = len(self.items)
        row = CODES.get(code, Explanation(""))
        label, help = label or row.label, help or row.help
        self.items.append(Diagnostic(code, message, origin, label, tuple(notes), help, severity, tuple(related)))
        if severity == "error":
            self.log_errors((len(self.items) - 1,))

    def log_errors(self, errors: Iterable[int]) -> None:
        """Attribute errors (indexes into `items`) to the current part, too."""
        indexes = set(errors)
        if indexes:
            self.blamed.setdefault(self.part, set()).update(indexes)
            self.error_log.extend(indexes)

    def errors_since(self, mark: int) -> frozenset[int]:
        """Return the entries of `error_log` from `mark` on; a memoised result keeps them for `log_errors` on reuse."""
        return frozenset(self.error_log[mark:])

    def log_error_at(self, code: str, origin: Origin) -> None:
        """Attribute the error with this code and location to the current part, if it has been reported."""
        span = origin.span
        index = self._index.get((code, id(span.source), span.start, span.end))
        if index is not None:
            self.log_errors((index,))

    def errors_of(self, part: int) -> list[Diagnostic]:
        """Return the errors of one game, including those of the whole file."""
        indexes = self.blamed.get(WHOLE_FILE, set()) | self.blamed.get(part, set())
        return [self.items[i] for i in sorted(indexes)]

    def give_up(self, code: str, message: str, origin: Origin | None, *, help: str = "") -> NoReturn:
        """Report a problem and end the run.

        :raises GaveUp: always.
        """
        self.items.append(Diagnostic(code, message, origin, help=help))
        raise GaveUp(self.items)

    def take(self, other: Report) -> None:
        """Take over the problems of another report, such as an unpickled one; rebuild `_index` for their spans."""
        self.items, self.repeats, self.blamed, self.part = other.items, other.repeats, other.blamed, other.part
        self.error_log, self.unread, self.removed = other.error_log, other.unread, other.removed
        self._index = {_place(d.code, d.message, d.origin): index for index, d in reversed([*enumerate(self.items)])}

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity == "error"]

    def check(self) -> None:
        """Raise the diagnostics if there is an error among them.

        :raises ZrfError: with every diagnostic so far.
        """
        if self.errors:
            raise ZrfError(self.items)


def _place(code: str, message: str, origin: Origin | None) -> tuple[object, ...]:
    """Return the key by which duplicate problems are recognised."""
    span = origin.span if origin else None
    return (code, id(span.source), span.start, span.end) if span else (code, message)


class ZrfError(Exception):
    """Error in rules, saved games or input; `diagnostics` has one entry for each problem."""

    def __init__(self, diagnostics: Iterable[Diagnostic] | str, code: str = "error", *, help: str = "") -> None:
        if isinstance(diagnostics, str):
            diagnostics = [Diagnostic(code, diagnostics, None, help=help)]
        self.diagnostics = list(diagnostics)
        super().__init__(self.diagnostics)  # pickling restores these arguments

    def __str__(self) -> str:
        help = next((d.help for d in self.diagnostics if d.severity == "error"), "")
        return shortened(harmless(self.summary())) + (f" (help: {shortened(harmless(help))})" if help else "")

    def summary(self) -> str:
        """Return the first error on one line, with the number of further ones."""
        errors = [d for d in self.diagnostics if d.severity == "error"] or self.diagnostics
        if not errors:
            return "unknown error"
        first = errors[0]
        place = f"{first.origin}: " if first.origin else ""
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return f"{place}error[{first.code}]: {first.message}{more}"


@contextmanager
def writing_result(name: object) -> Iterator[None]:
    """Like `writing`, for files other than rules: their names must not end in .zrf, so that no result replaces a game.

    :raises ZrfError: if the name ends in .zrf, or the file can't be written.
    """
    if str(name).lower().endswith(".zrf"):
        raise ZrfError(f"{name} can't be written: names that end in .zrf are for rules files", "unwritable",
                       help="choose a name that doesn't end in .zrf")
    with writing(name):
        yield


@contextmanager
def writing(name: object) -> Iterator[None]:
    """Context manager that turns an `OSError` while writing a file into a message about `name`.

    :raises ZrfError: if the file can't be written.
    """
    try:
        yield
    except OSError as error:
        raise ZrfError(f"{name} can't be written: {error.strerror or error}", "unwritable") from None


class GaveUp(ZrfError):
    """A stage ended early; its problems are in the report."""
