"""Places in rules files: where a piece of text was written, and through which macros it came.

Holds types only. Every later stage keeps an `Origin` on what it makes, so that a message can point at the smallest
piece of text that somebody typed, and list the macro calls that brought it there.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from zrf_py.text.packing import packed


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """One text: `name` is what messages call it (usually a path), `text` its decoded content."""

    name: str
    text: str

    def __repr__(self) -> str:
        """Short: every token of a game leads here, and a failing test shows what it compared."""
        return f"<Source {self.name}>"

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets at which lines begin; the first is 0."""
        return [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@packed
@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` (included) to `end` (excluded) of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


@packed
@dataclass(frozen=True, slots=True)
class Expansion:
    """One macro call: the text `call` was replaced by the body of `macro`; `parent` is the call around it."""

    macro: str
    definition: Span
    call: Span
    parent: Expansion | None


@packed
@dataclass(frozen=True, slots=True)
class Origin:
    """Where a token comes from.

    A token that a macro call passed as an argument keeps the span the caller wrote, and `slots` holds the `$n` it
    filled. A token pasted together (`p$1`) keeps the span in the macro body, with the arguments' spans in `slots`.
    A form that several calls share keeps the chain of the first of them.
    """

    span: Span
    via: Expansion | None = None
    slots: tuple[Span, ...] = field(default=())

    def __str__(self) -> str:
        return str(self.span)
