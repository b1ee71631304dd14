"""`zrf list`: the games that come with zrf_py."""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass
from math import prod
from typing import Any

from zrf_py.cli.common import use_color, width

_TITLE = re.compile(r'\(title\s+"([^"]*)"')
_PLAYERS = re.compile(r"\(players\s+([^()]*)\)")
_DIMENSIONS = re.compile(r"\(dimensions((?:\s|;[^\n]*\n|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\)")
_AXIS = re.compile(r'\(\s*"([^"]*)"')


@dataclass(frozen=True)
class Entry:
    """What the list says about a game; `about` is its first line of comment."""

    name: str
    title: str
    players: str
    board: str
    about: str
    path: str


def add(commands: Any) -> None:
    parser = commands.add_parser("list", help="list the games that come with zrf_py")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zrf_py.library import shelf

    entries = [_entry(name, str(path)) for name, path in shelf().items()]
    if args.json:
        print(json.dumps([asdict(e) for e in entries], indent=2, ensure_ascii=False))
    else:
        _table(entries)
    return 0


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
            print("\t".join((e.name, e.title, e.players, e.board)))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading, style in (("Name", "bold"), ("Title", ""), ("Players", ""), ("Board", "")):
        table.add_column(heading, style=style, overflow="ellipsis", no_wrap=True)
    for e in entries:
        table.add_row(e.name, e.title, str(len(e.players.split()) or ""), e.board)
    Console(width=width(), no_color=not use_color("auto")).print(table)
