"""`zrf list`: list the games that come with zrf_py, or those of a folder or an archive."""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from zrf_py.cli.common import add_json, is_place, print_json, use_color, width
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import harmless
from zrf_py.text.suggest import clipped


@dataclass(frozen=True)
class Entry:
    """A row of the list: `name` is the id in the catalogue, or else the name of the file.

    `about` is the first comment line of the file, `source` the document that a game of the catalogue is from.
    """

    name: str
    title: str
    players: str
    board: str
    about: str
    path: str
    source: str = ""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="WORD|FOLDER|ZIP", nargs="*", help="list only games that match all of these "
                        "words; for a folder or .zip archive, list its rules files")
    parser.add_argument("--players", metavar="N", help="list only games for this number of players, such as 2 or 1-6")
    parser.add_argument("--source", metavar="WORD", help="list only catalogue games from this source")
    parser.add_argument("--names", action="store_true", help="print only the names, in columns")
    add_json(parser, "print the list as JSON")


def run(args: argparse.Namespace) -> int:
    places = [word for word in args.words if is_place(word)]
    words = [word for word in args.words if word not in places]
    rows = [e for place in places for e in _entries_in(place)] if places else _entries()
    entries = [e for e in rows if _matches(e, words, args.players, args.source)]
    if not entries and not args.json:
        raise ZrfError(f"{', '.join(places)} contains no rules files" if not rows else
                       f"no game in {', '.join(places)} matches" if places else
                       "no bundled game matches; `zrf list` lists them all", "no-such-game")
    if args.json:
        print_json([asdict(e) for e in entries])
    elif args.names:
        _columns([harmless(e.name) for e in entries])
    else:
        _table(entries)
    return 0


def _matches(entry: Entry, words: list[str], players: str | None, source: str | None) -> bool:
    from zrf_py.catalogue import shelf_facts, titles_of

    titles = shelf_facts().get(entry.name, (entry.title,))[0]
    text = " ".join((entry.name, entry.title, *titles_of(titles), entry.board, entry.about, entry.source))
    text = text.casefold()
    few, _, many = (players or "").partition("-")
    return (all(word.casefold() in text for word in words)
            and (not source or source.casefold() in entry.source.casefold())
            and (not players or _is_for(entry, few, many or few)))


def _is_for(entry: Entry, few: str, many: str) -> bool:
    """Return whether a game is for `few` to `many` players."""
    count = re.match(r"\d+", entry.players)
    if not (count and few.isdecimal() and many.isdecimal()):
        return False
    return int(few) <= int(count[0]) <= int(many)


def _columns(names: list[str]) -> None:
    """Print names side by side on a terminal, one per line elsewhere."""
    wide = max(map(len, names)) + 2
    count = max(1, width(200) // wide) if sys.stdout.isatty() else 1
    rows = -(-len(names) // count)
    for row in range(rows):
        print("".join(name.ljust(wide) for name in names[row::rows]).rstrip())


def _entries() -> list[Entry]:
    """Return the bundled games; for those in the catalogue, it supplies name, title, players, board and source."""
    from zrf_py.catalogue import catalogue, shelf_facts
    from zrf_py.library import names, shelf

    facts = shelf_facts()
    files = {name: _entry(name, str(path), *facts.get(name, ("", "", ""))[1:]) for name, path in shelf().items()}
    entries = []
    for name in names():
        game = catalogue().get(name)
        entries.append(files[name] if game is None else replace(
            files[game.name], name=game.id, title=game.title, players=game.players, board=game.board,
            source=game.source))
    return entries


def _entries_in(place: str) -> Iterator[Entry]:
    """Yield an entry for each rules file of a folder or archive; if it can't be read, the title gives the reason."""
    from zrf_py.archives import rules_in

    for path, problems in rules_in(Path(place)):
        try:
            if problems:
                raise ZrfError(problems)
            yield _entry(str(path), str(path), "", "")
        except ZrfError as error:
            yield Entry(str(path), f"({error.diagnostics[0].message})", "", "", "", str(path))


def _entry(name: str, path: str, players: str, board: str) -> Entry:
    """Return an entry for a file; its label is read without compiling the file, so that a long list appears quickly."""
    from zrf_py.play.labels import read_label

    label = read_label(Path(path))
    return Entry(name, label.titles[0] if label.titles else label.about, players, board, label.about, path)


def _table(entries: list[Entry]) -> None:
    rows = [tuple(map(harmless, (e.name, clipped(e.title, 200), e.players, e.board, e.source))) for e in entries]
    if not sys.stdout.isatty():
        for row in rows:
            print("\t".join(row).rstrip("\t"))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    headings = ("Name", "Title", "Players", "Board", "Source")
    room = [max(len(text) for text in column) for column in zip(headings, *rows, strict=True)]
    room[0] = min(room[0], width(120) // 2)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading, least in zip(headings, room, strict=True):
        title = heading == "Title"
        wide = max(12, min(least, width(120) - sum(room) + least - 14)) if title else least
        table.add_column(heading, style="bold" if heading == "Name" else "", overflow="fold",
                         no_wrap=heading not in ("Name", "Title"), width=wide)
    for row in rows:
        table.add_row(*row)
    Console(width=width(120), no_color=not use_color("auto")).print(table, markup=False)
