"""The word at a place in a text and the forms around it, in complete and in half-typed texts."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from zrf_py.author.format.tree import pieces
from zrf_py.text.source import Source

Piece = tuple[str, int, int]
"""A token or comment: its kind as in the grammar, its start and end."""
_END_MARKS = "\x00\x1a"


def pieces_of(source: Source) -> tuple[Piece, ...]:
    """Return the tokens and comments of a text, in order."""
    return pieces(source.text.rstrip(_END_MARKS))


@lru_cache(maxsize=8)
def _starts(source: Source) -> list[int]:
    return [start for _, start, _ in pieces_of(source)]


@dataclass(frozen=True, slots=True)
class Around:
    """A form that is open at a place: its words and strings so far, beginning with its head; nested forms are "".

    `index` is the number of items before the place, `start` the offset of its parenthesis.
    """

    items: tuple[str, ...]
    index: int
    start: int

    @property
    def head(self) -> str:
        return self.items[0] if self.items else ""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a text. `word` is the word that contains it or ends there; `typed` is the part of the word before it.

    `around` holds the open forms, outermost first. `where` is "code", "comment" or "string".
    """

    word: str
    start: int
    end: int
    typed: str
    around: tuple[Around, ...]
    where: str = "code"

    @property
    def inner(self) -> Around | None:
        return self.around[-1] if self.around else None

    @property
    def is_head(self) -> bool:
        """True if the word is the first of its form."""
        return bool(self.around) and self.around[-1].index == 0


@dataclass(slots=True)
class _Open:
    start: int
    items: list[str]


def cursor_at(source: Source, offset: int) -> Cursor:
    """Return the cursor at an offset: the word that contains it or ends there, and the open forms."""
    offset = max(0, min(offset, len(source.text)))
    every = pieces_of(source)
    last = bisect_right(_starts(source), offset)
    first = _outermost(source, every, last)
    stack: list[_Open] = []
    word: Piece | None = None
    for kind, start, end in every[first:last]:
        touches = start <= offset <= end
        if kind == "COMMENT":
            if start < offset <= end:
                word = kind, start, end
        elif touches and (kind in ("NAME", "NUMBER") or _is_within(kind, start, end, offset)):
            word = kind, start, end
        elif start >= offset:
            break
        elif kind == "OPEN":
            stack.append(_Open(start, []))
        elif kind == "CLOSE":
            if stack:
                stack.pop()
                if stack:
                    stack[-1].items.append("")
        elif stack:
            stack[-1].items.append(source.text[start:end])
    around = tuple(Around(tuple(form.items), len(form.items), form.start) for form in stack)
    if word is None:
        return Cursor("", offset, offset, "", around)
    kind, start, end = word
    region = {"COMMENT": "comment", "STRING": "string", "UNCLOSED": "string"}.get(kind, "code")
    return Cursor(source.text[start:end], start, end, source.text[start:offset], around, region)


def _is_within(kind: str, start: int, end: int, offset: int) -> bool:
    """Return whether an offset lies between the quotation marks of a string."""
    return start < offset and ((kind == "STRING" and offset < end) or kind == "UNCLOSED")


def _outermost(source: Source, every: tuple[Piece, ...], last: int) -> int:
    """Return the index of the token to start from: the last `(` in the first column, taken for a top-level form."""
    text = source.text
    for index in range(last - 1, -1, -1):
        kind, start, _ = every[index]
        if kind == "OPEN" and (start == 0 or text[start - 1] == "\n"):
            before = every[index - 1] if index else None
            if before is None or before[0] != "UNCLOSED":
                return index
    return 0
