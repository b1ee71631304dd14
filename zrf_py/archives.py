"""Zip archives read as if they were folders.

An archive may come from a stranger, so its file count, sizes and compression ratio are checked before it is unpacked,
and each name before its file is written. Only files that this package reads are unpacked, into a temporary folder that
the process removes when it ends; the next process that unpacks something removes folders of processes that were killed.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

from zrf_py.paths import below, same_name
from zrf_py.text.diagnostics import Diagnostic, ZrfError

if TYPE_CHECKING:
    import zipfile

SUFFIX = ".zip"
MAX_FILES = 20_000
MAX_FILE = 16 << 20
"""Maximum size in bytes of an unpacked file; larger ones, except archives, stay packed, as no reader accepts them."""
MAX_BYTES = 1 << 30
"""Maximum unpacked size of one archive in bytes, including the archives inside it."""
FREE_BYTES = 64 << 20
MAX_RATIO = 200
"""An archive may unpack to `MAX_RATIO` times its own size, or to `FREE_BYTES` if that is more."""
MAX_DEPTH = 3
"""Maximum nesting depth of archives."""
USUAL_RATIO = 10
ROOM = 256 << 20
"""Bytes that a process may unpack in total beyond `USUAL_RATIO` times the size of each archive."""
MAX_NAME = 200
RECORDS = (".zsg", ".pgn", ".fen", ".epd", ".kif", ".kifu", ".usi", ".sfen", ".pdn", ".sgf")
"""Suffixes of game records, as opposed to rules: see `play/formats/record_files.py`."""
READABLE = frozenset((".zrf", ".inc", ".zri", ".txt", ".md", ".bmp", ".wav", SUFFIX, *RECORDS))
"""Suffixes of files that are unpacked; all other files become empty files in the folder."""
_PREFIX = "zrf-"
_LOCK = "lock"
_ABANDONED = 3600
"""Age in seconds at which a temporary folder without a lock file counts as abandoned."""
_UNFIT = re.compile(r'[<>:"|?*\x00-\x1f]')
"""Characters that some systems reject in file names."""


def is_archive(path: Path) -> bool:
    """Return True for an existing file whose suffix is `.zip`, in upper or lower case."""
    return path.suffix.lower() == SUFFIX and os.path.isfile(path)


def inside(path: Path) -> Path | None:
    """Return the unpacked file for a path through an archive (`games.zip/chess/Chess.zrf`) or through nested archives
    (`games.zip/old.zip/Chess.zrf`); None if there is no such file.

    :raises ZrfError: if an archive can't be used.
    """
    file = parent = holder(path)
    if parent is None:
        return None
    for part in path.relative_to(parent).parts:
        file = same_name(unpacked(file) if is_archive(file) else file, (part,)) if file else None
    for name, why in left_out(parent) if file is None else ():
        if path.is_relative_to(parent / name):
            raise ZrfError(f"{parent.name} can't be unpacked: its file `{name}` {why}", "bad-archive")
    return file if file is not None and file.is_file() else None


def holder(path: Path) -> Path | None:
    """Return the archive that a path leads through, or None."""
    return next((parent for parent in path.parents if is_archive(parent)), None)


def on_disk(path: Path) -> Path:
    """Return the unpacked file for a path through an archive; any other path unchanged.

    :raises ZrfError: if the archive can't be used.
    """
    return path if os.path.isfile(path) else inside(path) or path


def shown(path: Path) -> Path:
    """Return the path of an unpacked file as messages show it, through its archive; any other path unchanged."""
    folder = next((parent for parent in path.parents if parent in _names), None) if _names else None
    return _names[folder] / path.relative_to(folder) if folder else path


def members(path: Path, endings: tuple[str, ...]) -> list[str]:
    """Return the names of an archive's files that end in one of `endings` (lower case), without unpacking it.

    :raises ZrfError: if the archive is damaged or too large, or a name in it leads outside.
    """
    with _opened(path) as archive:
        places = ("/".join(place) for _, place in _places(path, archive))
        return [name for name in dict.fromkeys(places) if name.lower().endswith(endings)]


def member(path: Path) -> bytes | None:
    """Return the contents of the file to which a path through one archive leads, without unpacking it; None if there
    is no such file.

    :raises ZrfError: if the archive can't be used, or the file is larger than `MAX_FILE`.
    """
    parent = holder(path)
    if parent is None:
        return None
    inner = path.relative_to(parent).parts
    with _opened(parent) as archive:
        for info, place in _places(parent, archive):
            if place == inner:
                if info.file_size > MAX_FILE:
                    raise ZrfError(f"{path.name} {_too_long(info)}", "too-large")
                with _whole(info):
                    return archive.read(info)
    return None


def rules_in(
    place: Path, depth: int = 1, endings: tuple[str, ...] = (".zrf",),
) -> Iterator[tuple[Path, list[Diagnostic]]]:
    """Yield (path for `find`, []) for each rules file (or file with one of `endings`) in a folder or archive and in the
    archives inside it; yield (path, problems) for an archive that can't be read or that contains no such file."""
    try:
        if depth > MAX_DEPTH:
            raise ZrfError(f"archives are nested more than {MAX_DEPTH} levels deep", "bad-archive")
        is_folder = place.is_dir()
        inside = ([path.relative_to(place).as_posix() for path in below(place)
                   if path.suffix.lower() in endings or is_archive(path)] if is_folder else
                  members(on_disk(place), (*endings, SUFFIX)))
    except ZrfError as error:
        yield place, error.diagnostics
        return
    if not inside and not is_folder:
        yield place, [Diagnostic("not-a-file", f"{place.name} contains no rules file", None,
                                 help="rules files end in .zrf", severity="warning")]
    for name in inside:
        if name.lower().endswith(SUFFIX):
            yield from rules_in(place / name, depth + (not is_folder), endings)
        else:
            yield place / name, []


def unpacked(path: Path) -> Path:
    """Unpack an archive, once per process, and return the folder of its files.

    :raises ZrfError: if the archive is damaged, encrypted or too large, or a name in it leads outside.
    """
    return _state(path)[0]


def left_out(path: Path) -> tuple[tuple[str, str], ...]:
    """Return (name, reason) for each file of an archive that can't be unpacked, with reasons such as `is damaged`.

    :raises ZrfError: as `unpacked` does.
    """
    return _state(path)[1]


def _state(path: Path) -> tuple[Path, tuple[tuple[str, str], ...]]:
    status = path.stat()
    state = _unpacked(path.resolve(), status.st_mtime_ns, status.st_size)
    _names[state[0]] = shown(path)
    return state


_names: dict[Path, Path] = {}
"""Folder of an unpacked archive → the path by which the archive was last opened."""


@cache
def _unpacked(path: Path, age: int, size: int) -> tuple[Path, tuple[tuple[str, str], ...]]:
    with _opened(path) as archive:
        folder = Path(tempfile.mkdtemp(dir=_room())) / path.stem
        try:
            folder.mkdir()
            _charge(path, sum(f.file_size for f in archive.infolist() if _is_read(f)), size, folder)
            return folder, tuple(_write(archive, path, folder, age))
        except BaseException:
            shutil.rmtree(folder.parent, True)
            raise


def _write(archive: zipfile.ZipFile, path: Path, folder: Path, age: int) -> Iterator[tuple[str, str]]:
    """Unpack the readable files, create the others empty, date them all `age`; yield (name, reason) of failures."""
    import zipfile

    for info, place in _places(path, archive):
        target, name = folder.joinpath(*place), "/".join(place)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                if _is_read(info):
                    with _whole(info), archive.open(info) as source:
                        shutil.copyfileobj(source, file, 1 << 16)
                elif target.suffix.lower() in READABLE:
                    file.truncate(MAX_FILE + 1)  # a sparse file beyond the limit: readers report "too large"
            os.utime(target, ns=(age, age))
        except (FileExistsError, NotADirectoryError):
            yield name, "has the path of another file in the archive"
        except zipfile.BadZipFile:
            target.unlink()
            yield name, "is damaged"
        if target.suffix.lower() in READABLE and not _is_read(info):
            yield name, _too_long(info)


def _is_read(info: zipfile.ZipInfo) -> bool:
    """Return True if a file's contents are to be unpacked; any other file is created without its contents."""
    ending = PurePosixPath(info.filename).suffix.lower()
    return ending in READABLE and (info.file_size <= MAX_FILE or ending == SUFFIX)


def _too_long(info: zipfile.ZipInfo) -> str:
    return f"is larger than {MAX_FILE >> 20} MiB ({info.file_size / 2**20:,.0f} MiB)"


# ------------------------------------------------------------------------------------------------ reading


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Context manager that opens an archive.

    :raises ZrfError: if it has too many files or can't be read, even if this becomes apparent only inside the context.
    """
    import zipfile  # imported late: few games are in archives

    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) > MAX_FILES:
                raise _too_large(f"{path.name} contains {len(archive.infolist()):,} files, more than {MAX_FILES:,}")
            yield archive
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, ValueError, OSError) as error:
        message = getattr(error, "strerror", None) or (str(error) or type(error).__name__ if zipfile.is_zipfile(path)
                                                       else "it is not a zip archive, or it is truncated")
        why = ("it is encrypted" if "password" in message else
               "one of its file names is marked as UTF-8, but is not" if isinstance(error, UnicodeError) else message)
        raise ZrfError(f"{path.name} can't be unpacked: {why}", "bad-archive",
                       help="unpack it with another program, and use the folder instead") from None


@contextmanager
def _whole(info: zipfile.ZipInfo) -> Iterator[None]:
    """Context manager for reading a file of an archive; if its contents are damaged, the error names the file.

    :raises BadZipFile: with the file's name.
    """
    import zipfile
    import zlib

    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise zipfile.BadZipFile(f"its file `{info.filename[:80]}` is damaged") from None


def _places(path: Path, archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, tuple[str, ...]]]:
    """Yield each file with its path components, without drive and root, made valid as file names on every system.

    :raises ZrfError: if a name leads outside the archive.
    """
    for info in (entry for entry in archive.infolist() if entry.filename and not entry.is_dir()):
        pure = PurePosixPath(re.sub(r"([A-Za-z]:)?/*", "", info.filename.replace("\\", "/"), count=1))
        if ".." in pure.parts:
            raise ZrfError(f"{path.name} contains a file whose path leads out of it: `{info.filename[:80]}`",
                           "bad-archive", help="don't trust this archive")
        parts = tuple(_UNFIT.sub("_", part[:-8][: MAX_NAME - 8] + part[-8:]) for part in pure.parts)
        if parts:
            yield info, parts


# ------------------------------------------------------------------------------------------------ limits

_allowances: dict[Path, int] = {}
"""Folder of an outermost archive → bytes that the archives inside it may still unpack to."""
_excess = 0
"""Bytes that this process has unpacked beyond the usual ratio."""


def _charge(path: Path, total: int, size: int, folder: Path) -> None:
    """Charge an archive's unpacked size to the limits; `zipfile` never unpacks more of a file than its entry states.

    An archive inside another one shares the allowance of the outer one.

    :raises ZrfError: if it exceeds the limit of the archive or the process, or half of the free disk space.
    """
    global _excess
    root = next((outer for outer in _allowances if path.is_relative_to(outer)), folder)
    allowed = _allowances.get(root, min(MAX_BYTES, max(FREE_BYTES, MAX_RATIO * size)))
    message = f"{path.name} would unpack to {total / 2**20:,.0f} MiB, from {size / 2**20:,.1f} MiB"
    if total > allowed:
        raise _too_large(message + (", too much for the archive that contains it" if root != folder else ""))
    excess = max(0, total - USUAL_RATIO * size)
    if _excess + excess > ROOM:
        raise _too_large(f"{message}, and archives opened earlier already take {_excess / 2**20:,.0f} MiB")
    if total > shutil.disk_usage(folder).free // 2:
        raise _too_large(f"{message}, more than half of the free space in {tempfile.gettempdir()}")
    _excess += excess
    _allowances[root] = allowed - total


@cache
def _room() -> Path:
    """Create this process's temporary folder, locked as long as the process lives; remove abandoned ones."""
    base = Path(tempfile.gettempdir()).resolve()
    with suppress(OSError):
        for abandoned in base.glob(f"{_PREFIX}*"):
            _sweep(abandoned)
    room = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
    atexit.register(shutil.rmtree, room, True)
    _locks.append((room / _LOCK).open("wb"))
    _locked(_locks[0])
    return room


_locks: list[BinaryIO] = []
"""The open lock file of this process's folder: closing it would release the lock."""


def _locked(file: BinaryIO) -> bool:
    """Try to lock a file without blocking; return False if that fails, as when another process holds the lock."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _sweep(folder: Path) -> None:
    """Remove a temporary folder if its process has ended: its lock file is unlocked, or it has none and is old."""
    with suppress(OSError):
        if not hasattr(os, "getuid") or folder.lstat().st_uid != os.getuid() or not folder.is_dir():
            return
        lock = folder / _LOCK
        if not lock.exists():  # a folder just created, or one of an earlier version
            if time.time() - folder.lstat().st_mtime > _ABANDONED and not folder.is_symlink():
                shutil.rmtree(folder, True)
            return
        with lock.open("rb") as file:
            if _locked(file):
                shutil.rmtree(folder, True)


def _too_large(message: str) -> ZrfError:
    return ZrfError(message, "archive-too-large", help="if you trust it, unpack it yourself and use the folder instead")
