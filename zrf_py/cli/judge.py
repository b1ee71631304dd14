"""`zrf judge`: play thousands of games, and report statistics and probable faults of the game."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from zrf_py.cli.batches import Play, add_batch, batch, positive
from zrf_py.cli.common import above_zero, add_json, beside, one_output, open_game, print_json, width, write_file

if TYPE_CHECKING:
    from zrf_py.batch.judge.judging import GameCounts
    from zrf_py.batch.judge.report import JudgeReport
    from zrf_py.ir.ops import Program


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play thousands of games between computer players and report on balance, length, draws, depth and number of "
        "choices, and on pieces and rules that are never used.")
    parser.add_argument("name", metavar="NAME|FILE", help="a bundled game (see `zrf list`) or a rules file")
    parser.add_argument("--variant", metavar="V", help="title or number of a variant (the first is 0)")
    parser.add_argument("--against", metavar="NAME|FILE", help="also judge this game, and show both side by side")
    parser.add_argument("--against-variant", metavar="V", help="title or number of the second game's variant")
    parser.add_argument("--games", type=positive, default=1000, metavar="N", help="number of random games (default: "
                        "1000), rounded up to a multiple of 20; N/10 more are watched move by move; each level plays "
                        "up to N/25 games (or 2) against the next one, and the strongest level also against itself")
    parser.add_argument("--levels", metavar="PLAYER,…",
                        help="computer players, from weak to strong (default: random and some levels of ai)")
    parser.add_argument("--time", type=above_zero, metavar="SECONDS", help="time per turn")
    parser.add_argument("--nodes", type=positive, metavar="N", help="positions searched per turn")
    parser.add_argument("--max-turns", type=positive, default=500, metavar="N", help="maximum number of turns of the "
                        "examined games (default: 500)")
    add_json(parser, "print the report as JSON")
    parser.add_argument("--html", metavar="FILE", help="write the report as a web page; - is standard output")
    add_batch(parser)


def run(args: argparse.Namespace) -> int:
    """Judge one or two games, and print or write the report; return 0 even if it finds faults in the game."""
    one_output(args.html, "-" if args.json else None)
    with batch(args) as play:
        reports = [_judged(args.name, args.variant, args, play)]
        if args.against:
            reports.append(_judged(args.against, args.against_variant, args, play))
    if args.html is not None:
        from zrf_py.batch.judge.page import as_page

        write_file(args.html, as_page(*reports).encode("utf-8", "replace"))
    if args.json:
        print_json([asdict(report) for report in reports] if args.against else asdict(reports[0]))
    else:
        from zrf_py.batch.judge.text import as_text, side_by_side

        with beside(args.html):
            print(side_by_side(reports[0], reports[1], width()) if args.against else as_text(reports[0], width()))
    return 0


def _plan(args: argparse.Namespace, program: Program) -> GameCounts:
    from zrf_py.batch.contestants import PlayerLimits, ladder
    from zrf_py.batch.judge.judging import GameCounts
    from zrf_py.play.players import player

    levels = tuple(name.strip() for name in (args.levels or "").split(",") if name.strip()) or ladder(program)
    for name in levels:
        player(name)
    some = max(args.games // 25, 2)
    return GameCounts(args.games, max(args.games // 10, 2), some, some, levels, PlayerLimits(args.time, args.nodes),
                args.seed, args.max_turns)


def _judged(name: str, variant: str | None, args: argparse.Namespace, play: Play) -> JudgeReport:
    from zrf_py.batch.contestants import check_game
    from zrf_py.batch.judge.judging import judge
    from zrf_py.library import find

    program = open_game(name, variant).program
    check_game(program)
    return judge(program, find(name).name, _plan(args, program), play)
