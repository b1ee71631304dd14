"""Conversion between offsets in texts and positions of the protocol: lines from 0, columns in UTF-16 code units."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from lsprotocol import types as t

from zrf_py.text.source import Source, Span


def position(source: Source, offset: int) -> t.Position:
    """Return the position of an offset."""
    line, column = source.position(min(offset, len(source.text)))
    before = source.text[source.line_starts[line - 1] : source.line_starts[line - 1] + column - 1]
    return t.Position(line - 1, len(before) if before.isascii() else len(before.encode("utf-16-le")) // 2)


def extent(source: Source, start: int, end: int) -> t.Range:
    """Return the range between two offsets."""
    return t.Range(position(source, start), position(source, end))


def offset(source: Source, place: t.Position) -> int:
    """Return the offset of a position; beyond the end of its line or of the text, that end."""
    starts = source.line_starts
    if place.line >= len(starts):
        return len(source.text)
    start = starts[place.line]
    end = starts[place.line + 1] - 1 if place.line + 1 < len(starts) else len(source.text)
    line = source.text[start:end]
    if line.isascii():
        return start + min(place.character, len(line))
    units = line.encode("utf-16-le")[: 2 * place.character]
    return start + len(units.decode("utf-16-le", "ignore"))


def path_of(uri: str) -> Path | None:
    """Return the file of a URI; None if it isn't the URI of a file."""
    parts = urlsplit(uri)
    return Path(url2pathname(parts.path)) if parts.scheme == "file" else None


def location(span: Span, uris: dict[str, str]) -> t.Location:
    """Return the location of a span; `uris` maps the names of open sources to their URIs."""
    name = span.source.name
    uri = uris.get(name) or Path(name).resolve().as_uri()
    return t.Location(uri, extent(span.source, span.start, span.end))
