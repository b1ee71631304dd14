"""`zrf selfplay`: let computer players play games, and write them as training data."""

import argparse
import sys
from pathlib import Path

from zrf_py.cli.batches import add_batch, batch, positive
from zrf_py.cli.common import add_game, beside, open_game, whole


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Let computer players play games and write them as data (JSON lines, numpy arrays or Parquet). The same seed "
        "gives the same file, whatever the number of processes.")
    add_game(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True,
                        help="file whose name ends in .jsonl, .npz or .parquet; - writes JSON lines to standard output")
    parser.add_argument("--games", type=positive, default=100, metavar="N", help="number of games (default: 100)")
    parser.add_argument("--players", default="random", metavar="A,B", help="random, greedy or ai:1 to ai:10: one "
                        "player for all seats, or one for each seat (default: random)")
    parser.add_argument("--opening", type=whole(0), default=4, metavar="N", help="random turns at the start of "
                        "each game (default: 4)")
    parser.add_argument("--max-turns", type=positive, default=1000, metavar="N", help="maximum length of a game "
                        "(default: 1000)")
    add_batch(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.batch import tables
    from zrf_py.batch.selfplay import SelfPlay, actions_of, is_timed, rows_of, tasks_of

    path = Path(args.output)
    writer = tables.writer(path)
    game = open_game(args.name, args.variant)
    names = tuple(name.strip() for name in args.players.split(","))
    job = SelfPlay(names, args.seed, args.opening, args.max_turns).job(game.program)
    if is_timed(names):
        print("note: with time limits, the same seed may give different games", file=sys.stderr)
    actions_of(game.program)  # computed once and cached on disk for the worker processes
    if not sys.stderr.isatty():  # a terminal shows a progress bar
        print(f"{args.games} games are being played; they are written when all are finished", file=sys.stderr)
    with batch(args) as play:
        results = play(job, tasks_of(job, args.games), f"{game.title}, {args.players}")
    count = tables.write(path, rows_of(results, args.games), writer)
    missing = args.games - count
    with beside(args.output):
        print(f"{path}: {count} games of {game.title}" + (f"; {missing} could not be finished" if missing else ""))
    return 1 if missing else 0
