"""Outline of a text, its folding ranges, and the games that can be opened from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.cursor import pieces_of
from zrf_py.front.macros import walk
from zrf_py.front.nodes import NAME, STRING, Atom, Form, Node
from zrf_py.paths import base_name
from zrf_py.text.source import Source

MAX_LABEL = 60
_PARTS = frozenset({"game", "variant", "board", "grid", "piece", "zone", "measure", "board-setup", "define", "players",
                    "turn-order", "option", "symmetry", "links", "counter", "team", "score", "moves", "drops",
                    "move-priorities", "include"})
_INSIDE = frozenset({"game", "variant", "board", "piece"})


@dataclass(slots=True)
class Symbol:
    """A part of a file. `kind` is its keyword; `detail` repeats it, or `name` does if the part has no name."""

    name: str
    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    detail: str = ""
    children: list[Symbol] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Fold:
    """First and last line (from 0) of a range that can be folded; `comment` is True for comments."""

    first: int
    last: int
    comment: bool = False


@dataclass(frozen=True, slots=True)
class Playable:
    """A game or variant: its title and the offsets of its form; `ok` is False if the file has errors."""

    title: str
    start: int
    end: int
    ok: bool


def outline(analysis: Analysis) -> list[Symbol]:
    """Return the parts of a file for an outline, nested.

    If a parenthesis is missing, a form that begins a line counts as a top-level form.
    """
    forms, source = analysis.stages.forms, analysis.source
    if analysis.is_read:
        return list(_symbols(forms, source))
    starts = {0, *source.line_starts}
    top_level = [form for form in walk(forms) if form.origin.span.source is source and form.origin.span.start in starts]
    parts = sorted(_symbols(tuple(top_level or forms), source, frozenset(top_level)), key=lambda part: part.start)
    for part, after in pairwise(parts):
        part.end = min(part.end, after.start)
    return parts


def _symbols(nodes: Iterable[Node], source: Source, apart: frozenset[Form] = frozenset()) -> Iterator[Symbol]:
    for node in nodes:
        if not isinstance(node, Form):
            continue
        head = node.head
        if node.origin.span.source is not source:
            yield from _symbols(node.items, source, apart)
            continue
        if head not in _PARTS and not head.endswith("-condition"):
            continue
        name = _named(node)
        span, at = node.origin.span, (name or node.items[0]).origin.span
        text = name.text if name is not None else head
        inside = [item for item in node.items if item not in apart] if head in _INSIDE else []
        children = list(_symbols(inside, source, apart))
        yield Symbol(text[:MAX_LABEL] or head, head, span.start, span.end, max(at.start, span.start),
                     min(at.end, span.end), head if name is not None else "", children)


def _named(form: Form) -> Atom | None:
    """Return the name of a part: its `(name …)` or `(title …)`, or the word after its head; None if unnamed."""
    if form.head in ("game", "variant", "piece", "zone", "measure"):
        for item in form.items:
            if isinstance(item, Form) and item.head in ("name", "title") and len(item.items) > 1 \
                    and isinstance(item.items[1], Atom) \
                    and item.origin.span.source is form.origin.span.source:
                return item.items[1]
        return None
    second = form.items[1] if len(form.items) > 1 else None
    heads = ("define", "option", "symmetry", "links", "counter", "team", "include")
    return second if form.head in heads and isinstance(second, Atom) and second.kind in (NAME, STRING) else None


def includes(analysis: Analysis) -> Iterator[tuple[int, int, Source]]:
    """Yield the start and end of each included file's name, between its quotation marks, and the file. The names are
    found in the text, since the reader drops the `include` forms."""
    files = {base_name(file.name).casefold(): file for file in analysis.files if file is not analysis.source}
    for kind, start, end in pieces_of(analysis.source):
        file = files.get(base_name(analysis.source.text[start + 1 : end - 1]).casefold()) if kind == "STRING" else None
        if file is not None:
            yield start + 1, end - 1, file


def folds(source: Source) -> list[Fold]:
    """Return the ranges of forms and comments that span several lines."""
    by_line: dict[int, Fold] = {}
    stack: list[int] = []
    comment = previous = -2
    for kind, start, _ in pieces_of(source):
        if kind == "OPEN":
            stack.append(start)
        elif kind == "CLOSE" and stack:
            first, last = _line(source, stack.pop()), _line(source, start)
            if last > max(first, by_line[first].last if first in by_line else 0):
                by_line[first] = Fold(first, last)
        elif kind == "COMMENT":
            line = _line(source, start)
            alone = not source.text[source.line_starts[line] : start].strip()
            if alone and line == previous + 1:
                by_line[comment] = Fold(comment, line, True)
            elif alone:
                comment = line
            previous = line if alone else -2
    return sorted(by_line.values(), key=lambda fold: fold.first)


def _line(source: Source, offset: int) -> int:
    return source.position(offset)[0] - 1


def playables(analysis: Analysis) -> list[Playable]:
    """Return, in file order, the compiled games that have titles of their own in the file."""
    programs = {p.game.title: p for p in analysis.stages.programs}
    wrong = bool(analysis.errors)
    games = []
    for node in analysis.stages.forms:
        if isinstance(node, Form) and node.head in ("game", "variant") and node.origin.span.source is analysis.source:
            title = _named(node)
            text = title.text if title is not None else ""
            if text in programs:
                games.append(Playable(text, node.origin.span.start, node.origin.span.end, not wrong))
    return games
