"""Lossless tree of a text: forms, words and comments, each with the blanks before it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from zrf_py.front.forms import tokens
from zrf_py.front.nodes import MAX_NESTING

_COMMENT = re.compile(r";[^\n]*")
_END_MARKS = "\x00\x1a"


@dataclass(slots=True)
class Item:
    """A word or string (`items` is None), a comment, or a form.

    `lines` is the number of line ends before it (2: two or more), `gap` the width of the blanks between it and the item
    before it on its line, `column` its original column (from 0). `lone_close`: its closing parenthesis began a line.
    """

    kind: str
    text: str
    lines: int
    gap: int
    column: int
    items: list[Item] | None = None
    lone_close: bool = False
    closed: bool = True
    width: int = -1
    pad: int = 0
    """Number of blanks added before the item to align columns."""

    @property
    def is_form(self) -> bool:
        return self.items is not None

    @property
    def is_comment(self) -> bool:
        return self.kind == "COMMENT"

    @property
    def head(self) -> str:
        first = self.items[0] if self.items else None
        return first.text if first and first.kind == "NAME" else ""


@dataclass(slots=True)
class Text:
    """The items of a file; `tail` is the end-of-file characters after them; `balanced`: all parentheses match."""

    items: list[Item]
    tail: str
    balanced: bool
    clean: bool
    """True if no string is open, no character is invalid and no form is nested deeper than `MAX_NESTING`."""


@lru_cache(maxsize=8)
def pieces(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the tokens and comments of a text as (kind, start, end), in order (cached)."""
    parts: list[tuple[str, int, int]] = []
    before = 0
    for kind, start, end in tokens(text):
        parts += _comments(text, before, start)
        parts.append((kind, start, end))
        before = end
    return (*parts, *_comments(text, before, len(text)))


def _comments(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    if text.find(";", start, end) < 0:
        return []
    return [("COMMENT", comment.start(), comment.end()) for comment in _COMMENT.finditer(text, start, end)]


def read(text: str) -> Text:
    """Parse a text, which may have unbalanced parentheses."""
    body = text.rstrip(_END_MARKS + " \t\r\n")
    tail = "".join(c for c in text[len(body):] if c in _END_MARKS)
    top: list[Item] = []
    stack: list[Item] = []
    before, column, balanced, clean = 0, 0, True, True
    for kind, start, end in pieces(text):
        if start >= len(body):
            break
        end = min(end, len(body))
        column = _after(column, body[before:start])
        item = _item(body, kind, before, start, end, column)
        column, before = _after(column, body[start:end]), end
        inside = stack[-1].items if stack else top
        assert inside is not None
        if kind == "OPEN":
            item.items = []
            inside.append(item)
            stack.append(item)
            clean = clean and len(stack) <= MAX_NESTING
        elif kind == "CLOSE" and stack:
            stack.pop().lone_close = item.lines > 0
        else:
            balanced = balanced and kind != "CLOSE"
            clean = clean and kind not in ("UNCLOSED", "JUNK")
            inside.append(item)
    for item in stack:
        item.closed = False
    if top:
        top[0].lines = 1
    return Text(top, tail, balanced and not stack, clean)


def _item(text: str, kind: str, before: int, start: int, end: int, column: int) -> Item:
    blank = text[before:start]
    gap = len(blank.expandtabs(8)) + blank.count("\t")
    word = text[start:end].rstrip() if kind == "COMMENT" else text[start:end]
    return Item(kind, word, min(blank.count("\n"), 2), gap, column)


def _after(column: int, text: str) -> int:
    r"""Return the column after a text that begins at `column`; incremental, because lines may be very long.

    >>> _after(3, "ab"), _after(3, "\t"), _after(3, "a\n\tb")
    (5, 8, 9)
    """
    line = text.rfind("\n")
    begin = column if line < 0 else 0
    return begin + len((" " * (begin % 8) + text[line + 1 :]).expandtabs(8)) - begin % 8


def flat(item: Item) -> str:
    """Return an item on one line."""
    if item.items is None:
        return item.text
    return f"({' '.join(flat(i) for i in item.items)}{')' if item.closed else ''}"


def measure(items: list[Item]) -> None:
    """Set `width` of all items: the columns of an item on one line, with padding, or -1 if it needs several lines."""
    for item in items:
        if item.items is None:
            item.width = -1 if item.is_comment or "\n" in item.text else len(item.text)
            continue
        measure(item.items)
        fits = all(i.width >= 0 and (n == 0 or not i.lines) for n, i in enumerate(item.items))
        item.width = sum(i.width + i.pad for i in item.items) + max(len(item.items) - 1, 0) + 2 if fits else -1
