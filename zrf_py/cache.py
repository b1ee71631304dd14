"""Disk cache for results that take long to compute: object code, parser tables, compiled rules.

The key is a hash of all inputs: for code, the kernel's source, the rules (as tables), the versions of LLVM and of this
package, and the processor; for tables, the grammar and the parser's version. Files are loaded only from a folder that
belongs to the user and that nobody else can write to, and only if their checksum is right. A file is written under a
temporary name and then renamed, so several processes may write it at once. Beyond `ROOM` bytes, the least recently used
files are removed. The entries built with the package (`shipping.py`) have the same form; the user's are tried first.
"""

import hashlib
import os
import stat
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

ROOM = 256 << 20
SHIPPED = Path(__file__).parent / "shipped"
"""Folder of the entries built with the package; trusted like its code."""
_MARK, _PACKED = b"zrf-py object 1\n", b"zrf-py packed 1\n"
LARGE = 1 << 20
"""Contents of more bytes than this are compressed if they shrink to less than an eighth, as memory images do."""
_HALF = "new-"
_half: set[str] = set()
"""Temporary files that this process is writing."""
_STALE = 3600
"""Age in seconds at which a temporary file counts as abandoned."""


def folder() -> Path | None:
    """Return the user's cache folder, created if missing; None if there is no safe place for it."""
    base = os.environ.get("ZRF_CACHE") or os.environ.get("XDG_CACHE_HOME")
    if not base:
        if sys.platform == "win32":
            base = os.environ.get("LOCALAPPDATA", "")
        else:
            base = str(_home() / ("Library/Caches" if sys.platform == "darwin" else ".cache"))
    if not base:
        return None
    path = Path(base) / "zrf_py"
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path if _is_ours(path) else None
    except OSError:
        return None


def _home() -> Path:
    """Return the user's home folder; if there is none, `os.devnull`, below which no folder can be created."""
    try:
        return Path.home()
    except RuntimeError:  # neither HOME nor an entry in the user database
        return Path(os.devnull)


def state_base() -> Path:
    """Return the folder for the user's persistent data, such as boards and results; it need not exist."""
    if base := os.environ.get("ZRF_STATE"):
        return Path(base)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(_home()))) / "zrf_py"
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "zrf_py"
    return Path(os.environ.get("XDG_STATE_HOME") or str(_home() / ".local" / "state")) / "zrf_py"


def state_folder() -> Path | None:
    """Return `state_base()`, created if missing; None if it can't be created."""
    path = state_base()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return path


def _is_ours(path: Path) -> bool:
    """Return True if a path belongs to this user, is not a link, and nobody else may write to it (Windows: always)."""
    if not hasattr(os, "getuid"):
        return True
    status = path.lstat()
    return (
        status.st_uid == os.getuid()
        and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        and not stat.S_ISLNK(status.st_mode)
    )


def key(*parts: str | bytes) -> str:
    """Return a cache key: the first 40 hexadecimal digits of the SHA-256 hash of all parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part  # file names may be undecodable
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:40]


def load(name: str) -> bytes | None:
    """Return an entry from the user's cache or else from the package; None if it is missing or damaged."""
    place = folder()
    content = _load(place / name) if place else None
    if content is None:
        with suppress(OSError):
            content = _content((SHIPPED / name).read_bytes())
    return content


def _load(path: Path) -> bytes | None:
    try:
        if not _is_ours(path):
            return None
        data = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    content = _content(data)
    if content is None:
        with suppress(OSError):
            path.unlink()
    return content


def _content(data: bytes) -> bytes | None:
    """Return a cache file's payload; None if its mark or its checksum is wrong."""
    head, check, content = data[: len(_MARK)], data[len(_MARK) : len(_MARK) + 32], data[len(_MARK) + 32 :]
    if head not in (_MARK, _PACKED) or hashlib.sha256(content).digest() != check:
        return None
    return zlib.decompress(content) if head == _PACKED else content


def framed(content: bytes) -> bytes:
    """Return the bytes of a cache file with this content."""
    mark = _MARK
    if len(content) > LARGE and len(packed := zlib.compress(content, 1)) < len(content) // 8:
        mark, content = _PACKED, packed
    return mark + hashlib.sha256(content).digest() + content


def store(name: str, content: bytes) -> None:
    """Store an entry under a name; disk errors are ignored."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=place, prefix=_HALF)
        _half.add(temporary)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(framed(content))
            os.replace(temporary, place / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        finally:
            _half.discard(temporary)
        _shrink()


def ship() -> None:
    """Make the entries in the package (`SHIPPED`) exactly those of the user's cache."""
    SHIPPED.mkdir(exist_ok=True)
    names = set()
    for path, _ in entries():
        names.add(path.name)
        half = SHIPPED / f"{_HALF}{os.getpid()}"
        half.write_bytes(path.read_bytes())
        os.replace(half, SHIPPED / path.name)
    for path in SHIPPED.iterdir():
        if path.name not in names:
            path.unlink(missing_ok=True)


def forget_half() -> None:
    """Remove this process's temporary files, before the process is killed."""
    for temporary in list(_half):
        with suppress(OSError):
            Path(temporary).unlink()


def hold(path: Path, wait: bool = True) -> BinaryIO | None:
    """Open a file and lock it exclusively until it is closed or the process ends; None if another process holds the
    lock and `wait` is false. On a system without file locks the file is only opened.

    :raises OSError: if it can't be opened.
    """
    file = path.open("a+b")
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            file.close()
            return None
        except OSError:
            pass  # perhaps a network file system without locks
    return file


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Context manager that waits for and holds the user's lock `name`; a no-op without file locks or cache folder."""
    place = folder()
    if place is None:
        yield
        return
    with hold(place / f"{name}.lock") or nullcontext():
        yield


def entries() -> list[tuple[Path, os.stat_result]]:
    """Return the files of the cache, least recently used first."""
    place = folder()
    if place is None:
        return []
    files = []
    for path in place.iterdir():
        with suppress(OSError):
            files.append((path, path.stat()))
    return sorted(files, key=lambda entry: entry[1].st_mtime)


def clear() -> int:
    """Remove the files of the cache; return how many there were."""
    files = entries()
    for path, _ in files:
        with suppress(OSError):
            path.unlink()
    return len(files)


def _shrink() -> None:
    files = entries()
    total = sum(status.st_size for _, status in files)
    for path, status in files:
        is_stale = path.name.startswith(_HALF) and time.time() - status.st_mtime > _STALE
        if total <= ROOM and not is_stale:
            continue
        with suppress(OSError):
            path.unlink()
        total -= status.st_size
