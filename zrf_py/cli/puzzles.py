"""`zrf puzzles`: find positions with exactly one winning turn in games between computer players."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zrf_py.cli.batches import positive
from zrf_py.cli.common import add_game, open_game
from zrf_py.text.diagnostics import ZrfError, writing_result
from zrf_py.text.numbers import number

if TYPE_CHECKING:
    from zrf_py.play.game import Game

Row = dict[str, Any]


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find puzzles in games between computer players: positions in which exactly one turn wins, proven or by a "
        "clear margin, confirmed by searches of ten times as many positions as --nodes. Each is rated by the lowest "
        "level that solves it (11: none). The output is one line of JSON for the game, then one per puzzle. With -o, "
        "Ctrl-C keeps the puzzles found so far, and the same command resumes the search.")
    add_game(parser)
    parser.add_argument("--count", type=positive, default=20, metavar="N", help="number of puzzles (default: 20)")
    parser.add_argument("--games", type=positive, default=10_000, metavar="N",
                        help="maximum number of games (default: %(default)s)")
    parser.add_argument("--nodes", type=positive, metavar="N", help="positions searched to choose a candidate "
                        "(default: 2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="file whose name ends in .jsonl "
                        "(default: standard output)")


def run(args: argparse.Namespace) -> int:
    """Return exit code 0 if as many puzzles as requested were found, 1 otherwise."""
    from zrf_py.batch.winning_turns import NODES

    game = open_game(args.name, args.variant)
    head = {"game": game.title, "rules": args.name, "digest": game.digest, "seed": args.seed,
            "nodes": args.nodes or NODES}
    rows, end = _rows(args.output, head)
    write = _appending(args.output, end)
    if not end:
        write(head)
    count, stopped = _find(game, args, rows, head["nodes"], write)
    print(f"\r{number(count, 'puzzle')} of {game.title}" + ("; the same command resumes the search" * (
        stopped and args.output != "-")), file=sys.stderr)
    return int(count < args.count)


def _find(
    game: Game, args: argparse.Namespace, rows: list[Row], nodes: int, write: Callable[[Row], None],
) -> tuple[int, bool]:
    """Write new puzzles; return (their number including those in `rows`, True if Ctrl-C ended the search)."""
    from zrf_py.batch.winning_turns import puzzles

    count, first = len(rows), rows[-1]["game"] if rows else 0  # the last game may be incomplete
    last = {row["position"] for row in rows if row["game"] == first}
    earlier = {row["position"] for row in rows} - last
    try:
        for at, puzzle in puzzles(game, args.seed, nodes, first, earlier) if count < args.count else ():
            if puzzle and puzzle.position not in last:
                write(asdict(puzzle))
                count += 1
            if sys.stderr.isatty():
                print(f"\r{count} of {args.count}, game {at + 1}", end="", file=sys.stderr, flush=True)
            if count >= args.count or (puzzle is None and at + 1 >= args.games):
                break
    except KeyboardInterrupt:
        return count, True
    return count, False


def _rows(output: str, head: Row) -> tuple[list[Row], int]:
    """Return the puzzles that a file already contains, and its length in bytes up to the last complete line.

    :raises ZrfError: if it isn't a file of puzzles of the same game, seed and number of positions.
    """
    path = Path(output)
    data = path.read_bytes() if output != "-" and path.is_file() else b""
    data = data[: data.rfind(b"\n") + 1]
    try:
        first, *rows = [json.loads(line) for line in data.decode().splitlines()] or [head]
        same = first == head and all({"position", "game"} <= row.keys() for row in rows)
    except (ValueError, AttributeError):
        same = False
    if not same:
        raise ZrfError(f"{path} does not hold puzzles of this game with this seed and number of "
                       "positions", "usage", help="name another file")
    return rows, len(data)


def _appending(output: str, end: int) -> Callable[[Row], None]:
    """Truncate a file to `end` bytes, and return a function that appends a row to it; "-" is standard output."""
    if output == "-":
        return lambda row: print(json.dumps(row, ensure_ascii=False), flush=True)

    def write(row: Row) -> None:
        with writing_result(output), Path(output).open("ab") as file:
            file.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")

    with writing_result(output), Path(output).open("ab") as file:
        file.truncate(end)
    return write
