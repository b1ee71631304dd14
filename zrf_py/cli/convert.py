"""`zrf convert`: convert games and positions between .zsg files and the formats of other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.common import is_place, whole, write_file
from zrf_py.cli.replay import add_rules, named_rules, open_saved, saved_games
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import number

if TYPE_CHECKING:
    from zrf_py.play.game import Game
    from zrf_py.play.zsg import SavedGame


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Convert games and positions between .zsg and the formats of other programs: PGN and FEN (chess family), "
        "KIF, USI and SFEN (shogi family), PDN (draughts), SGF (placement games). Variations and headers are "
        "kept where both formats have them; comments are left out. FEN and SFEN hold the last position only.")
    parser.add_argument("input", metavar="IN", help="a file of games or positions, or a folder or .zip "
                        "archive of such files; - is standard input")
    parser.add_argument("output", metavar="OUT", nargs="?", default=argparse.SUPPRESS,
                        help="the file to write, whose extension names the format; with --to, it may also be a folder, "
                        "which gets one file per game (default: standard output)")
    parser.add_argument("-o", "--output", metavar="OUT", help="the same as OUT, as in other commands")
    parser.add_argument("--to", metavar="FORMAT", help="zsg, pgn, fen, kif, usi, sfen, pdn or sgf")
    add_rules(parser)
    parser.add_argument("--variant", metavar="V", help="title or number of a variant (default: the saved title)")
    parser.add_argument("--number", type=whole(1), metavar="N", help="convert only game N of the input")


def run(args: argparse.Namespace) -> int:
    from zrf_py.play.formats.record_files import format_of, wanted_format, written

    if not args.to and (not args.output or not Path(args.output).suffix):
        raise ZrfError("no output format: name a file with an extension, such as `game.pgn`, or `--to pgn`", "usage")
    kind = wanted_format(args.to or Path(args.output).suffix)
    if args.to and args.output and Path(args.output).suffix and format_of(args.output) != kind:
        raise ZrfError(f"`--to {args.to}` and the extension of {args.output} name different formats", "usage")
    games = _games(args)
    if args.to and args.output and (Path(args.output).is_dir() or not Path(args.output).suffix):
        Path(args.output).mkdir(parents=True, exist_ok=True)
        for count, pair in enumerate(games, 1):
            write_file(str(Path(args.output) / f"{count:04d}.{kind}"), written([pair], kind, args.input))
    else:
        write_file(args.output or "-", written(games, kind, args.input))
    plies = sum(saved.plies for _, saved in games)
    print(f"{number(len(games), 'game')}, {number(plies, 'move')}: {args.output or kind}", file=sys.stderr)
    return 0


def _games(args: argparse.Namespace) -> list[tuple[Game, SavedGame]]:
    """Return the games of the input, with the rules of each.

    :raises ZrfError: if one can't be read, or there is none, or fewer than `--number`.
    """
    from zrf_py.play.formats.record_files import load_record, load_records

    game = named_rules(args)
    by_rules: dict[tuple[str, str], Game] = {}
    pairs = []
    collection = saved_games([args.input]) if is_place(args.input) else None
    places = [(item.path, item.root) for item in collection.of("record")] if collection else [(args.input, "")]
    for path, root in places:
        saved = [load_record(path, game, args.number)] if args.number and not collection else load_records(path, game)
        for record in saved:
            key = record.rules_file, record.variant
            if key not in by_rules:
                by_rules[key] = open_saved(record, path, args.rules or root, args.variant, "auto")
            pairs.append((by_rules[key], record))
    if collection and args.number:
        pairs = pairs[args.number - 1 : args.number]
    if not pairs:
        missing = f"game {args.number}" if args.number else "saved game"
        raise ZrfError(f"{args.input} contains no {missing}", "no-such-game", help="`zrf replay` lists the saved games")
    return pairs
