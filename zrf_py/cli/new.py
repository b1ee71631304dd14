"""`zrf new`: write a small game to start from."""

import argparse
import sys
from pathlib import Path

from zrf_py.cli.common import beside
from zrf_py.text.diagnostics import ZrfError

HELP = ("Kinds: men (walk and capture), row (three in a row), drops (pieces enter from the store), race (step and "
        "jump). Boards: squares, points (the pieces stand on the crossings of lines), hexagons.")


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
    with beside(args.file):
        text = unpacked(args.link) if args.link is not None else formatted(
            new_game(*_wishes(args, "My Game" if args.file == "-" else path.stem)))
    if args.file == "-":
        sys.stdout.buffer.write(text.encode())
        return 0
    with open(path, "x", encoding="utf-8") as file:
        file.write(text)
    print(f"Wrote {path}.\nplay: zrf play {path}\nedit in a browser: zrf serve --edit {path}\ncheck: zrf check {path}")
    return 0


def _wishes(args: argparse.Namespace, name: str) -> tuple[str, str, int, str]:
    """Return kind, title, size and board, prompting for those not given; the default title is made from `name`."""
    ask = sys.stdin.isatty()
    kind = args.kind or _prompt("Kind of game: men, row, drops or race", "men", ask)
    board = args.board or _prompt("Board: squares, points or hexagons", "squares", ask)
    title = args.title or _prompt("Title", name.replace("-", " ").title(), ask)
    size = args.size
    if size is None:
        answer = _prompt("Rows and columns", "5", ask)
        size = int(answer) if answer.isdecimal() and len(answer) < 4 else 0
    return kind, title, size, board


def _prompt(question: str, usual: str, ask: bool) -> str:
    """Prompt for an answer; return `usual` if it is empty or `ask` is False."""
    if not ask:
        return usual
    while "?" in (answer := input(f"{question} [{usual}]: ")):
        print(HELP)
    return answer.strip() or usual
