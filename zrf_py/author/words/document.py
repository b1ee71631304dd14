"""Document model of the rules in words: sections of paragraphs, lists and pictures. Types only."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TextLine:
    """A line of a list, with the lines below it."""

    text: str
    inner: tuple[TextLine, ...] = ()


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


@dataclass(frozen=True)
class Rules:
    """The rules of one game."""

    title: str
    language: str
    sections: tuple[Section, ...]
