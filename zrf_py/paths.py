"""Lookup of file names from old files on this disk: Windows paths, case-insensitive."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PureWindowsPath

MAX_ENTRIES = 20_000
"""Limit of directory entries visited by `below`."""


def parts_of(name: str) -> tuple[str, ...] | None:
    """Split a relative path at slashes and backslashes; None if it is absolute or names a drive."""
    path = PureWindowsPath(name)
    return None if path.drive or path.root or "\0" in name else path.parts


def same_name(folder: Path, parts: Sequence[str]) -> Path | None:
    """Resolve path components from a folder, ignoring case if there is no exact match; None if there is no match."""
    place = folder
    for part in parts:
        if part == ".":
            continue
        step = place / part
        if not _exists(step):
            try:
                same = [p for p in sorted(place.iterdir()) if p.name.casefold() == part.casefold()]
            except OSError:
                return None
            if not same:
                return None
            step = same[0]
        place = step
    return place


def is_near(name: str, folder: Path, top: Path | None = None) -> bool:
    """Return whether a file is in a folder or in one above it; the original program looked in its own folder, too.

    The highest folder is the parent of `top`, or of `folder`.
    """
    parts = parts_of(name) or ()
    top = top or folder
    around = [folder, *(p for p in folder.parents if p.is_relative_to(top) or p == top.parent)]
    return bool(parts) and any(path is not None and path.is_file() for p in around for path in [same_name(p, parts)])


def base_name(name: str) -> str:
    """Return the last component of a path with slashes or backslashes."""
    return PureWindowsPath(name).name


def below(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and of its subfolders, breadth first and sorted; links to folders aren't followed,
    and at most `MAX_ENTRIES` entries are read."""
    count = 0
    level = [folder]
    while level:
        deeper: list[Path] = []
        for parent in level:
            try:
                entries = sorted(os.scandir(parent), key=lambda e: e.name)
            except OSError:
                continue
            for entry in entries:
                count += 1
                if count > MAX_ENTRIES:
                    return
                if entry.is_dir(follow_symlinks=False):
                    deeper.append(Path(entry.path))
                elif _is_file(entry):
                    yield Path(entry.path)
        level = deeper


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # an invalid file name
        return False
