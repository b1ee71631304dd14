"""The folders of this package whose source becomes machine code, as this process has loaded it: the compiler reads the
files again, and what it makes goes with what is in memory only as long as they are the same."""

import os
from contextlib import suppress
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_loaded: dict[str, frozenset[tuple[str, int, int]]] = {}
"""[folder]: its files when it was noted, each with its time and size."""


def note(*folders: str) -> None:
    """Remember the files of some folders as they are now: what is in them is about to be loaded."""
    for folder in folders:
        if folder not in _loaded:
            _loaded[folder] = _files(folder)


def have_changed() -> bool:
    """Whether some file has become another since its folder was noted, as when a newer release is installed."""
    return any(_files(folder) != files for folder, files in _loaded.items())


def _files(folder: str) -> frozenset[tuple[str, int, int]]:
    found = []
    for place, _, names in os.walk(_PACKAGE / folder):
        for name in names:
            if name.endswith(".py"):
                with suppress(OSError):  # an editor's own links lead nowhere
                    status = os.stat(os.path.join(place, name))
                    found.append((os.path.join(place, name), status.st_mtime_ns, status.st_size))
    return frozenset(found)
