"""`zrf agree`: random games through the interpreter and the native engine, compared at every ply."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("agree", help="compare the two engines on random games")
    parser.add_argument("name", metavar="NAME|FILE", help="a game of the shelf, or a rules file")
    parser.add_argument("--variant", metavar="V", help="title or number (from 0); without it every game of the file")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which random game (default: 1)")
    parser.add_argument("--plies", "--ply", type=int, default=100, metavar="N", help="how many plies (default: 100)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from zrf_py.library import load_file
    from zrf_py.play.engines import make_engine
    from zrf_py.run.agree import Disagreement, agree

    file = load_file(args.name)
    file.report.check()
    variant = int(args.variant) if (args.variant or "").isdigit() else args.variant
    programs = file.programs if variant is None else (file.program(variant),)
    plies = differing = 0
    for program in programs:
        found = agree(program, args.seed, max(args.plies, 1), make_engine(program, "native"))
        if isinstance(found, Disagreement):
            differing += 1
            print(found)
        else:
            plies += found
    print(f"{len(programs) - differing} of {len(programs)} games agree, {plies} plies compared")
    return int(differing > 0)
