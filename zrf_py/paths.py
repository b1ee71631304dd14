"""Find files by the paths in old rules files (Windows paths, case ignored); replace files atomically."""

import errno
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PureWindowsPath
from typing import BinaryIO

MAX_ENTRIES, MOST_ENTRIES = 20_000, 1_000_000
"""Limits of directory entries visited by `below`: by default, and for a collection that is examined as a whole."""
PLACES = ("the path in the saved game, the folder of the saved game, the folder or archive that is read (the nearest "
          "file first), the folders above the saved game, the bundled games")
"""Places where `find_rules` searches for a rules file, in order, as messages and `--help` list them."""


def parts_of(name: str) -> tuple[str, ...] | None:
    """Split a relative path at slashes and backslashes; None if it is absolute, names a drive or contains a NUL."""
    path = PureWindowsPath(name)
    return None if path.drive or path.root or "\0" in name else path.parts


def same_name(folder: Path, parts: Sequence[str]) -> Path | None:
    """Resolve path components from a folder, ignoring case if there is no exact match; None if there is no match."""
    place = folder
    for part in parts:
        if part == ".":
            continue
        step = place / part
        if not os.path.exists(step):  # False for an invalid file name, too
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
    """Return whether a file is in a folder or one of its ancestors, up to the parent of `top` (default: `folder`). The
    original program also searched its own folder, which was usually such a parent."""
    parts = parts_of(name) or ()
    top = top or folder
    around = [folder, *(p for p in folder.parents if p.is_relative_to(top) or p == top.parent)]
    return bool(parts) and any(path is not None and path.is_file() for p in around for path in [same_name(p, parts)])


def base_name(name: str) -> str:
    """Return the last component of a path with slashes or backslashes."""
    return PureWindowsPath(name).name


def below(folder: Path, most: int = 0, skip: Callable[[Path, str], None] = lambda path, why: None) -> Iterator[Path]:
    """Yield the files of a folder and of its subfolders, breadth first and sorted; links to folders aren't followed,
    and at most `most` entries (0: `MAX_ENTRIES`) are read. `skip` receives what is left out, and why."""
    count, most = 0, most or MAX_ENTRIES
    level = [folder]
    while level:
        deeper: list[Path] = []
        for parent in level:
            try:
                entries = sorted(os.scandir(parent), key=lambda e: e.name)
            except OSError as error:
                skip(parent, error.strerror or str(error))
                continue
            for entry in entries:
                count += 1
                if count > most:
                    skip(Path(entry.path), f"only the first {most:,} files and folders are read")
                    return
                if entry.is_dir(follow_symlinks=False):
                    deeper.append(Path(entry.path))
                elif os.path.isfile(entry):
                    yield Path(entry.path)
                elif not os.path.exists(entry):
                    skip(Path(entry.path), "it is a broken link")
                elif entry.is_dir() and not Path(entry.path).resolve().is_relative_to(folder.resolve()):
                    skip(Path(entry.path), "it is a link to a folder, which is not followed")
        level = deeper


def age_of(path: Path) -> int:
    """Return a file's modification time, as a cache key: a changed file is read again; 0 if it can't be read."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file atomically, with the permissions of the old one."""
    with replacing(path) as file:
        file.write(data)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Context manager for a temporary file that replaces `path` atomically, or is removed after an exception.

    Links are followed: their target is replaced. Devices and pipes are written directly.

    :raises OSError: if the file can't be written.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if path.exists() and not path.is_file():
        with path.open("wb") as device:
            yield device
        return
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}")
    try:
        handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)  # the umask limits the permissions
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    try:
        with os.fdopen(handle, "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            os.chmod(temporary, path.stat().st_mode & 0o777)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
