"""Texts of files, from the editor if they are open there, else from disk; and the files that include a file."""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from zrf_py.author.format.files import ENDINGS
from zrf_py.library import read_source
from zrf_py.paths import base_name
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

MAX_ABOVE = 3
"""Number of folders searched for files that include a file: the file's own folder, and those above."""
MAX_NEAR = 300
"""Maximum number of files searched, besides the open ones."""
PART = ".inc"
"""Suffix of files made to be included."""
_INCLUDE = re.compile(r'\(\s*include\s+(?:"([^"]*)"|([^\s()";]+))')
_GAME = re.compile(r"\(\s*game\b")


class Texts:
    """Sources by resolved path. A source read from disk stays the same object while its file is unchanged."""

    def __init__(self) -> None:
        self.open: dict[Path, Source] = {}
        self._read: dict[Path, tuple[tuple[int, int], Source]] = {}

    def read(self, path: Path) -> Source:
        """Return the text of a file.

        :raises ZrfError: if it can't be read.
        """
        place = path.resolve()
        if place in self.open:
            return self.open[place]
        try:
            status = place.stat()
            stamp = status.st_mtime_ns, status.st_size
        except OSError:
            return read_source(path)
        cached = self._read.get(place)
        if cached is None or cached[0] != stamp:
            cached = self._read[place] = stamp, read_source(path)
        return cached[1]

    def is_current(self, source: Source) -> bool:
        """Return whether a file still has this text."""
        path = Path(source.name)
        try:
            return (path.resolve() in self.open or path.is_file()) and self.read(path) is source
        except ZrfError:
            return False

    def games(self, place: Path) -> Iterator[Path]:
        """Yield the files with games that include a file, directly or through others; open ones first."""
        near = [path for folder in list(place.parents)[:MAX_ABOVE] for path in _rules_of(folder)]
        todo, visited = [place], {place}
        for part in todo:
            for path in dict.fromkeys([*self.open, *near[:MAX_NEAR]]):
                if path not in visited and part.name.casefold() in self._names(path):
                    visited.add(path)
                    if self.is_part(path):
                        todo.append(path)
                    else:
                        yield path

    def is_part(self, path: Path, source: Source | None = None) -> bool:
        """Return whether a file is made to be included by others."""
        return path.suffix.lower() == PART or not _GAME.search((source or self.read(path)).text)

    def _names(self, path: Path) -> frozenset[str]:
        try:
            return _included(self.read(path))
        except ZrfError:
            return frozenset()


@lru_cache(maxsize=2 * MAX_NEAR)
def _included(source: Source) -> frozenset[str]:
    """Return the names of the files that a text seems to include, in lower case and without folders."""
    return frozenset(base_name(a or b).casefold() for a, b in _INCLUDE.findall(source.text))


def _rules_of(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    except OSError:
        return []
