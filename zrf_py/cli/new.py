"""`zrf new`: write a small game to start from."""

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from zrf_py.cli.common import beside, can_write
from zrf_py.text.diagnostics import ZrfError, writing
from zrf_py.text.numbers import whole_number

HELP = ("Kinds: men (walk and capture), row (three in a row), drops (pieces enter from the store), race (step and "
        "jump). Boards: squares, points (the pieces stand on the crossings of lines), hexagons.")
USUAL: dict[str, Any] = {"kind": "men", "board": "squares", "title": "My Game", "size": 5}
QUESTIONS = {"kind": "Kind of game: men, row, drops or race", "board": "Board: squares, points or hexagons",
             "title": "Title", "size": "Rows and columns"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Create a small game that can be played at once and is easy to change. The command asks for missing options; "
        "Enter accepts the default in brackets. "
        + HELP)
    parser.add_argument("file", metavar="FILE", help="rules file to create, such as hop.zrf; - is standard output")
    parser.add_argument("--kind", metavar="KIND", help="kind of game: men, row, drops or race")
    parser.add_argument("--board", metavar="BOARD", help="squares, points or hexagons (default: squares)")
    parser.add_argument("--title", metavar="TEXT", help="title of the game (default: the name of the file)")
    parser.add_argument("--link", metavar="LINK", help="write the text of a link shared by the rules editor instead")
    parser.add_argument("--size", type=int, metavar="N", help="number of rows and columns (default: 5)")


def run(args: argparse.Namespace) -> int:
    from zrf_py.author.format.layout import formatted
    from zrf_py.author.new.templates import new_game
    from zrf_py.author.sharing import unpacked

    path = Path(args.file)
    if args.file != "-" and path.exists():
        raise ZrfError(f"{path} already exists", "usage", help="choose another name")
    can_write(args.file, writing)
    with beside(args.file):
        text = unpacked(args.link) if args.link is not None else formatted(
            new_game(**_wishes(args, USUAL["title"] if args.file == "-" else path.stem)))
    if args.file == "-":
        sys.stdout.buffer.write(text.encode())
        return 0
    with writing(path), open(path, "x", encoding="utf-8") as file:
        file.write(text)
    name = shlex.quote(str(path))
    print(f"Wrote {path}.\nplay: zrf play {name}\nedit in a browser: zrf serve --edit {name}\ncheck: zrf check {name}")
    return 0


def _wishes(args: argparse.Namespace, name: str) -> dict[str, Any]:
    """Return the arguments of `new_game`; on a terminal, prompt for those not given until each answer is valid. The
    default title is made from `name`."""
    from zrf_py.author.new.templates import new_game

    wishes = USUAL | {"title": name.replace("-", " ").title()}
    wishes |= {key: getattr(args, key) for key in wishes if getattr(args, key) is not None}
    for key, question in QUESTIONS.items() if sys.stdin.isatty() else ():
        usual = wishes[key]
        while getattr(args, key) is None:
            answer = input(f"{question} [{usual}]: ").strip() or str(usual)
            wishes[key] = whole_number(answer) if key == "size" and answer.isdecimal() else answer
            try:
                new_game(**USUAL | {key: wishes[key]})
                break
            except ZrfError as error:
                print(HELP if answer == "?" else f"{error.diagnostics[0].message}; {error.diagnostics[0].help}")
    return wishes
