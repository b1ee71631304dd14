"""Source files that become machine code, as this process has loaded them. The compiler reads the files again; its code
fits the modules in memory only while the files are unchanged."""

import os
from contextlib import suppress
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent
_loaded: dict[str, frozenset[tuple[str, int, int]]] = {}
"""[folder]: (path, modification time, size) of its files when they were recorded."""


def note(*folders: str) -> None:
    """Record the current files of some folders, which are about to be imported."""
    for folder in folders:
        if folder not in _loaded:
            _loaded[folder] = _files(folder)


def have_changed() -> bool:
    """Return whether a file has changed since its folder was recorded, e.g. because a newer release was installed."""
    return any(_files(folder) != files for folder, files in _loaded.items())


def _files(folder: str) -> frozenset[tuple[str, int, int]]:
    files = []
    for place, _, names in os.walk(_PACKAGE / folder):
        for name in names:
            if name.endswith(".py"):
                with suppress(OSError):  # an editor's lock file is a dangling link
                    status = os.stat(os.path.join(place, name))
                    files.append((os.path.join(place, name), status.st_mtime_ns, status.st_size))
    return frozenset(files)
