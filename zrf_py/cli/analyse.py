"""`zrf analyse`: find the best lines in a position, or review the moves of a game."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.common import add_game, add_json, add_position, live, open_position, print_json, width
from zrf_py.signals import on_signals
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.play.advice import Advice, Line
    from zrf_py.play.game import Position
    from zrf_py.play.review import Judged

HEADING = f"{'score':>11}  chance  turns  line of play"


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Search for the best lines in a position, or evaluate the moves of a game (`--review`). A chance is the "
        "expected result (a draw: half) between computer players ai:5 that sometimes err; turns is the depth searched.")
    add_game(parser, ", or a saved game, whose last position is analysed")
    add_position(parser)
    parser.add_argument("--time", type=float, metavar="SECONDS", help="time for the search, in seconds (default: 5)")
    parser.add_argument("--nodes", type=int, metavar="N", help="maximum number of positions searched")
    parser.add_argument("--depth", type=int, metavar="N", help="maximum depth, in turns (mcts has none)")
    parser.add_argument("--level", type=int, metavar="N", help="use the limits of the computer player ai:N (1 to 10)")
    parser.add_argument("--lines", type=int, default=3, metavar="N", help="number of lines (default: %(default)s)")
    parser.add_argument("--kind", choices=("alphabeta", "mcts", "beam", "slow"), default="",
                        help="search algorithm (default: the one that suits the game)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed for the choice among equal lines")
    parser.add_argument("--review", action="store_true",
                        help="evaluate each move of the saved game or of --play; the limits apply to each position")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.play.advice import LOOK_NODES, LOOK_SECONDS, analyse

    position = _position(args)
    limits = {"time": args.time, "nodes": args.nodes, "depth": args.depth, "strength": args.level}
    search = partial(analyse, seed=args.seed, kind=args.kind, lines=args.lines)
    if not any(limit is not None for limit in limits.values()):
        limits = {"time": LOOK_SECONDS, "nodes": LOOK_NODES} if args.review else {"time": 5.0}
    if args.review:
        from zrf_py.play.review import review

        with live(_standing) as show:
            judged = review(position, partial(search, **limits, progress=show))
        return _print_review(judged, args.json)
    with live(_standing) as show, _stopped_by_hand() as stop:
        advice = search(position, **limits, progress=show, stop=stop)
    if stop():
        print("Stopped: these are the best lines so far. They are not saved, so the same command starts from the "
              "beginning. `--time S` limits the search time.", file=sys.stderr)
    if args.json:
        print_json({"player": position.player, **asdict(advice)})
        return 0
    sure = ", certain" if advice.proven else ""
    print(f"# {position.player} to move; {advice.kind}, {advice.nodes:,} positions in {advice.seconds:.2f} s{sure}")
    if advice.expected is not None:
        print(f"# random turn, all outcomes equally likely; average for {advice.worth_to}: {advice.expected:+.2f}")
    print(HEADING)
    for line in advice.lines:
        print(_text(line))
    return 0


def _position(args: argparse.Namespace) -> Position:
    """Return the position to analyse: the one that the options describe, or the last one of a saved game."""
    from zrf_py.archives import RECORDS

    if Path(args.name).suffix.lower() not in RECORDS:
        return open_position(args)
    from zrf_py.cli.replay import open_saved
    from zrf_py.play.formats.record_files import games_in, position_after
    from zrf_py.play.turn_text import played_on

    (_, read), *others = games_in(args.name)
    saved = read(None)
    title = shlex.join(["--variant", args.variant or saved.variant]) if args.variant or saved.variant else ""
    instead = " ".join(filter(None, ("zrf analyse RULES.zrf", title, "--review" if args.review else "", "--position")))
    game = open_saved(saved, args.name, None, args.variant, "auto", instead)
    if others:
        print(f"(analysing game 1 of {len(others) + 1}; `zrf convert --number 2 {args.name} game.zsg` extracts the "
              "second one)", file=sys.stderr)
    return played_on(position_after(read(game) if args.variant else saved, args.name, game), args.play or "")


def _print_review(judged: list[Judged], as_json: bool) -> int:
    """Print each move of the game with the winning chances before and after it; it is an error if there is none."""
    if as_json:
        print_json([asdict(move) for move in judged])
        return 0
    if not judged:
        raise ZrfError("there is no move to review", "usage",
                       help='name a saved game, or add moves, such as `--play "e4; e5"`')
    print(f"{'player':<8} chance to win   move")
    for move in judged:
        mark = f" {move.mark}  better: {move.better}" if move.mark else ""
        print(f"{move.player:<8} {100 * move.before:4.0f} % → {100 * move.after:3.0f} %  {move.turn}{mark}")
    return 0


def _text(line: Line) -> str:
    """Format a line of play, cut to the width of a terminal."""
    text = f"{line.score_text:>11}  {100 * line.chance:4.0f} %  {line.depth:>5}  {'  '.join(line.turns)}"
    return text[: width(1000)] if sys.stdout.isatty() else text


@contextmanager
def _stopped_by_hand() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True once Ctrl-C was pressed; a second Ctrl-C raises `KeyboardInterrupt`."""
    pressed: list[bool] = []

    def press(number: int, frame: object) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(True)

    with on_signals(press, "SIGINT"):
        yield lambda: bool(pressed)


def _standing(advice: Advice) -> str:
    """Format the number of positions searched, the time, and the best lines found so far."""
    return "\n".join([f"{advice.nodes:,} positions, {advice.seconds:.1f} s",
                      *(_text(line)[: width(1000)] for line in advice.lines)])
