"""The games that a server offers: rules files on this machine, by the ids that clients may use.

A client names a game by an id of this table and never by a path, so nothing else can be requested.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from operator import itemgetter
from pathlib import Path, PureWindowsPath

from zrf_py import archives
from zrf_py.catalogue import catalogue, folded, shelf_facts, titles_of
from zrf_py.library import find, named, shelf
from zrf_py.paths import age_of
from zrf_py.play.facts import Facts
from zrf_py.play.labels import Label, players_text, read_label, search_words
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.grouping import by_key
from zrf_py.text.source import harmless

MAX_FILES = 5_000
FEW = 4
"""Minimum number of games for which a folder gets a heading of its own."""
REFRESH = 3.0
"""Seconds after which a served folder is searched again."""


@dataclass(frozen=True)
class Served:
    """A game that clients may request. `path` may lead into an archive; `group` is the heading above its card;
    searches match `words`."""

    id: str
    title: str
    path: Path
    variant: str | None = None
    group: str = ""
    about: str = ""
    words: str = ""
    is_own: bool = False
    """True for a user's file, False for one of the shelf."""
    is_checked: bool = True
    """True for a game of the shelf, and for a user's file after `Games.learn`, whether it can be played or not."""


class Games:
    """The games of the shelf and, if the user named a file or folder, those in it."""

    def __init__(self, wish: str | None = None) -> None:
        """:raises ZrfError: if there is no such file, folder or bundled game."""
        self.folder: Path | None = None
        self.start: str | None = None
        """Id of the game that the user named."""
        self._shelf = _shelf_games()
        self._own: dict[str, Served] = {}
        self._looked = 0.0
        self._labels: dict[tuple[Path, int], Label] = {}
        self._facts: dict[tuple[Path, int], Facts | None] = {}
        if wish is not None:
            self._serve(wish)

    def _serve(self, wish: str) -> None:
        path = Path(wish)
        if wish and path.is_dir():
            self.folder = path.resolve()
            self._refresh()
            if not self._own:
                raise ZrfError(f"there is no rules file (.zrf) in {wish}", "no-such-game")
            return
        if wish in self._shelf:
            self.start = wish
            return
        file = find(named(wish)[0]).resolve()
        game_id = next((g.id for g in self._shelf.values() if g.path.resolve() == file), None)
        if game_id is None:
            game_id = f"file/{file.name}".encode("utf-8", "backslashreplace").decode("utf-8")
            self._own[game_id] = self._file(game_id, file)
        self.start = game_id

    def __getitem__(self, id: str) -> Served:
        """:raises ZrfError: if no such game is served."""
        game = self._own.get(id) or self._shelf.get(id)
        if game is None:  # the file may be new in the folder
            self._refresh()
            game = self._own.get(id)
        if game is None:
            raise ZrfError("there is no such game here", "no-such-game")
        return game

    def all(self) -> list[Served]:
        """Return all games, the user's own first."""
        self._refresh()
        return [*self._own.values(), *self._shelf.values()]

    def learn(self, game: Served, facts: Facts | None) -> Served:
        """Update a user's card with the facts of the checked game (None: it can't be checked), and return the card."""
        self._facts[game.path, _age(game.path)] = facts
        self._own[game.id] = replace(self._file(game.id, game.path), group=game.group)
        return self._own[game.id]

    def for_record(self, rules_file: str, variant: str) -> list[Served]:
        """Return the games to which a saved game may belong, likeliest first: those at the recorded path, then those
        with the same file name; among these, files with the recorded variant come first.

        :raises ZrfError: if its rules file isn't served.
        """
        parts = [part.casefold() for part in PureWindowsPath(rules_file).parts]
        files = by_key((game.path, game) for game in self.all() if parts and game.path.name.casefold() == parts[-1])
        if not files:
            raise ZrfError(f"its rules file `{harmless(rules_file[-80:])}` isn't among the games here", "no-such-game")

        def rank(path: Path) -> tuple[bool, bool]:
            has = folded(variant) in {folded(title) for title in self._label(path).titles}
            return self._inside(files[path][0]) != parts, not has

        return [next((g for g in files[path] if g.variant == variant), files[path][0])
                for path in sorted(files, key=rank)]

    def _label(self, path: Path) -> Label:
        """Return the label in a file's text, cached until the file changes; an empty one if it can't be read."""
        key = path, _age(path)
        if key not in self._labels:
            self._labels[key] = Label()
            with suppress(OSError, ZrfError):
                self._labels[key] = read_label(path)
        return self._labels[key]

    def _below(self, game: Served) -> PureWindowsPath:
        """Return the path of a game's file relative to the folder it is served from."""
        if self.folder and game.path.is_relative_to(self.folder):
            return PureWindowsPath(game.path.relative_to(self.folder))
        name = next((name for name, path in shelf().items() if path == game.path), game.path.stem)
        return PureWindowsPath(f"{name}{game.path.suffix}")

    def _inside(self, game: Served) -> list[str]:
        return [part.casefold() for part in self._below(game).parts]

    def name_for_record(self, game: Served) -> str:
        """Return the name by which a game's saved games refer to its rules file: as in the original, the file's name;
        if another file has the same name, its path from the served folder."""
        same = {g.path for g in self.all() if g.path.name.casefold() == game.path.name.casefold()}
        return game.path.name if len(same) < 2 else str(self._below(game))

    def _refresh(self) -> None:
        if self.folder is None or (time.monotonic() - self._looked < REFRESH and self._own):
            return
        self._looked = time.monotonic()
        own: dict[str, Served] = {}
        paths = list(islice(_rules_in(self.folder), MAX_FILES + 1))
        for path in paths[:MAX_FILES]:
            id = f"file/{path.relative_to(self.folder).as_posix()}".encode("utf-8", "backslashreplace").decode("utf-8")
            own[id] = self._file(id, path)
        cut = f" (only the first {MAX_FILES:,} files)" if len(paths) > MAX_FILES else ""
        self._own = {n: replace(g, group=g.group + cut) for n, g in _gathered(own, harmless(self.folder.name)).items()}

    def _file(self, id: str, path: Path) -> Served:
        """Make the card of a user's file, with the first title in its text until its game has been checked."""
        age = _age(path)
        facts, label = self._facts.get((path, age)), self._label(path)
        title = harmless(facts.title if facts else label.titles[0] if label.titles else
                         path.name if path.suffix.lower() == archives.SUFFIX else path.stem)
        inside = id.removeprefix("file/")
        folder = inside.split("/")[0] if "/" in inside else ""
        group = f"{self.folder.name} / {folder}" if self.folder and folder else self.folder.name if self.folder else (
            "Your file")
        players, board = (facts.players, facts.board) if facts else ("", "")
        about = " · ".join(filter(None, [players_text(players), board, harmless(inside)]))
        return Served(id, title, path, label.variant, harmless(group), about,
                      search_words(*titles_of(title, *label.titles), inside, label.names, board, players), True,
                      (path, age) in self._facts)


def _age(path: Path) -> int:
    """Return the modification time of a file, or of the archive it is in; 0 if it can't be read."""
    return age_of(archives.holder(path) or path)


def _gathered(games: dict[str, Served], folder: str) -> dict[str, Served]:
    """Give headings only to folders with enough games; all other games come under the heading `folder`."""
    counts = Counter(game.group for game in games.values())
    return {id: game if counts[game.group] >= FEW else replace(game, group=folder) for id, game in games.items()}


def _rules_in(folder: Path) -> Iterator[Path]:
    """Yield the rules files of a folder and of its archives, and the archives that hold none or can't be read."""
    for path, _ in sorted(archives.rules_in(folder), key=itemgetter(0)):
        with suppress(OSError, RuntimeError):  # a cycle of symbolic links
            if (archives.holder(path) or path).resolve().is_relative_to(folder):
                yield path


def _shelf_games() -> dict[str, Served]:
    """Return shelf files outside the catalogue, then the games of the catalogue, last the files `…-positions`."""
    files = shelf()
    entries = [e for e in catalogue().values() if e.name in files]
    listed = {e.name for e in entries}
    labels = {name: read_label(path) for name, path in files.items()}
    games = {}
    for name, path in files.items():
        if name not in listed:
            label = labels[name]
            is_position = name.endswith("-positions")
            of = labels.get(name.removesuffix("-positions"), Label()).titles[:1] if is_position else ()
            _, players, board = shelf_facts().get(name, ("", "", ""))
            about = " · ".join(filter(None, [players_text(players), board, *of]))
            games[name] = Served(name, (label.titles or (name,))[0], path, label.variant,
                                 "Positions" if is_position else "Games", about,
                                 search_words(*titles_of(*label.titles), *of, name, label.names, board, players))
    for e in entries:
        about = " · ".join(filter(None, [players_text(e.players), e.board if e.players[:1].isdigit() else ""]))
        games[e.id] = Served(e.id, e.title, files[e.name], e.title, e.source[:1].upper() + e.source[1:], about,
                             search_words(*titles_of(e.title), e.id, e.name, e.board, e.source, labels[e.name].names,
                                          e.players))
    return dict(sorted(games.items(), key=lambda item: item[1].group == "Positions"))


def stamp(path: Path) -> str:
    """Return a text that changes with a rules file and the files beside it that it may use; "" if it can't be read."""
    parts = []
    try:
        path = archives.on_disk(path)
        for beside in sorted(path.parent.iterdir())[:2_000]:
            if beside == path or beside.suffix.lower() in (".zrf", ".inc", ".zri", ".txt", ".bmp"):
                status = beside.stat()
                parts.append(f"{beside.name}:{status.st_mtime_ns}:{status.st_size}")
    except (OSError, ZrfError):
        return ""
    return str(hash(tuple(parts)))
