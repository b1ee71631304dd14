"""Zip archives → a folder of this process, in which their files are read like any others.

An archive comes from strangers, so nothing of it is believed: how many files, how large, how much larger than the
archive, and where a name leads. The folder goes when the process ends.
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from zrf_py.paths import same_name
from zrf_py.text.diagnostics import Diagnostic, ZrfError

if TYPE_CHECKING:
    import zipfile

SUFFIX = ".zip"
MAX_FILES = 20_000
MAX_BYTES = 1 << 30
"""All files together, unpacked."""
FREE_BYTES = 64 << 20
MAX_RATIO = 200
"""So many times its own size an archive may unpack to, or to `FREE_BYTES` where that is more."""
MAX_NAME = 200
_UNFIT = re.compile(r'[<>:"|?*\x00-\x1f]')
"""Characters that not every system takes in the name of a file."""


def is_archive(path: Path) -> bool:
    """Whether a path is that of a zip archive, by its name."""
    return path.suffix.lower() == SUFFIX and path.is_file()


def inside(path: Path) -> Path | None:
    """Where the file is that a path through an archive leads to (`games.zip/chess/Chess.zrf`); None if there is none.

    :raises ZrfError: if the archive on the way can't be used.
    """
    for parent in path.parents:
        if is_archive(parent):
            found = same_name(unpacked(parent), path.relative_to(parent).parts)
            return found if found is not None and found.is_file() else None
    return None


def unpacked(path: Path) -> Path:
    """
    The folder that holds what is in an archive.

    :raises ZrfError: if it is damaged, encrypted, too large, or a name in it leads outside.
    """
    status = path.stat()
    return _unpacked(path.resolve(), status.st_mtime_ns, status.st_size)


@cache
def _unpacked(path: Path, age: int, size: int) -> Path:
    import shutil  # most games lie in no archive
    import tempfile
    import zipfile
    import zlib

    damaged = zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError
    odd = NotImplementedError, RuntimeError, ValueError
    folder = Path(tempfile.mkdtemp(prefix="zrf-")).resolve() / path.stem
    atexit.register(shutil.rmtree, folder.parent, True)
    folder.mkdir()
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if not m.is_dir()]
            _weigh(path, members, size)
            for member, place in _places(path, members):
                target = folder.joinpath(*place)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as source, target.open("wb") as file:
                    shutil.copyfileobj(source, file, 1 << 16)
    except (*damaged, *odd, OSError) as error:
        shutil.rmtree(folder.parent, True)
        said = getattr(error, "strerror", None) or str(error) or type(error).__name__
        why = "it is encrypted" if "password" in said else said
        raise ZrfError([Diagnostic("bad-archive", f"{path.name} can't be unpacked: {why}", None,
                                   help="unpack it with another program, and name the folder")]) from None
    except BaseException:
        shutil.rmtree(folder.parent, True)
        raise
    return folder


def _weigh(path: Path, members: list[zipfile.ZipInfo], size: int) -> None:
    """Refuse an archive that would fill the disk; `zipfile` never unpacks more than a member says of itself."""
    total = sum(m.file_size for m in members)
    what = ""
    if len(members) > MAX_FILES:
        what = f"holds {len(members):,} files, more than {MAX_FILES:,}"
    elif total > min(MAX_BYTES, max(FREE_BYTES, MAX_RATIO * size)):
        what = f"would unpack to {total / 2**20:,.0f} MiB, from {size / 2**20:,.1f} MiB"
    if what:
        raise ZrfError([Diagnostic("archive-too-large", f"{path.name} {what}", None,
                                   help="if you trust it, unpack it yourself and name the folder")])


def _places(path: Path, members: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, tuple[str, ...]]]:
    """Each file and where it goes, its name as all systems can have it."""
    for member in members:
        pure = PurePosixPath(member.filename.replace("\\", "/"))
        if pure.is_absolute() or ".." in pure.parts or re.match(r"[A-Za-z]:", member.filename):
            raise ZrfError([Diagnostic("bad-archive", f"{path.name} holds a file that would be written outside: "
                                       f"`{member.filename[:80]}`", None, help="don't trust this archive")])
        parts = tuple(_UNFIT.sub("_", part)[:MAX_NAME] for part in pure.parts)
        if parts:
            yield member, parts
