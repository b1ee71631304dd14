"""Problems as values: what is wrong, where, and what to type instead.

A stage never prints and rarely raises: it appends a `Diagnostic` to a `Report` and goes on, so that one run shows
every problem. Rendering for people and programs is in `render.py`; every code's meaning is in `codes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
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


MAX_PROBLEMS = 250
"""How many problems of one run are worth telling."""


@dataclass(slots=True)
class Report:
    """Collects problems; the same code at the same place is kept once, and counted.

    At `MAX_PROBLEMS` it ends the run by raising `GaveUp`: nobody reads more, and making messages takes time.
    """

    items: list[Diagnostic] = field(default_factory=list)
    repeats: dict[int, int] = field(default_factory=dict)
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
        span = origin.span if origin else None
        key = (code, id(span.source), span.start, span.end) if span else (code, message)
        if key in self._seen:
            index = self._seen[key]
            self.repeats[index] = self.repeats.get(index, 1) + 1
            return
        if len(self.items) >= MAX_PROBLEMS:
            self.give_up("too-many-problems", f"there are more than {MAX_PROBLEMS} problems", None)
        self._seen[key] = len(self.items)
        self.items.append(Diagnostic(code, message, origin, label, tuple(notes), help, severity, tuple(related)))

    def give_up(self, code: str, message: str, origin: Origin | None, *, help: str = "") -> NoReturn:
        """Report a problem that makes it useless to go on.

        :raises GaveUp: always.
        """
        self.items.append(Diagnostic(code, message, origin, help=help))
        raise GaveUp(self.items)

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity == "error"]

    def check(self) -> None:
        """Raise what has been found, if any of it is an error.

        :raises ZrfError: with every diagnostic so far.
        """
        if self.errors:
            raise ZrfError(self.items)


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


class GaveUp(ZrfError):
    """A stage ended before its work was done; what it found is in its report."""
