"""Program cache: the results of `compile_source` on disk, so that a second start need not import the compiler.

An entry is valid for a text as long as all its includes have the same contents. A file whose includes are missing or
in unexpected places is not cached.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from zrf_py import cache
from zrf_py.data import release
from zrf_py.text.diagnostics import Report
from zrf_py.text.packing import without_collector
from zrf_py.text.source import Origin, Source

if TYPE_CHECKING:
    from zrf_py.ir.ops import Program

LARGEST = 16 << 20
"""Maximum size of one entry, in bytes."""
TOO_LARGE = b""
"""Entry of a text whose programs are larger than `LARGEST` or can't be pickled; they are not packed again."""
_MAKERS = ("*.py", "text/*.py", "text/*.json", "front/*.py", "front/*.json", "ir/*.py", "grammar/*.lark")
"""The compiler's files, whose hash is part of the key."""

Include = Callable[[str, Origin], Source | None]
Part = tuple[str, Origin, str]
"""An include: the name as written, its location, and the key of the included text ("": missing)."""


def programs_of(source: Source, include: Include, report: Report) -> tuple[Program, ...]:
    """Like `compile_source`, but cached on disk, together with the problems that go to `report`.

    :raises GaveUp: as `compile_source` does.
    """
    name = cache.key(release(*_MAKERS), source.name, source.text) + ".programs"
    data = cache.load(name)
    if data and not report.items:
        with suppress(Exception):  # if the entry is damaged, the file is compiled again
            with without_collector():
                programs, stored_report, includes = pickle.loads(data)
            if all(_key(include(file, origin)) == key for file, origin, key in includes) and not report.items:
                report.take(stored_report)
                return programs  # type: ignore[no-any-return]
        report.take(Report())
    from zrf_py.compile import compile_source

    parts: list[Part] = []
    has_problem = False

    def recording(file: str, origin: Origin) -> Source | None:
        nonlocal has_problem
        before = len(report.items)
        part = include(file, origin)
        has_problem |= part is None or len(report.items) > before
        parts.append((file, origin, _key(part)))
        return part

    programs = compile_source(source, recording, report)
    if not has_problem and data != TOO_LARGE:
        cache.store(name, _packed(programs, report, parts))
    return programs


def _key(part: Source | None) -> str:
    """Return a key of an included text by its name and contents; "" if it is missing."""
    return cache.key(part.name, part.text) if part else ""


def _packed(programs: tuple[Program, ...], report: Report, parts: list[Part]) -> bytes:
    """Pickle an entry; return `TOO_LARGE` if it exceeds `LARGEST` or can't be pickled."""
    sink = _Sink()
    try:
        with without_collector():
            pickle.Pickler(sink, pickle.HIGHEST_PROTOCOL).dump((programs, report, parts))
    except (RecursionError, pickle.PicklingError, OverflowError):
        return TOO_LARGE
    return bytes(sink.data)


class _Sink:
    """In-memory file of at most `LARGEST` bytes."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, piece: bytes) -> int:
        """Append bytes; raise OverflowError beyond `LARGEST` bytes."""
        if len(self.data) + len(piece) > LARGEST:
            raise OverflowError
        self.data += piece
        return len(piece)
