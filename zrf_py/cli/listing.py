"""`zrf list`: the games that come with zrf_py."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass, replace
from math import prod
from typing import Any

from zrf_py.cli.common import use_color, width

_TITLE = re.compile(r'\(title\s+"([^"]*)"')
_PLAYERS = re.compile(r"\(players\s+([^()]*)\)")
_DIMENSIONS = re.compile(r"\(dimensions((?:\s|;[^\n]*\n|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\)")
_AXIS = re.compile(r'\(\s*"([^"]*)"')


@dataclass(frozen=True)
class Entry:
    """What the list says about a game: `name` is its id if it is in the catalogue, else that of its file.

    `about` is the first line of comment in the file, `source` the document of a game of the catalogue.
    """

    name: str
    title: str
    players: str
    board: str
    about: str
    path: str
    source: str = ""


def add(commands: Any) -> None:
    parser = commands.add_parser("list", help="list the games that come with zrf_py")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    entries = _entries()
    if args.json:
        print(json.dumps([asdict(e) for e in entries], indent=2, ensure_ascii=False))
    else:
        _table(entries)
    return 0


def _entries() -> list[Entry]:
    """Files without a place in the catalogue, then the games of the catalogue."""
    from zrf_py.library import catalogue, shelf

    files = {name: _entry(name, str(path)) for name, path in shelf().items()}
    games = [game for game in catalogue().values() if game.name in files]
    listed = [
        replace(files[game.name], name=game.id, title=game.title, players=game.players, board=game.board,
                source=game.source)
        for game in games
    ]
    return [entry for name, entry in files.items() if name not in {game.name for game in games}] + listed


def _entry(name: str, path: str) -> Entry:
    """Read from the text of the rules; they aren't compiled, so that a long list comes at once."""
    with open(path, encoding="latin-1") as file:
        text = file.read()
    about = next((line.strip("; \t\n") for line in text.splitlines() if line.strip("; \t")), "")
    title = _TITLE.search(text)
    return Entry(name, title[1] if title else about, _players(text), _board(text), about, path)


def _players(text: str) -> str:
    found = _PLAYERS.search(text)
    return " ".join(found[1].split()) if found else ""


def _board(text: str) -> str:
    """The sizes of the largest grid, as `8 x 8`; empty for a board without one."""
    grids = [[names.count("/") + 1 for names in _AXIS.findall(found[1])] for found in _DIMENSIONS.finditer(text)]
    return " x ".join(map(str, max(grids, key=prod, default=[])))


def _table(entries: list[Entry]) -> None:
    if not sys.stdout.isatty():
        for e in entries:
            print("\t".join((e.name, e.title, e.players, e.board, e.source)).rstrip("\t"))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    rows = [(e.name, e.title, e.players if e.source else str(len(e.players.split()) or ""), e.board, e.source)
            for e in entries]
    headings = ("Name", "Title", "Players", "Board", "Source")
    room = [max(len(text) for text in column) for column in zip(headings, *rows, strict=True)]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading, least in zip(headings, room, strict=True):
        title = heading == "Title"
        table.add_column(heading, style="bold" if heading == "Name" else "", overflow="ellipsis", no_wrap=True,
                         width=max(12, min(least, width(120) - sum(room) + least - 16)) if title else least)
    for row in rows:
        table.add_row(*row)
    Console(width=width(120), no_color=not use_color("auto")).print(table)
