"""`zrf replay`: check saved games against their rules, move by move; print a summary for folders and archives."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.common import add_color, add_engine, add_json, open_game, print_json, use_color, width
from zrf_py.paths import PLACES
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import number
from zrf_py.text.source import harmless
from zrf_py.text.suggest import clipped

if TYPE_CHECKING:
    from zrf_py.play.formats.record_files import Rules
    from zrf_py.play.game import Game
    from zrf_py.play.replay import Replay
    from zrf_py.play.zsg import SavedGame
    from zrf_py.port.records import Record

SHOWN = 8
"""Maximum number of legal moves listed where a replay stops."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Replay saved games and show the first illegal move, if any. The rules file is searched for in this order: the "
        f"folder given with --rules, {PLACES}. The exit code is 1 if no game is found, if "
        "one can't be opened, or if one can't be replayed to its end although its rules name no engine DLL.")
    parser.add_argument("games", metavar="GAME|FOLDER", nargs="+",
                        help="a saved game (.zsg, .pgn and the other formats of `zrf convert`), a folder or .zip "
                        "archive of saved games, or - for standard input")
    add_rules(parser)
    parser.add_argument("--variant", metavar="V", help="title or number of the variant (default: the saved title)")
    parser.add_argument("--show", action="store_true", help="show the final position even if the replay succeeds")
    add_json(parser)
    add_color(parser)
    add_engine(parser)


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add `--rules`, with the hidden alias `--game`."""
    parser.add_argument("--rules", metavar="NAME|FILE|FOLDER",
                        help="the rules, or a folder to search first (default: the rules named in the saved game)")
    parser.add_argument("--game", dest="rules", help=argparse.SUPPRESS)


def named_rules(args: argparse.Namespace) -> Rules:
    """Return the game that `--rules` and `--variant` name, or the folder that `--rules` names."""
    is_folder = args.rules and Path(args.rules).is_dir()
    return Path(args.rules) if is_folder else open_game(args.rules, args.variant) if args.rules else None


def run(args: argparse.Namespace) -> int:
    """Return the exit code that the description of the command defines."""
    from zrf_py.archives import RECORDS, is_archive

    first = Path(args.games[0])
    if len(args.games) == 1 and not args.json and not first.is_dir() and not is_archive(first):
        return _replay_file(args)
    from zrf_py.port.collecting import Item, find_items
    from zrf_py.port.records import FOREIGN, WHOLE, follow_records

    collection = find_items((g for g in args.games if g != "-"), endings=RECORDS)
    game = named_rules(args)
    items = collection.of("record") + [Item("record", g, g, ".", "") for g in args.games if g == "-"]
    records = []
    for item in items:
        for record in follow_records(item.path, item.name, args.rules, Path(item.root), args.variant, args.engine,
                                     game):
            records.append(record)
            if not args.json:
                print(harmless(_line(record)), flush=True)
    if args.json:
        print_json([asdict(r) for r in records])
    else:
        for name, why in collection.refused:
            print(harmless(f"{name}: can't be opened: {why}"))
        _sum_up(records)
        if not args.rules and any(r.of and not r.rules for r in records):
            print("give the path of missing rules, or their folder, with `--rules`", file=sys.stderr)
    return int(bool(collection.refused) or not records or any(r.status not in (WHOLE, FOREIGN) for r in records))


def _line(record: Record) -> str:
    if record.status == "whole":
        return f"{record.name}: {number(record.plies, 'move')}, all legal ({record.title})"
    far = f"stopped after {record.plies} of {number(record.of, 'move')}: " if record.plies else ""
    return f"{record.name}: {far}{record.why}"


def _sum_up(records: list[Record]) -> None:
    from zrf_py.port.records import counted

    counts = counted(Counter(r.status for r in records))
    total = f"{number(len(records), 'saved game')}, {number(sum(r.plies for r in records), 'move')}: {counts}"
    print(total if records else "there are no saved games")


def _replay_file(args: argparse.Namespace) -> int:
    """Replay the games of a file; report and skip unreadable ones, if it has several games. Return the exit code."""
    from zrf_py.play.formats.record_files import games_in

    path, rules, code = args.games[0], named_rules(args), 0
    for label, read in games_in(path, path):
        try:
            code |= _replay_one(args, label, read(rules))
        except ZrfError as error:
            if label == path:
                raise
            print(harmless(f"{label}: {error.diagnostics[0].message}"))
            code = 1
    return code


def _replay_one(args: argparse.Namespace, path: str, saved: SavedGame) -> int:
    """Replay one game, named `path` in the output; show the board on a stop or with `--show`. Return the exit code."""
    from zrf_py.play.replay import replay

    game = open_saved(saved, args.games[0], args.rules, args.variant, args.engine)
    result = replay(game, saved)
    if result.stop:
        return _print_stop(path, saved, result, use_color(args.color))
    loose = f", {result.loose} of them as a single leg where a whole move was recorded, or vice versa"
    print(f"{harmless(path)}: {number(result.plies, 'move')}, all legal{loose if result.loose else ''} ({game.title})")
    if outcome := result.position.outcome():
        print(f"The game is over: {outcome}.")
    if args.show:
        _board(result, use_color(args.color))
    return 0


def open_saved(
    saved: SavedGame, path: str, rules: str | None = None, variant: str | None = None, engine: str = "interpret",
    instead: str = "", root: Path | None = None,
) -> Game:
    """Load the rules of a saved game; `rules` and `root` as in `rules_of`; `instead` begins an error's command.

    :raises ZrfError: if there are none, they have errors, or `rules` is a file that lacks the variant.
    """
    from zrf_py.port.records import rules_of

    command = f"{instead} {shlex.quote(path)}" if instead else ""
    file = rules_of(saved, path, rules, root, command)
    try:
        return open_game(str(file), variant or saved.variant or None, engine)
    except ZrfError as error:
        if variant or str(file) != rules or error.diagnostics[0].code != "unknown-variant":
            raise
    raise ZrfError(f"{path} is a game of `{saved.variant}` ({saved.rules_file}), which is not a variant of {file.name}",
                   "other-game", help=f"`zrf play --load {shlex.quote(path)}` starts the right game")


def _print_stop(name: str, saved: SavedGame, result: Replay, color: bool) -> int:
    """Print the place and reason of a stop, the board there, and the legal moves; return the exit code."""
    from zrf_py.play.foreign import foreign_note

    stop = result.stop
    assert stop
    before = f"{stop.entry.round}. " if hasattr(stop.entry, "round") else ""
    print(f"{harmless(name)}:{stop.entry.line}: stopped after {result.plies} of {number(saved.plies, 'move')}")
    print(f"  recorded: {before}{harmless(clipped(stop.entry.text, 300))}")
    print(f"  but {harmless(clipped(stop.reason, 300))}\n")
    _board(result, color)
    if note := foreign_note(result.position.game.program):
        print(f"\n{note}")
    if stop.nearest:
        print("\nLegal moves, the most similar first:")
        for text in stop.nearest[:SHOWN]:
            print(f"  {text}")
        if len(stop.nearest) > SHOWN:
            print(f"  … and {len(stop.nearest) - SHOWN} more")
    return int(not note)


def _board(result: Replay, color: bool) -> None:
    from zrf_py.cli.draw import BoardView, last_move_marks

    view = BoardView(result.position.game.program, color, room=width() - 2)
    state = result.position.state
    print("\n".join([*view.board(state, last_move_marks(result.position)), *view.stores(state)]))
