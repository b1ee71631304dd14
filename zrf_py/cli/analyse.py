"""`zrf analyse`: the best lines of play of a position."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from zrf_py.cli.common import add_game, open_game, open_position, width

if TYPE_CHECKING:
    from zrf_py.play.advice import Advice


def add(commands: Any) -> None:
    parser = commands.add_parser("analyse", help="the best lines of play of a position")
    add_game(parser)
    parser.add_argument("--position", metavar="FILE|EDITS", help="changes of the start position")
    parser.add_argument("--play", "--moves", metavar="MOVES", help="moves to play first, with ; between them")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="how long to look (default: 5)")
    parser.add_argument("--nodes", type=int, metavar="N", help="how many positions to look at")
    parser.add_argument("--depth", type=int, metavar="N", help="how many turns to look ahead")
    parser.add_argument("--level", type=int, metavar="N", help="as the computer player ai:N looks, N from 1 to 10")
    parser.add_argument("--lines", type=int, default=3, metavar="N", help="how many lines (default: %(default)s)")
    parser.add_argument("--kind", choices=("alphabeta", "mcts", "beam", "slow"), default="",
                        help="the kind of search (default: what serves the game)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, another choice of equal lines")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zrf_py.play.advice import analyse

    position = open_position(open_game(args.name, args.variant, "auto"), args.position, args.play)
    unlimited = args.nodes is None and args.depth is None and args.level is None
    time = 5.0 if args.time is None and unlimited else args.time
    with _progress() as show:
        found = analyse(position, time=time, nodes=args.nodes, depth=args.depth, strength=args.level, seed=args.seed,
                        kind=args.kind, lines=args.lines, progress=show)
    if args.json:
        print(json.dumps({"player": position.player, **asdict(found)}, ensure_ascii=False, indent=2))
        return 0
    sure = ", certain" if found.proven else ""
    print(f"# {position.player} to move; {found.kind}, {found.nodes:,} positions in {found.seconds:.2f} s{sure}")
    if found.expected is not None:
        print(f"# by chance, each outcome as likely; worth to {found.worth_to}, on average {found.expected:+.2f}")
    for line in found.lines:
        print(_text(found, line.depth, line.score_text, line.moves))
    return 0


def _text(found: Advice, depth: int, score: str, moves: tuple[str, ...]) -> str:
    """One line, cut to the terminal where somebody looks at one."""
    text = f"{score:>11}  {depth:>3}  {'; '.join(moves)}"
    return text[: width(1000)] if sys.stdout.isatty() else text


@contextmanager
def _progress() -> Iterator[Any]:
    """The lines known so far, on a terminal; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    with Live(console=Console(stderr=True), refresh_per_second=5, transient=True) as live:
        def show(found: Advice) -> None:
            rows = [f"{found.nodes:,} positions, {found.seconds:.1f} s"]
            rows += [_text(found, line.depth, line.score_text, line.moves)[: width(1000)] for line in found.lines]
            live.update(Text("\n".join(rows)))

        yield show
