"""What takes long to make is kept on disk, so that the second start is a quick one: object code, parser tables.

The key is what it was made from: for code the kernel's source, the rules (as tables), the versions of LLVM and of
this package, the processor; for tables the grammar and the version of the parser. It is loaded only from a folder that
belongs to the user and that nobody else can write, and only if the file is whole. A file is written under another name
first and then renamed, so two processes may make it at once. When the folder grows beyond `ROOM` bytes the files
longest unused go. What was made with the package itself (`shipping.py`) lies in it in the same form, and is looked for
where the user has none.
"""

import hashlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO

ROOM = 256 << 20
SHIPPED = Path(__file__).parent / "shipped"
"""What came with the package; as much to be trusted as its code."""
_MARK = b"zrf-py object 1\n"
_HALF = "new-"
_half: set[str] = set()
"""Files that are being written."""
_STALE = 3600
"""Seconds after which a half-written file belongs to nobody."""


def folder() -> Path | None:
    """The user's folder for such files, made if need be; None where there is no safe one."""
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
    """The user's home; a place where no folder can be made if the system knows none."""
    try:
        return Path.home()
    except RuntimeError:  # no HOME, and no entry in the table of users
        return Path(os.devnull)


def state_base() -> Path:
    """Where what a user made is kept between starts, such as boards and results; the folder need not exist."""
    if base := os.environ.get("ZRF_STATE"):
        return Path(base)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(_home()))) / "zrf_py"
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "zrf_py"
    return Path(os.environ.get("XDG_STATE_HOME") or str(_home() / ".local" / "state")) / "zrf_py"


def state_folder() -> Path | None:
    """`state_base`, made if need be; None where the disk says no."""
    path = state_base()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return path


def _is_ours(path: Path) -> bool:
    """Whether a folder or file belongs to this user and nobody else may write to it."""
    if not hasattr(os, "getuid"):
        return True
    status = path.lstat()
    return (
        status.st_uid == os.getuid()
        and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        and not stat.S_ISLNK(status.st_mode)
    )


def key(*parts: str | bytes) -> str:
    """A name for what is made from these parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part  # names of files, too
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:40]


def load(name: str) -> bytes | None:
    """What was stored under a name, or came with the package, if it is there, whole, and safe to use."""
    place = folder()
    found = _load(place / name) if place else None
    if found is None:
        with suppress(OSError):
            found = _content((SHIPPED / name).read_bytes())
    return found


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
    """What a file holds; None if it isn't whole."""
    head, check, content = data[: len(_MARK)], data[len(_MARK) : len(_MARK) + 32], data[len(_MARK) + 32 :]
    return content if head == _MARK and hashlib.sha256(content).digest() == check else None


def store(name: str, content: bytes) -> None:
    """Keep something under a name; where the disk says no, nothing happens."""
    place = folder()
    if place is None:
        return
    with suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=place, prefix=_HALF)
        _half.add(temporary)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MARK + hashlib.sha256(content).digest() + content)
            os.replace(temporary, place / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        finally:
            _half.discard(temporary)
        _shrink()


def ship() -> None:
    """Let what is kept now, and nothing else, come with the package."""
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
    """Before this process ends in the middle of something: remove what it was about to store."""
    for temporary in list(_half):
        with suppress(OSError):
            Path(temporary).unlink()


def hold(path: Path, wait: bool = True) -> BinaryIO | None:
    """Open a file, to be its only holder until it is closed or this process ends; None if another process is and
    `wait` is false. Where the system has no locks of files it is only opened.

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
            pass  # a disk of another machine, perhaps, that knows no locks
    return file


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Be the only process of this user that does something; wait for others, where the system can tell."""
    place = folder()
    if place is None:
        yield
        return
    with hold(place / f"{name}.lock") or nullcontext():
        yield


def entries() -> list[tuple[Path, os.stat_result]]:
    """The files of the cache, longest unused first."""
    place = folder()
    if place is None:
        return []
    found = []
    for path in place.iterdir():
        with suppress(OSError):
            found.append((path, path.stat()))
    return sorted(found, key=lambda entry: entry[1].st_mtime)


def clear() -> int:
    """Remove every file; how many there were."""
    found = entries()
    for path, _ in found:
        with suppress(OSError):
            path.unlink()
    return len(found)


def _shrink() -> None:
    found = entries()
    total = sum(status.st_size for _, status in found)
    for path, status in found:
        is_stale = path.name.startswith(_HALF) and time.time() - status.st_mtime > _STALE
        if total <= ROOM and not is_stale:
            continue
        with suppress(OSError):
            path.unlink()
        total -= status.st_size
