"""`zrf compare`: find the first position in random games where two versions of the rules differ."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from zrf_py.cli.batches import positive
from zrf_py.cli.common import add_json, open_game, print_json

if TYPE_CHECKING:
    from zrf_py.author.trials.versions import Comparison, Version

WORDS = {"moves": "these moves are legal in one version only", "outcome": "the results differ",
         "pieces": "the pieces differ", "player": "different players are to move", "fault": "one version fails"}


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play the same random games under two versions of the rules, and show the first position where they differ: in "
        "the legal moves, the pieces after a move, the player to move or the result.")
    parser.epilog = "exit code: 0 if no difference was found, otherwise 1"
    parser.add_argument("old", metavar="OLD", help="a rules file or a bundled game")
    parser.add_argument("new", metavar="NEW", help="the version to compare it with")
    parser.add_argument("--variant", metavar="V", help="title or number of a variant of both (the first is 0)")
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="number of games (default: 100)")
    parser.add_argument("--max-plies", type=positive, default=200, metavar="N",
                        help="plies after which a game is cut off (default: 200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    add_json(parser, "print JSON, with pictures of both boards")


def run(args: argparse.Namespace) -> int:
    """Return exit code 1 if a difference is found, 0 otherwise."""
    from zrf_py.author.trials.versions import as_data, compare

    old, new = (open_game(name, args.variant) for name in (args.old, args.new))
    comparison = compare(old, new, args.games, args.max_plies, args.seed)
    if args.json:
        print_json(as_data(comparison))
    else:
        print(_text(comparison, args.old, args.new))
    return int(comparison.difference is not None)


def _text(comparison: Comparison, old: str, new: str) -> str:
    difference = comparison.difference
    if difference is None:
        return f"no difference in {comparison.positions:,} positions of random games"
    moves = "after " + "; ".join(difference.moves) if difference.moves else "at the start"
    versions = [*_version(old, difference.old), *_version(new, difference.new)]
    return "\n".join([f"{WORDS[difference.kind]}, {moves}", *versions])


def _version(name: str, version: Version) -> list[str]:
    from zrf_py.cli.draw import BoardView

    position = version.position
    moves = ", ".join(sorted(position.short(move) for move in version.only))
    result = version.fault or version.outcome
    facts = [f"  only here: {moves}" if moves else "", f"  result: {result}" if result else ""]
    board = BoardView(position.game.program).board(position.state)
    return ["", f"{name}: {position.player} to move", *board, f"  {position.text}", *filter(None, facts)]
