"""`python -m tests.fuzz`: spoilt inputs for as long as you like. Ends with 1 if anything was found."""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from pathlib import Path

from tests.fuzz import TARGETS
from tests.fuzz.workers import Found, fuzz, tried

EVERY = 1_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--inputs", type=int, default=1_000, metavar="N", help="how many of each (default: 1000)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first (default: 0)")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S", help="stop after so many, each")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which inputs (default: 1)")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="real files to spoil besides those of the shelf")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where inputs are kept that break something")
    parser.add_argument("--again", type=Path, nargs="+", metavar="FILE", help="try kept inputs again, of one target")
    args = parser.parse_args()
    if wrong := set(args.targets) - set(TARGETS):
        parser.error(f"no such target: {', '.join(sorted(wrong))}")
    if args.again:
        return again(args.targets[0] if args.targets else "front", args.corpus, args.again)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
    broken = 0
    for name in args.targets or TARGETS:
        began = time.monotonic()
        numbers = range(args.first, args.first + args.inputs)
        done, found = fuzz(partial(TARGETS[name], args.corpus), name, args.seed, numbers, args.out,
                           partial(tell, name), began + args.seconds)
        print(f"{name}: {done} inputs of seed {args.seed} in {time.monotonic() - began:.0f} s, {len(found)} findings")
        for one in found:
            print(f"\n{name} --seed {args.seed} --first {one.number} --inputs 1\n{one.what}")
        broken += len(found)
    return int(bool(broken))


def tell(name: str, done: int, found: list[Found]) -> None:
    if done % EVERY == 0:
        print(f"{name}: {done} inputs, {len(found)} findings", file=sys.stderr, flush=True)


def again(name: str, corpus: Path | None, paths: list[Path]) -> int:
    target = TARGETS[name](corpus)
    found = [(path, what) for path in paths if (what := tried(target, path.read_bytes()))]
    for path, what in found:
        print(f"{path}:\n{what}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
