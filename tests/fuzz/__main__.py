"""`python -m tests.fuzz`: mutated inputs for as long as you like. Exits with 1 if anything was found."""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from pathlib import Path

from tests.fuzz import TARGETS
from tests.fuzz.reduce import smaller
from tests.fuzz.tally import Tally
from tests.fuzz.workers import Found, Run, fuzz, input_of, tried

EVERY = 1_000


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET",
                        help=f"of {', '.join(TARGETS)} (default: each of them); `all`: shares of N")
    parser.add_argument("--inputs", type=int, default=1_000, metavar="N", help="how many of each (default: 1000)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first (default: 0)")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S", help="stop after so many, each")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which inputs (default: 1)")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="real files to mutate besides those of the shelf")
    parser.add_argument("--out", type=Path, metavar="FOLDER",
                        help="where to keep inputs that break something, or were tried when the run was stopped")
    parser.add_argument("--counts", type=Path, metavar="FILE", help="for `all`: where to store the counts")
    parser.add_argument("--again", type=Path, nargs="+", metavar="FILE", help="try kept inputs again, of one target")
    args = parser.parse_args()
    if wrong := set(args.targets) - {*TARGETS, "all"}:
        parser.error(f"no such target: {', '.join(sorted(wrong))}")
    if args.again:
        return again(args.targets[0] if args.targets else "front", args.corpus, args.again)
    if args.out:
        args.out.mkdir(parents=True, exist_ok=True)
    if args.targets == ["all"]:
        return everything(args)
    broken = 0
    for name in args.targets or TARGETS:
        began = time.monotonic()
        numbers = range(args.first, args.first + args.inputs)
        run = fuzz(partial(TARGETS[name], args.corpus), name, args.seed, numbers, args.out,
                   partial(tell, name, args), began + args.seconds)
        print(f"{name}: {run.done} inputs of seed {args.seed} in {time.monotonic() - began:.0f} s, "
              f"{len(run.found)} findings, {run.unfinished} of too much work for the interpreter", flush=True)
        broken += len(run.found)
    return int(bool(broken))


def everything(args: argparse.Namespace) -> int:
    """Try `--inputs` inputs, shared out among all targets, and count them in a file."""
    tally = Tally(args.counts, args.seed)
    tally.run(args.inputs, lambda name: TARGETS[name](args.corpus), args.out,
              lambda name, run, found: tell(name, args, run, found))
    print(tally)
    return int(any(kind.findings for kind in tally.kinds.values()))


def tell(name: str, args: argparse.Namespace, run: Run, found: Found | None) -> None:
    if found:
        print(f"\n{name} --seed {args.seed} --first {found.number} --inputs 1\n{found.what}", flush=True)
        target = TARGETS[name](args.corpus)
        if target.ending == ".zrf":
            small = smaller(target, input_of(target, name, args.seed, found.number), found.what)
            print(f"{small.decode('utf-8', 'replace')}\n", flush=True)
    if run.done % EVERY == 0:
        print(f"{name}: {run.done} inputs, {len(run.found)} findings", file=sys.stderr, flush=True)


def again(name: str, corpus: Path | None, paths: list[Path]) -> int:
    target = TARGETS[name](corpus)
    answers = {path: tried(target, path.read_bytes()) for path in paths}
    for path, answer in answers.items():
        print(f"{path}:\n{answer}" if isinstance(answer, str) else f"{path}: nothing found")
    return int(any(isinstance(answer, str) for answer in answers.values()))


if __name__ == "__main__":
    sys.exit(main())
