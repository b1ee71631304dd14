"""`zrf agree`: play random games with the interpreter and the native engine, and compare them at every ply."""

import argparse

from zrf_py.cli.common import add_json, print_json, whole


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME|FILE", help="a bundled game (see `zrf list`) or a rules file")
    parser.add_argument("--variant", metavar="V", help="title or number of a variant (default: all variants)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="random seed (default: 1)")
    parser.add_argument("--plies", type=whole(1), default=100, metavar="N", help="plies per variant (default: 100)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from zrf_py.library import load_file
    from zrf_py.native.agree import Disagreement, agree
    from zrf_py.play.engines import make_engine

    file = load_file(args.name)
    file.check()
    programs = file.programs if args.variant is None else (file.program(args.variant),)
    results = [agree(program, args.seed, args.plies, make_engine(program, "native")) for program in programs]
    differing = [str(result) for result in results if isinstance(result, Disagreement)]
    plies = sum(result for result in results if not isinstance(result, Disagreement))
    if args.json:
        print_json({"games": len(programs), "agree": len(programs) - len(differing), "plies": plies,
                    "differences": differing})
    else:
        count = f"{len(programs) - len(differing)} of {len(programs)} games agree, plies compared: {plies}"
        print("\n".join([*differing, count]))
    return int(bool(differing))
