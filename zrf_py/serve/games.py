"""Which games are served: names that clients may use → rules files on this machine.

A client names a game by an id of this table and never by a path, so nothing outside it can be asked for.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path

from zrf_py.library import catalogue, find, named, read_source, shelf
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.render import harmless

MAX_FILES = 5_000
MAX_TITLES = 60
"""Titles of a file's variants that a search finds it by."""
REFRESH = 3.0
"""Seconds after which a served folder is looked through again."""
_TITLE = re.compile(r'\(title\s+"([^"]{1,200})"')


@dataclass(frozen=True)
class Served:
    """A game that may be asked for. `group` is the heading it is listed under; `words` what a search finds it by."""

    id: str
    title: str
    path: Path
    variant: str | None = None
    group: str = ""
    about: str = ""
    words: str = ""
    is_own: bool = False
    """Whether it is a user's file and not one of the shelf."""


class Games:
    """The shelf and, if the user named one, a file or the files of a folder."""

    def __init__(self, wish: str | None = None) -> None:
        """
        :raises ZrfError: if what the user wants to serve isn't there.
        """
        self.folder: Path | None = None
        self.start: str | None = None
        """The id of the game that the user named."""
        self._shelf = _shelf_games()
        self._own: dict[str, Served] = {}
        self._looked = 0.0
        self._titles: dict[tuple[Path, int], list[str]] = {}
        if wish is not None:
            self._serve(wish)

    def _serve(self, wish: str) -> None:
        path = Path(wish)
        if path.is_dir():
            self.folder = path.resolve()
            self._refresh()
            if not self._own:
                raise ZrfError(f"there is no rules file (.zrf) in {wish}", "no-such-game")
            return
        if wish in self._shelf:
            self.start = wish
            return
        found = find(named(wish)[0]).resolve()
        known = next((g.id for g in self._shelf.values() if g.path.resolve() == found), None)
        if known is None:
            known = f"file/{found.name}"
            self._own[known] = self._file(known, found)
        self.start = known

    def __getitem__(self, id: str) -> Served:
        """
        :raises ZrfError: if no such game is served.
        """
        game = self._own.get(id) or self._shelf.get(id)
        if game is None:  # it may be new in the folder
            self._refresh()
            game = self._own.get(id)
        if game is None:
            raise ZrfError("there is no such game here", "no-such-game")
        return game

    def all(self) -> list[Served]:
        """Every game, the user's own first."""
        self._refresh()
        return [*self._own.values(), *self._shelf.values()]

    def for_record(self, rules_file: str, variant: str) -> Served:
        """
        The game of a saved game.

        :raises ZrfError: if its rules file isn't served.
        """
        wanted = rules_file.replace("\\", "/").rsplit("/", 1)[-1].casefold()
        found = [g for g in self.all() if g.path.name.casefold() == wanted]
        if not found:
            raise ZrfError(f"its rules file `{harmless(wanted[:80])}` isn't among the games here", "no-such-game")
        return next((g for g in found if g.variant == variant), found[0])

    def _refresh(self) -> None:
        if self.folder is None or (time.monotonic() - self._looked < REFRESH and self._own):
            return
        self._looked = time.monotonic()
        own: dict[str, Served] = {}
        for path in sorted(self.folder.rglob("*"))[:MAX_FILES * 10]:
            inside = path.suffix.lower() == ".zrf" and path.is_file() and path.resolve().is_relative_to(self.folder)
            if inside and len(own) < MAX_FILES:
                id = f"file/{path.relative_to(self.folder).as_posix()}"
                own[id] = self._file(id, path)
        self._own = own

    def _file(self, id: str, path: Path) -> Served:
        """A user's file, by the first title in its text: compiling all files of a folder would take minutes."""
        try:
            age = path.stat().st_mtime_ns
            titles = self._titles.get((path, age))
            if titles is None:
                titles = self._titles[path, age] = _titles(path)
        except (OSError, ZrfError):
            titles = []
        title = harmless(titles[0] if titles else path.stem)
        inside = id.removeprefix("file/")
        group = " / ".join([self.folder.name, *inside.split("/")[:-1][:1]]) if self.folder else "Your file"
        return Served(id, title, path, None, harmless(group), harmless(path.name),
                      f"{' '.join(titles)} {inside}".casefold(), True)


def _shelf_games() -> dict[str, Served]:
    """The files of the shelf that hold no game of the catalogue, then the catalogue."""
    files = shelf()
    entries = [e for e in catalogue().values() if e.name in files]
    listed = {e.name for e in entries}
    games = {}
    for name, path in files.items():
        if name not in listed:
            titles = _titles(path) or [name]
            group = "Positions" if name.endswith("-positions") else "Games"
            games[name] = Served(name, titles[0], path, None, group, "", f"{' '.join(titles)} {name}".casefold())
    for e in entries:
        about = f"{e.players} players · {e.board}" if e.players[:1].isdigit() else e.players
        games[e.id] = Served(e.id, e.title, files[e.name], e.title, e.source[:1].upper() + e.source[1:], about,
                             f"{e.title} {e.id} {e.name} {e.board} {e.source}".casefold())
    return dict(sorted(games.items(), key=lambda item: item[1].group == "Positions"))


def _titles(path: Path) -> list[str]:
    """Titles of the game and its variants, as the text has them."""
    return [title.replace("`", '"') for title in _TITLE.findall(read_source(path).text)[:MAX_TITLES]]


def stamp(path: Path) -> str:
    """Changes when a rules file, or what it may include, does; "" where it can't be read."""
    parts = []
    try:
        for beside in sorted(path.parent.iterdir())[:2_000]:
            if beside == path or beside.suffix.lower() in (".zrf", ".inc", ".zri", ".txt", ".bmp"):
                status = beside.stat()
                parts.append(f"{beside.name}:{status.st_mtime_ns}:{status.st_size}")
    except OSError:
        return ""
    return str(hash(tuple(parts)))
