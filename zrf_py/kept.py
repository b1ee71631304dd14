"""Rules text → programs, from the disk where they were made before: then nothing that reads rules needs to be loaded.

What is kept is of one text alone; files that include others are read anew, since which these are depends on the disk.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from contextlib import suppress
from functools import cache as once
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py import __version__, cache
from zrf_py.data import data_file
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin, Source

if TYPE_CHECKING:
    from zrf_py.ir.ops import Program

LARGEST = 8 << 20
"""Bytes that are kept of one text."""
TOO_LARGE = b""
"""What is kept of a text whose programs are larger, so that nobody tries again."""
_MAKERS = ("*.py", "text/*.py", "front/*.py", "ir/*.py")
"""The files of this package that decide what a text means, and the grammar."""

Include = Callable[[str, Origin], Source | None]


def programs_of(source: Source, include: Include, report: Report) -> tuple[Program, ...]:
    """As `compile_source`; problems go to `report` just the same.

    :raises GaveUp: as there.
    """
    name = cache.key(_makers(), source.name, source.text) + ".programs"
    data = cache.load(name)
    if data and not report.items:
        with suppress(Exception):  # whatever is wrong with it: it can be made again
            programs, found = pickle.loads(data)
            report.take(found)
            return programs  # type: ignore[no-any-return]
    from zrf_py.compile import compile_source

    included: list[str] = []

    def noting(wanted: str, origin: Origin) -> Source | None:
        included.append(wanted)
        return include(wanted, origin)

    programs = compile_source(source, noting, report)
    if not included and data != TOO_LARGE:
        cache.store(name, _packed(programs, report))
    return programs


def _packed(programs: tuple[Program, ...], report: Report) -> bytes:
    """What is kept; `TOO_LARGE` as soon as it gets larger than `LARGEST`: packing takes as long as compiling."""
    sink = _Sink()
    try:
        pickle.Pickler(sink, pickle.HIGHEST_PROTOCOL).dump((programs, report))
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


@once
def _makers() -> str:
    """What besides a text decides about its programs: this package's own files, by their times and sizes."""
    found = [__version__]
    for folder, patterns in ((Path(__file__).parent, _MAKERS), (data_file("grammar"), ("*.lark",))):
        for pattern in patterns:
            for path in sorted(folder.glob(pattern)):
                status = path.stat()
                found.append(f"{path.name} {status.st_mtime_ns} {status.st_size}")
    return " ".join(found)
