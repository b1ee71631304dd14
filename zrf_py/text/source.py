"""Types of source locations: spans of text, and the macro calls that a piece of text passed through.

Every compiler stage stores an `Origin` in its results, so that a message can point at the smallest piece of text that
somebody typed, and list the macro calls that brought it there.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PureWindowsPath

from zrf_py.text.packing import packed

LONGEST = 1200
"""Maximum length of a message, in characters."""


def harmless(value: object) -> str:
    """Return the text of a value for a terminal: control and invisible characters become U+FFFD, tabs four blanks."""
    text = str(value)
    if text.isascii() and text.isprintable():
        return text
    return "".join("    " if c == "\t" else "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] == "C" else c
                   for c in text)


def shortened(text: str) -> str:
    """Cut the middle of a message longer than `LONGEST`: it may quote names of any length."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 4 :]}"


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """A source text: its `name` in messages (usually a path) and its decoded `text`."""

    name: str
    text: str

    def __repr__(self) -> str:
        """Return the name only: every token refers to its source, and failing tests print tokens."""
        return f"<Source {self.name}>"

    @cached_property
    def line_starts(self) -> list[int]:
        """Offsets of the beginnings of lines; the first is 0."""
        return [0] + [i + 1 for i, c in enumerate(self.text) if c == "\n"]

    def position(self, offset: int) -> tuple[int, int]:
        """Return (line, column) of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a line (counted from 1) without its line end."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : end if end >= 0 else len(self.text)].rstrip("\r")


@packed
@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` (inclusive) to `end` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    @property
    def place(self) -> str:
        """Base name of the file, and line: `chess.zrf:12`."""
        return f"{PureWindowsPath(self.source.name).name}:{self.source.position(self.start)[0]}"

    def __str__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"


@packed
@dataclass(frozen=True, slots=True)
class Expansion:
    """A macro call: the text `call` was replaced by the body of `macro`; `parent` is the enclosing call."""

    macro: str
    definition: Span
    call: Span
    parent: Expansion | None


@packed
@dataclass(frozen=True, slots=True)
class Origin:
    """Origin of a token or form: its span and, in `via`, the chain of macro calls around it.

    An argument of a macro call has the span in the caller's text, and `slots` holds the `$n` it filled. A pasted token
    (`p$1`) has the span in the macro body, with the arguments' spans in `slots`. A form that several calls share has
    the chain of the first call.
    """

    span: Span
    via: Expansion | None = None
    slots: tuple[Span, ...] = field(default=())

    def __str__(self) -> str:
        return str(self.span)

    @property
    def call(self) -> Origin:
        """Origin of the innermost macro call around the text; of the text itself if it is in no macro."""
        return Origin(self.via.call, self.via.parent) if self.via else self
