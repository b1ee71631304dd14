"""`zrf match`: play a match between two computer players, and report the difference in strength."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.cli.batches import add_batch, batch, positive
from zrf_py.cli.common import above_zero, add_json, no_output, open_game, print_json, whole
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from zrf_py.batch.elo import Rating
    from zrf_py.batch.jobs import Result
    from zrf_py.batch.match import Match, Standing
    from zrf_py.batch.sprt import Sprt
    from zrf_py.play.game import Game

GAMES, MOST_GAMES = 100, 40_000
"""Default number of games, and default limit if a test (`--sprt`) ends the match."""
EVEN = 0.5
"""Default of `--even` with `--sprt`: uneven openings hide differences in strength."""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play a match between two computer players and report the difference in strength. Each opening is played "
        "twice, with seats swapped.")
    parser.usage = "%(prog)s NAME|FILE PLAYER PLAYER [options]"
    parser.epilog = "example: zrf match breakthrough ai:5 ai:1 --games 20"
    parser.add_argument("title", metavar="NAME|FILE", nargs="?", help="a bundled game or a rules file")
    parser.add_argument("players", metavar="PLAYER", nargs=2, help="random, greedy, or ai:1 to ai:10; with limits per "
                        "turn: ai:0.1s (seconds), ai:0.1cpu (seconds of processor time), ai:5000n (positions); an "
                        "external engine: uci:COMMAND or xboard:COMMAND, with options as in 'uci:stockfish?Skill "
                        "Level=3&cpu=0.1'")
    parser.add_argument("--game", metavar="NAME|FILE", help="the game, if it isn't named before the players")
    parser.add_argument("--variant", metavar="V", help="title or number of a variant (the first is 0)")
    parser.add_argument("--games", type=positive, metavar="N", help="number of games (default: 100; with --sprt at "
                        f"most {MOST_GAMES:,})")
    parser.add_argument("--sprt", type=float, nargs=2, metavar=("E0", "E1"), help="stop when a sequential test "
                        "(error rate 5%%) has decided whether the first player is stronger by E1 Elo or only by E0")
    parser.add_argument("--time", type=above_zero, metavar="SECONDS", help="time per turn")
    parser.add_argument("--cpu", type=above_zero, metavar="SECONDS", help="processor time per turn")
    parser.add_argument("--nodes", type=positive, metavar="N", help="positions searched per turn")
    parser.add_argument("--opening", type=whole(0), default=4, metavar="N", help="random turns at the start of each "
                        "game (default: 4)")
    parser.add_argument("--even", type=above_zero, metavar="VALUE", help="use openings that a search of 2,500 "
                        "positions scores within VALUE of even, on the scale of `zrf analyse` (default with --sprt: "
                        f"{EVEN:g}; otherwise openings are random)")
    parser.add_argument("--max-turns", type=positive, default=1000, metavar="N", help="length after which a game "
                        "counts as drawn (default: 1000)")
    parser.add_argument("--save", metavar="FOLDER", help="save each game as a .zsg file in this folder")
    add_json(parser)
    add_batch(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.batch.contestants import PlayerLimits
    from zrf_py.batch.match import Match, begin, standing
    from zrf_py.batch.sprt import Sprt
    from zrf_py.library import find, shelf
    from zrf_py.play.zsg import rules_name

    no_output("--save", args.save, "folder")
    if (args.title is None) == (args.game is None):
        raise ZrfError("name one game and two players", "usage", help="for example `zrf match chess ai:5 ai:1`")
    name = args.title or args.game
    game = open_game(name, args.variant)
    limits = PlayerLimits(args.time, args.nodes, args.cpu)
    even = args.even or (EVEN if args.sprt else None)
    match = Match((args.players[0], args.players[1]), limits, args.seed, args.opening,
                  args.max_turns, even and 100 * even)
    job = match.job(game.program)
    test = begin(Sprt(*args.sprt), game.program) if args.sprt else None
    games = args.games or (MOST_GAMES if test else GAMES)
    with batch(args) as play:
        results = play(job, games, f"{match.names[0]} against {match.names[1]}", test.add if test else None)
    result = standing(game.program, results, test)
    if args.save:
        _save(game, rules_name(find(name), shelf().values()), results, Path(args.save), match)
    if args.json:
        print_json({**job.about, **asdict(result), "elo": _elo(result.rating)})
    else:
        _show(match, game, result)
        if test:
            _show_test(test.test, result)
    return 0


def _elo(rating: Rating) -> dict[str, float | None]:
    """Return the rating difference and its 95% confidence interval as numbers; infinite ones become None."""
    numbers = {"difference": rating.elo, "low": rating.elo_low, "high": rating.elo_high}
    return {name: round(value, 1) if isfinite(value) else None for name, value in numbers.items()}


def _show(match: Match, game: Game, result: Standing) -> None:
    rating = result.rating
    limits = [f"{match.limits.seconds:g} s a turn"] if match.limits.seconds else []
    limits += [f"{match.limits.cpu:g} s of processor time a turn"] if match.limits.cpu else []
    limits += [f"{match.limits.nodes:,} positions a turn"] if match.limits.nodes else []
    print(f"{match.names[0]} against {match.names[1]} in {game.title}: "
          + ", ".join([f"{rating.games} games", *limits, f"seed {match.seed}"]))
    print(f"  {match.names[0]} won {result.won}, lost {result.lost}, drawn {result.drawn}"
          + (f", cut off {result.cut_off} (after {match.max_turns} turns)" if result.cut_off else ""))
    print(f"  score {rating.score:.1%} (95% CI: {rating.low:.1%} to {rating.high:.1%}), Elo {rating}")
    if len(result.by_side) == 2:
        print("  pairs of games with 0, ½, 1, 1½, 2 points: " + ", ".join(map(str, result.pairs)))
    print(f"  processor time per turn: {result.cpu[0]:.4f} s and {result.cpu[1]:.4f} s")
    print("  won by " + ", ".join(f"{name} {count}" for name, count in result.by_side)
          + f"; {result.turns:.0f} turns a game")
    print("  ended by " + ", ".join(f"{reason} {count}" for reason, count in result.reasons))
    if result.faults:
        print(f"  {result.faults} games could not be finished and are not counted")


def _show_test(test: Sprt, result: Standing) -> None:
    low, high = test.bounds
    names = {"H0": f"{test.elo0:g} accepted, {test.elo1:g} rejected", "H1": f"{test.elo1:g} accepted, "
             f"{test.elo0:g} rejected", "": "undecided: more games are needed"}
    print(f"  test of {test.elo0:g} against {test.elo1:g} Elo: log-likelihood ratio {result.llr:+.2f} ({low:.2f} to "
          f"{high:.2f}): {names[result.decision]}")


def _save(game: Game, rules: str, results: Mapping[int, Result], folder: Path, match: Match) -> None:
    """Save each game to a file named by its number and the players in seat order."""
    from zrf_py.batch.games import replayed
    from zrf_py.play.zsg import record, save_game

    folder.mkdir(parents=True, exist_ok=True)
    letters = "C" * len(game.players)
    for number, result in results.items():
        if "fault" not in result:
            players = "-".join(re.sub(r"[^\w.-]+", "", match.names[seat])[:40] for seat in result["seats"])
            position = replayed(game, result["moves"])
            save_game(folder / f"{number + 1:04d}-{players}.zsg", record(position, rules, letters))
