"""`zrf replay`: checks a saved game against its rules, move by move."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zrf_py.cli.common import add_engine, open_game, use_color, width

if TYPE_CHECKING:
    from zrf_py.play.game import Game
    from zrf_py.play.replay import Replay
    from zrf_py.play.zsg import SavedGame

SHOWN = 8
"""Legal moves listed where a replay stops."""


def add(commands: Any) -> None:
    parser = commands.add_parser("replay", help="check a saved game against its rules, move by move")
    parser.add_argument("game", metavar="GAME.zsg", help="a saved game")
    parser.add_argument("--rules", metavar="FILE", help="the rules file, if it isn't beside the saved game")
    parser.add_argument("--variant", metavar="V", help="title or number of the game, if the saved one is wrong")
    parser.add_argument("--show", action="store_true", help="show the last board even if all went well")
    add_engine(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zrf_py.play.replay import replay
    from zrf_py.play.zsg import load_game

    saved = load_game(args.game)
    game = open_saved(saved, args.game, args.rules, args.variant, args.engine)
    result = replay(game, saved)
    if result.stop:
        _tell(args.game, saved, result)
        return 1
    loose = f", {result.loose} of them as a leg where a whole move was recorded or the other way round"
    print(f"{args.game}: {result.plies} moves, all legal{loose if result.loose else ''} ({game.title})")
    outcome = result.position.outcome()
    if outcome:
        print(f"The game is over: {outcome}.")
    if args.show:
        _board(result)
    return 0


def open_saved(
    saved: SavedGame, path: str, rules: str | None = None, variant: str | None = None, engine: str = "interpret",
) -> Game:
    """The game a saved game was played in."""
    from zrf_py.library import shelf
    from zrf_py.play.zsg import find_rules

    file = rules or str(find_rules(saved, Path(path).parent, shelf().values()))
    return open_game(file, variant or saved.variant or None, engine)


def _tell(name: str, saved: SavedGame, result: Replay) -> None:
    """Where it stopped and why, the board there, and what would have been legal."""
    stop = result.stop
    assert stop
    number = f"{stop.entry.round}. " if hasattr(stop.entry, "round") else ""
    print(f"{name}:{stop.entry.line}: stopped after {result.plies} of {saved.plies} moves")
    print(f"  recorded: {number}{stop.entry.text}")
    print(f"  but {stop.reason}\n")
    _board(result)
    if stop.nearest:
        print("\nLegal moves, those most like it first:")
        for text in stop.nearest[:SHOWN]:
            print(f"  {text}")
        if len(stop.nearest) > SHOWN:
            print(f"  … and {len(stop.nearest) - SHOWN} more")


def _board(result: Replay) -> None:
    from zrf_py.cli.draw import BoardView, last_move_marks

    view = BoardView(result.position.game.program, use_color("auto"), room=width() - 2)
    for line in view.board(result.position.state, last_move_marks(result.position)):
        print(line)
    for line in view.stores(result.position.state):
        print(line)
