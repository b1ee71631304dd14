"""Rules text → programs, from the disk where they were made before: then nothing that reads rules needs to be loaded.

What is kept is good for a text as long as the texts that it includes are those that are found now; of files whose
includes aren't where they should be nothing is kept.
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
"""Bytes that are kept of one text."""
TOO_LARGE = b""
"""What is kept of a text whose programs are larger, so that nobody tries again."""
_MAKERS = ("*.py", "text/*.py", "front/*.py", "ir/*.py", "grammar/*.lark")
"""The files of this package that decide what a text means."""

Include = Callable[[str, Origin], Source | None]
Part = tuple[str, Origin, str]
"""What a file includes: as it says, where, and the key of the text that was found."""


def programs_of(source: Source, include: Include, report: Report) -> tuple[Program, ...]:
    """As `compile_source`; problems go to `report` just the same.

    :raises GaveUp: as there.
    """
    name = cache.key(release(*_MAKERS), source.name, source.text) + ".programs"
    data = cache.load(name)
    if data and not report.items:
        with suppress(Exception):  # whatever is wrong with it: it can be made again
            with without_collector():
                programs, found, kept = pickle.loads(data)
            if all(_key(include(wanted, origin)) == key for wanted, origin, key in kept) and not report.items:
                report.take(found)
                return programs  # type: ignore[no-any-return]
        report.take(Report())
    from zrf_py.compile import compile_source

    parts: list[Part] = []
    is_told = False

    def noting(wanted: str, origin: Origin) -> Source | None:
        nonlocal is_told
        before = len(report.items)
        part = include(wanted, origin)
        is_told |= part is None or len(report.items) > before
        parts.append((wanted, origin, _key(part)))
        return part

    programs = compile_source(source, noting, report)
    if not is_told and data != TOO_LARGE:
        cache.store(name, _packed(programs, report, parts))
    return programs


def _key(part: Source | None) -> str:
    """The same for the same text of the same name."""
    return cache.key(part.name, part.text) if part else ""


def _packed(programs: tuple[Program, ...], report: Report, parts: list[Part]) -> bytes:
    """What is kept; `TOO_LARGE` as soon as it gets larger than `LARGEST`."""
    sink = _Sink()
    try:
        with without_collector():
            pickle.Pickler(sink, pickle.HIGHEST_PROTOCOL).dump((programs, report, parts))
    except (RecursionError, pickle.PicklingError, OverflowError):
        return TOO_LARGE
    return bytes(sink.data)


class _Sink:
    """A file in memory that takes no more than `LARGEST` bytes."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, piece: bytes) -> int:
        """:raises OverflowError: if that is too much."""
        if len(self.data) + len(piece) > LARGEST:
            raise OverflowError
        self.data += piece
        return len(piece)
