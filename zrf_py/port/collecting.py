"""Find the rules files and saved games in folders and archives, including archives within archives."""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from zrf_py import archives
from zrf_py.paths import MOST_ENTRIES, below
from zrf_py.text.diagnostics import ZrfError

_READ = (".zrf", ".inc", ".zsg", ".zri", ".txt")
"""Suffixes of files whose content affects the report; of other files only the names and sizes matter."""


@dataclass(frozen=True)
class Item:
    """A file to examine: `kind` is "rules" or "record"; `name` is shown to the user (`old.zip/Chess/Chess.zrf`);
    `root` is the folder that the user named, the folder of a single file, or the one into which the archive is
    unpacked; `mark` is a hash of that folder (see `_mark_of`), or of the single file."""

    kind: str
    name: str
    path: str
    root: str
    mark: str


@dataclass
class Collection:
    """Items to examine. `refused` contains (name, reason) for archives that can't be opened, and for folders, links
    and parts of archives that aren't read; `endings` contains the suffixes of saved games."""

    items: list[Item] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    endings: Sequence[str] = (".zsg",)

    def of(self, kind: str) -> list[Item]:
        return [item for item in self.items if item.kind == kind]


def find_items(
    places: Iterable[str], leave_out: Path | None = None, endings: Sequence[str] = Collection.endings,
) -> Collection:
    """Return the items in folders, archives and files, in order, except the contents of the folder `leave_out`.

    :param endings: suffixes of saved games.

    :raises ZrfError: if one of the places doesn't exist.
    """
    collection = Collection(endings=endings)
    for place in places:
        path = Path(place)
        if place and path.is_dir():
            _folder(collection, path, "" if place in (".", "./") else f"{place.rstrip('/')}/", leave_out, 0)
        elif archives.is_archive(path):
            _archive(collection, path, place, 0)
        elif path.is_file():
            _file(collection, path, place, path.parent, _mark_of([path], path.parent))
        else:
            raise ZrfError(f"there is no folder, archive or file `{place}`", "no-such-game")
    return collection


def _folder(collection: Collection, folder: Path, name: str, leave_out: Path | None, depth: int) -> None:
    files = [p for p in below(folder, MOST_ENTRIES, lambda path, why: collection.refused.append(
                 (name + path.relative_to(folder).as_posix(), why)))
             if leave_out is None or not p.resolve().is_relative_to(leave_out.resolve())]
    mark = _mark_of(files, folder)
    for path in files:
        label = name + path.relative_to(folder).as_posix()
        if archives.is_archive(path):
            _archive(collection, path, label, depth)
        else:
            _file(collection, path, label, folder, mark)


def _archive(collection: Collection, path: Path, name: str, depth: int) -> None:
    try:
        if depth >= archives.MAX_DEPTH:
            raise ZrfError(f"archives are nested more than {archives.MAX_DEPTH} levels deep", "bad-archive")
        _folder(collection, archives.unpacked(path), f"{name}/", None, depth + 1)
        collection.refused += [(f"{name}/{inner}", f"it {why}") for inner, why in archives.left_out(path)]
    except ZrfError as error:
        collection.refused.append((name, error.diagnostics[0].message))


def _file(collection: Collection, path: Path, name: str, root: Path, mark: str) -> None:
    ending = path.suffix.lower()
    kind = "rules" if ending == ".zrf" else "record"
    if ending in (".zrf", *collection.endings):
        collection.items.append(Item(kind, name, str(path.resolve()), str(root.resolve()), mark))


def _mark_of(files: Iterable[Path], folder: Path) -> str:
    """Hash all files of a folder: names, sizes, and the content of those in `_READ` that can be read."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode("utf-8", "replace"))
        with suppress(OSError):
            digest.update(f"{path.stat().st_size}\0".encode())
            if path.suffix.lower() in _READ:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:20]
