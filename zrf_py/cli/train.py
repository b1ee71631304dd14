"""`zrf train`: learn evaluation weights for a game, kept only if they win a match."""

import argparse
import sys
from pathlib import Path

from zrf_py.cli.batches import positive, processes
from zrf_py.cli.common import above_zero, add_game, can_write, no_output, open_game, write_file


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Learn evaluation weights from games of a computer player against itself, then play a match against the "
        "current evaluation, with equal processor time. The weights are written only if they win (exit code 1 if not); "
        "computer players then use them. For two-player games without chance or scores; requires numpy.")
    add_game(parser)
    time = parser.add_mutually_exclusive_group()
    time.add_argument("--seconds", type=above_zero, default=600.0, metavar="S",
                      help="time for the training games, in seconds, without the matches (default: 600)")
    time.add_argument("--hours", type=above_zero, metavar="H", help="time for the training games, in hours")
    time.add_argument("--games", type=positive, metavar="N", help="number of games in each round, instead of a time; "
                      "makes the weights reproducible for a seed")
    parser.add_argument("--rounds", type=positive, default=3, metavar="N", help="training rounds (default: 3)")
    parser.add_argument("--workers", type=processes, metavar="N", help="worker processes (default: one per processor)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    parser.add_argument("-o", "--output", metavar="FILE", help="file for the weights (default: NAME.weights beside the "
                        "rules file; for a bundled game, a file in your data folder)")


def run(args: argparse.Namespace) -> int:
    from zrf_py.train.rounds import Settings, match_text, place_of, train

    no_output("--output", args.output, "file for weights")
    can_write(args.output)
    game = open_game(args.name, args.variant)
    output = Path(args.output) if args.output else place_of(game)
    settings = Settings(args.hours * 3600 if args.hours else args.seconds, args.games, args.rounds, args.seed,
                        args.workers)
    result = train(game.program, settings, lambda line: print(line, file=sys.stderr, flush=True))
    if not result.is_useful:
        reason = "The new weights did not clearly win the final match" if result.match else "No new weights won a match"
        print(f"{reason}, so nothing was written: {game.title} keeps its present evaluation. More time (`--hours`) "
              "may help.")
        return 1
    if not args.output:
        output.parent.mkdir(parents=True, exist_ok=True)
    write_file(str(output), result.weights)
    use = (f"To use them, move the file to {place_of(game)}." if args.output else
           f"All computer players of {game.title} now use them, as in `zrf play {args.name} --players human,ai:5`; to "
           "undo that, delete the file.")
    print(f"The new weights won the final match{f' ({match_text(result.match)})' if result.match else ''}.\n"
          f"Wrote {output} ({len(result.weights) / 1000:.0f} kB). {use}")
    return 0
