"""Problems as values: what is wrong, where, and what to type instead.

A stage never prints and rarely raises: it appends a `Diagnostic` to a `Report` and goes on, so that one run shows
every problem. Rendering for people and programs is in `render.py`; every code's meaning is in `codes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from zrf_py.text.source import Origin, Span


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem.

    `code` is a word from `codes.CODES`; `message` one line, lower case, no full stop, rules words in back-ticks;
    `label` stands under the marked text; `notes` are further facts; `help` is something to type or do.
    `related` are other places that matter, each with the words to stand under it.
    `severity` is "error" (the game can't be played), "warning" (it can, but something is surely not meant) or "note".
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
"""Whose an error is, where it isn't one game's: every game's, or that of the game which turns out to use the text."""
MAX_PROBLEMS = 250
"""How many problems of one run are worth telling."""


@dataclass(slots=True)
class Report:
    """Collects problems; the same code at the same place is kept once, and counted.

    At `MAX_PROBLEMS` it ends the run by raising `GaveUp`: nobody reads more, and making messages takes time.

    A file holds several games, and an error in one must not keep the others from being played: `part` is the number of
    the game that is being worked on, and `blamed` knows the errors of each part, by their place in `items`. What
    stages work out once and share between games says `meet` when it is used again.
    """

    items: list[Diagnostic] = field(default_factory=list)
    repeats: dict[int, int] = field(default_factory=dict)
    part: int = WHOLE_FILE
    blamed: dict[int, set[int]] = field(default_factory=dict)
    met: list[int] = field(default_factory=list)
    """The errors in the order in which they were met, repeated ones included."""
    unread: set[tuple[str, str]] = field(default_factory=set)
    """Kinds and names in forms that could not be read: who misses one of them need not say so."""
    removed: dict[int, dict[str, Span]] = field(default_factory=dict)
    """Names that each part takes away again, with the place where it does."""
    _seen: dict[tuple[object, ...], int] = field(default_factory=dict)

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
        """Append a problem, unless the same code stands at the same place already (then count it)."""
        key = _place(code, message, origin)
        if key in self._seen:
            index = self._seen[key]
            self.repeats[index] = self.repeats.get(index, 1) + 1
            if severity == "error":
                self.meet((index,))
            return
        if len(self.items) >= MAX_PROBLEMS:
            self.give_up("too-many-problems", f"there are more than {MAX_PROBLEMS} problems", None)
        self._seen[key] = len(self.items)
        self.items.append(Diagnostic(code, message, origin, label, tuple(notes), help, severity, tuple(related)))
        if severity == "error":
            self.meet((len(self.items) - 1,))

    def meet(self, errors: Iterable[int]) -> None:
        """The part at hand has these errors, too."""
        found = set(errors)
        if found:
            self.blamed.setdefault(self.part, set()).update(found)
            self.met.extend(found)

    def met_since(self, mark: int) -> frozenset[int]:
        """The errors met since `met` was of length `mark`: for whoever keeps a result, to `meet` them with it."""
        return frozenset(self.met[mark:])

    def meet_at(self, code: str, origin: Origin) -> None:
        """The part at hand has an error that has been reported for this place, if one has."""
        span = origin.span
        index = self._seen.get((code, id(span.source), span.start, span.end))
        if index is not None:
            self.meet((index,))

    def errors_of(self, part: int) -> list[Diagnostic]:
        """The errors of one game of the file, those of the whole file among them."""
        found = self.blamed.get(WHOLE_FILE, set()) | self.blamed.get(part, set())
        return [self.items[i] for i in sorted(found)]

    def give_up(self, code: str, message: str, origin: Origin | None, *, help: str = "") -> NoReturn:
        """Report a problem that makes it useless to go on.

        :raises GaveUp: always.
        """
        self.items.append(Diagnostic(code, message, origin, help=help))
        raise GaveUp(self.items)

    def take(self, other: Report) -> None:
        """Become what another report is, whose places may be copies."""
        self.items, self.repeats, self.blamed, self.met = other.items, other.repeats, other.blamed, other.met
        self.part, self.unread, self.removed = other.part, other.unread, other.removed
        self._seen = {_place(d.code, d.message, d.origin): index for index, d in reversed([*enumerate(self.items)])}

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity == "error"]

    def check(self) -> None:
        """Raise what has been found, if any of it is an error.

        :raises ZrfError: with every diagnostic so far.
        """
        if self.errors:
            raise ZrfError(self.items)


def _place(code: str, message: str, origin: Origin | None) -> tuple[object, ...]:
    """What a problem is counted by."""
    span = origin.span if origin else None
    return (code, id(span.source), span.start, span.end) if span else (code, message)


class ZrfError(Exception):
    """Rules, saved games or input that can't be used; `diagnostics` says why, one entry for each problem."""

    def __init__(self, diagnostics: Iterable[Diagnostic] | str, code: str = "error") -> None:
        if isinstance(diagnostics, str):
            diagnostics = [Diagnostic(code, diagnostics, None)]
        self.diagnostics = list(diagnostics)
        super().__init__(self.summary())

    def summary(self) -> str:
        """The first problem on one line, and how many more there are."""
        errors = [d for d in self.diagnostics if d.severity == "error"] or self.diagnostics
        if not errors:
            return "unknown error"
        first = errors[0]
        place = f"{first.origin}: " if first.origin else ""
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        return f"{place}error[{first.code}]: {first.message}{more}"


@contextmanager
def writing(name: object) -> Iterator[None]:
    """Around what writes a file.

    :raises ZrfError: if it can't be written.
    """
    try:
        yield
    except OSError as error:
        raise ZrfError(f"{name} can't be written: {error.strerror or error}", "unwritable") from None


class GaveUp(ZrfError):
    """A stage ended before its work was done; what it found is in its report."""
