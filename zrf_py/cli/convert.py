"""`zrf convert`: convert games and positions between .zsg files and the formats of other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zrf_py.cli.common import is_place, whole, write_file
from zrf_py.cli.replay import add_rules, named_rules, open_saved
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import number
from zrf_py.text.source import harmless

if TYPE_CHECKING:
    from zrf_py.play.game import Game
    from zrf_py.port.collecting import Item


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Convert games and positions between .zsg and the formats of other programs: PGN and FEN (chess family), "
        "KIF, USI and SFEN (shogi family), PDN (draughts), SGF (placement games). Variations and headers are "
        "kept where both formats have them; comments are left out. FEN and SFEN hold the last position only. If some "
        "of several games can't be converted, they are listed, the others are written, and the exit code is 1.")
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
    """Convert each game; list those that can't be converted, or raise the reason if the user named a single one."""
    from zrf_py.play.formats.record_files import FORMATS, format_of, wanted_format, written

    if not args.to and (not args.output or not Path(args.output).suffix):
        raise ZrfError("no output format: name a file with an extension, such as `game.pgn`, or `--to pgn`", "usage")
    kind = wanted_format(args.to or Path(args.output).suffix)
    if args.to and args.output and Path(args.output).suffix and format_of(args.output) != kind:
        raise ZrfError(f"`--to {args.to}` and the extension of {args.output} name different formats", "usage")
    output = Path(args.output or "-")
    is_folder = args.to and args.output and (output.is_dir() or not output.suffix)
    reads, lost = _games(args.input)
    if args.number:
        reads, lost = reads[args.number - 1 : args.number], []
    if not (reads or lost):
        raise ZrfError(f"{args.input} contains no {f'game {args.number}' if args.number else 'saved game'}",
                       "no-such-game", help="`zrf replay` lists the saved games")
    together = FORMATS[kind].together if kind in FORMATS else None
    if len(reads) > 1 and not is_folder and together is None:
        raise ZrfError(f"{args.input} holds {len(reads)} games, but a file of the format {kind} holds only one",
                       "usage", help="choose one with `--number`, or name a folder")
    games: dict[tuple[Path, str, str], Game] = {}
    rules, texts, plies = named_rules(args), [], 0
    for count, (item, label, read) in enumerate(reads, 1):
        try:
            saved = read(rules)
            key = Path(item.path).parent, saved.rules_file, saved.variant
            if key not in games:
                root = Path(item.root) if item.root else None
                games[key] = open_saved(saved, item.path, args.rules, args.variant, "auto", root=root)
            texts.append(written(games[key], saved, kind, label))
        except ZrfError as error:
            if args.number or label == args.input:
                raise
            message = error.diagnostics[0].message
            lost.append(message if label in message else f"{label}: {message}")
            continue
        plies += saved.plies
        if is_folder:
            output.mkdir(parents=True, exist_ok=True)
            write_file(str(output / f"{count:04d}.{kind}"), texts[-1])
    if texts and not is_folder:
        write_file(args.output or "-", (together or "").encode().join(texts))
    done = f"{number(len(texts), 'game')}, {number(plies, 'move')}: {args.output or kind}"
    for line in (*lost, f"{done}; {len(lost)} not converted" if lost else done):
        print(harmless(line), file=sys.stderr)
    return int(bool(lost))


def _games(name: str) -> tuple[list[tuple[Item, str, Any]], list[str]]:
    """Return (item, name for messages, function that reads the game) for each game of the input, and the reasons why
    files of a folder or archive can't be read; raise `ZrfError` if the input is a file that can't."""
    from zrf_py.archives import RECORDS
    from zrf_py.play.formats.record_files import games_in
    from zrf_py.port.collecting import Item, find_items

    if not is_place(name):
        return [(Item("record", name, name, "", ""), *game) for game in games_in(name, name)], []
    collection = find_items([name], endings=RECORDS)
    games, lost = [], [f"{place}: can't be opened: {why}" for place, why in collection.refused]
    for item in collection.of("record"):
        try:
            games += [(item, *game) for game in games_in(item.path, item.name)]
        except ZrfError as error:
            lost.append(f"{item.name}: {error.diagnostics[0].message}")
    return games, lost
