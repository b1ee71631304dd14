"""`zrf play`: play a game in the terminal, line by line; it works in a pipe, too."""

from __future__ import annotations

import argparse
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from zrf_py.cli.common import add_color, add_engine, open_game, use_color, width
from zrf_py.signals import raising
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.cli.draw import BoardView
    from zrf_py.cli.table import TerminalTable
    from zrf_py.play.session import Session

ROOM_ON_SCREEN = 1_000
"""Maximum width, in columns, of a board whose view can scroll."""
BELOW = 2
"""Number of lines below the board: the player to move, and the input."""


class Hangup(BaseException):
    """The terminal was closed (SIGHUP), or the process was asked to end (SIGTERM): the game is saved first."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = "Play a game in the terminal. Type `help` during the game for a list of commands."
    parser.add_argument("name", metavar="NAME|FILE", nargs="?", help="a bundled game (see `zrf list`) or a rules file")
    parser.add_argument("--variant", metavar="V", help="title or number of a variant (the first is 0)")
    parser.add_argument("--players", metavar="PLAYER,…", help="human, random, greedy or ai:1 to ai:10 for each player, "
                        "in order; the last one also stands for any remaining players (default: human, or as saved)")
    parser.add_argument("--seed", type=int, metavar="N", help="random seed")
    parser.add_argument("--load", metavar="FILE",
                        help="continue a saved game (.zsg, .pgn and the other formats of `zrf convert`) with its "
                        "computer players (ai:5 if their level isn't saved), unless --players chooses others")
    parser.add_argument("--plies", type=int, metavar="N", help="quit after this number of "
                        "consecutive computer moves; each leg of a turn counts")
    parser.add_argument("--screen", action="store_true", help="use the full screen, with arrow keys and mouse")
    add_color(parser)
    parser.add_argument("--no-color", dest="color", action="store_const", const="never", help=argparse.SUPPRESS)
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    add_engine(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.cli.table import TerminalTable

    if not args.name and not args.load:
        raise ZrfError("give the name of a game, or a saved game with `--load`; `zrf list` lists the games", "usage")
    session = _session(args)
    if args.screen:
        return _on_screen(session, args)
    table = TerminalTable(session, _view(session, args, width(ROOM_ON_SCREEN) - 1), width())
    table.interactive = sys.stdin.isatty()  # query it now: once closed, a terminal no longer counts as one
    with raising(Hangup, "SIGHUP", "SIGTERM"):
        try:
            return _loop(session, table, args.plies)
        except (EOFError, KeyboardInterrupt, Hangup, BrokenPipeError):
            return table.leave()


def _session(args: argparse.Namespace) -> Session:
    from random import Random

    from zrf_py.cli.replay import open_saved
    from zrf_py.library import find, shelf
    from zrf_py.play.formats.record_files import SAVED, format_of, load_record
    from zrf_py.play.session import Session, read_controllers
    from zrf_py.play.zsg import rules_name

    if args.name:
        is_ours = args.load and format_of(args.load) == SAVED
        saved = load_record(args.load) if is_ours and args.variant is None else None
        file = find(args.name)
        game = (open_saved(saved, args.load, str(file), None, args.engine) if saved and saved.variant
                else open_game(args.name, args.variant, args.engine))
        rules = rules_name(file, shelf().values())
    else:
        saved = load_record(args.load)
        game = open_saved(saved, args.load, None, args.variant, args.engine, "zrf play RULES.zrf --load")
        rules = saved.rules_file
    seats = zip(game.players, saved.seats(), strict=False) if saved else ()
    kinds = ",".join(kind for player, kind in seats if not player.startswith("?"))
    session = Session(game, rules, read_controllers(game, args.players or kinds), Random(args.seed))
    if args.load:
        session.load(args.load)
    names = {key: value for key, value in saved.tags if key in game.players and value != "?"} if saved else {}
    if saved and (names or session.has_computers):
        print(" · ".join(f"{player}: {names[player]} ({kind})" if player in names else f"{player}: {kind}"
                         for player, kind in session.controllers.items() if not player.startswith("?")))
    return session


def _on_screen(session: Session, args: argparse.Namespace) -> int:
    from zrf_py.text.extras import missing_extra

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ZrfError("`--screen` needs a terminal; leave it out to play line by line", "usage")
    try:
        from zrf_py.cli.screen import play_on_screen
    except ImportError:
        raise missing_extra("`--screen`", "board") from None
    with suppress(KeyboardInterrupt, Hangup), raising(Hangup, "SIGHUP", "SIGTERM"):
        if note := play_on_screen(session, _view(session, args, ROOM_ON_SCREEN)):
            print(note)
    return 0


def _view(session: Session, args: argparse.Namespace, room: int) -> BoardView:
    from zrf_py.cli.draw import BoardView

    color = use_color(args.color)
    plain = args.ascii or not _can_print("·│─…")
    return BoardView(session.game.program, color, plain, room, figures=not plain and _can_print("♔♟"))


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _loop(session: Session, table: TerminalTable, limit: int | None) -> int:
    """Main loop: play the computers' moves, prompt for the others; return the exit code."""
    table.welcome()
    by_themselves = 0
    while True:
        if not session.is_over and not session.is_human:
            if limit is not None and by_themselves >= limit:
                table.show()
                return 0
            by_themselves += table.computer()
            if table.interactive and not session.has_humans and not session.is_over:
                _fit(table)
                table.show()
            continue
        _fit(table)
        table.show()
        by_themselves = 0
        if session.is_over and not session.has_humans:
            return 0
        while not table.obey(_read_line(table)):
            pass


def _fit(table: TerminalTable) -> None:
    """Fit the board to the terminal; elsewhere it keeps its smallest size, so that output is reproducible."""
    if sys.stdout.isatty():
        columns, lines = shutil.get_terminal_size((80, 24))
        table.fit(columns, lines - BELOW)


def _read_line(table: TerminalTable) -> str:
    """Read one line of input; echo it unless standard input is a terminal, so that transcripts stay readable."""
    sys.stdout.flush()
    try:
        if sys.stdin.isatty():
            return input(table.prompt())
        line = sys.stdin.readline()
    except (OSError, UnicodeDecodeError):
        raise EOFError from None
    if not line:
        raise EOFError
    print(f"{table.prompt()}{line.rstrip()}")
    return line
