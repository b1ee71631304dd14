"""Document model of the rules in words: sections of paragraphs, lists and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class TextLine:
    """A line of a list, with the lines below it."""

    text: str
    inner: tuple[TextLine, ...] = ()

    def texts(self) -> Iterator[str]:
        """Yield the text of the line and of all lines below it."""
        yield self.text
        for line in self.inner:
            yield from line.texts()

    def rewritten(self, change: Callable[[str], str]) -> TextLine:
        """Return the line with `change` applied to its text and to those of all lines below it, in their order."""
        return TextLine(change(self.text), tuple(line.rewritten(change) for line in self.inner))


@dataclass(frozen=True)
class Paragraph:
    """A few sentences; `author`: the words of the file's author that are quoted in them."""

    text: str
    author: str = ""


@dataclass(frozen=True)
class Listing:
    """A list of lines."""

    lines: tuple[TextLine, ...]


@dataclass(frozen=True)
class Picture:
    """A board as an `<svg>` element and as lines of text, with its caption.

    `colours` explains colours that only the SVG has ("": none).
    `start` is the square of the piece whose moves are shown (-1: none), `quiet` are the squares it may go to (or the
    squares of a zone), `takes` are squares where it could capture an enemy.
    """

    svg: str
    text: str
    caption: str
    start: int = -1
    quiet: tuple[int, ...] = ()
    takes: tuple[int, ...] = ()
    colours: str = ""


Block = Paragraph | Listing | Picture


@dataclass(frozen=True)
class Section:
    """A heading and the blocks below it; `level` is that of the heading, as in HTML."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 2

    def lists(self) -> Iterator[tuple[TextLine, ...]]:
        """Yield the lines of each list."""
        yield from (block.lines for block in self.blocks if isinstance(block, Listing))

    def relisted(self, change: Callable[[tuple[TextLine, ...]], tuple[TextLine, ...]]) -> Section:
        """Return the section with `change` applied to the lines of each list."""
        return replace(self, blocks=tuple(
            Listing(change(block.lines)) if isinstance(block, Listing) else block for block in self.blocks))


@dataclass(frozen=True)
class Rules:
    """The rules of one game."""

    title: str
    language: str
    sections: tuple[Section, ...]
