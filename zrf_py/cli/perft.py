"""`zrf perft`: count move sequences, to compare with published numbers."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zrf_py.cli.common import add_engine, add_game, add_json, add_position, open_position, print_json, whole

if TYPE_CHECKING:
    from zrf_py.play.game import Position


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("depth", type=whole(0, 100), metavar="DEPTH", help="number of plies (with --turns: of turns)")
    parser.add_argument("--divide", action="store_true", help="also print a separate count for each first move")
    parser.add_argument("--turns", action="store_true", help="count complete turns; if several turns from a position "
                        "have the same result, only one counts")
    add_position(parser)
    add_json(parser)
    add_engine(parser)


def run(args: argparse.Namespace) -> int:
    position = open_position(args, args.engine)
    began = time.perf_counter()
    divided: dict[str, int] = {}
    leaves = _count(position, args.depth, args.turns, args.divide, divided if args.json else None)
    seconds = time.perf_counter() - began
    if args.json:
        print_json({"depth": args.depth, "leaves": leaves, "seconds": round(seconds, 3),
                    **({"divide": divided} if args.divide else {})})
        return 0
    speed = f", {leaves / seconds:,.0f} a second" if seconds > 0.001 else ""
    print(f"perft {args.depth} {leaves}   # {seconds:.2f} s{speed}")
    return 0


def _count(
    position: Position, depth: int, whole_turns: bool, verbose: bool, divided: dict[str, int] | None = None,
) -> int:
    """Count leaves; if `verbose`, print the count below each first move, or store it in `divided` if given."""
    from zrf_py.play.perft import divide, perft

    if depth == 0:
        return 1
    engine, state = position.game.engine, position.state
    total = 0
    with _progress() as (tick, pause):
        if not verbose:
            return perft(engine, state, depth, whole_turns, tick)
        for legs, leaves in divide(engine, state, depth, whole_turns, tick):
            total += leaves
            pause()
            text = "; ".join(map(str, position.named(legs)))
            if divided is None:
                print(f"{text}: {leaves}")
            else:
                divided[text] = leaves
    return total


@contextmanager
def _progress() -> Iterator[tuple[Callable[[int], None], Callable[[], None]]]:
    """Show a counter after one second, if standard error is a terminal; yield functions to advance and to hide it."""
    if not sys.stderr.isatty():
        yield lambda count: None, lambda: None
        return
    from rich.console import Console
    from rich.status import Status

    status = Status("counting", console=Console(stderr=True))
    began = shown = time.monotonic()
    leaves = 0

    def tick(count: int) -> None:
        nonlocal leaves, shown
        leaves += count
        now = time.monotonic()
        if now - began > 1 and now - shown > 0.2:
            shown = now
            status.update(f"{leaves:,} leaves, {leaves / (now - began):,.0f} a second")
            status.start()

    try:
        yield tick, status.stop
    finally:
        status.stop()
