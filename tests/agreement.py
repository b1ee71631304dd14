"""Compare all engines on a folder of rules files: `python -m tests.agreement FOLDER --plies 200`.

For every title of every file, the interpreter, the generic kernel and (for the first `--own` titles of a file) the
game's own code play the same random games, and everything is compared at every ply. Prints a line for each file, its
differences, and the totals. `--begin NAME` resumes a run that was stopped. Exits with 1 if anything differed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TypeVar

from tests.engines import played
from tests.fuzz.work import TooMuchWork, bounded
from zrf_py.ir.ops import Program
from zrf_py.library import load_file, rules_files
from zrf_py.native import Native
from zrf_py.native.agree import Disagreement, agree
from zrf_py.native.code import is_small
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.text.diagnostics import ZrfError

WORK = 20_000_000
"""Maximum number of operations of the interpreter for one title."""


T = TypeVar("T")
FACTS = [one.name for one in fields(Position)]


class Differ(Exception):
    """Two kernels give different answers."""


class Together:
    """Run two kernels as one engine: both must give the same answer or the same fault."""

    def __init__(self, first: Native, second: Native) -> None:
        self.program = first.program
        self.both = first, second

    def start(self) -> Position:
        return self.both[0].start()

    def moves(self, position: Position) -> tuple[Move, ...]:
        return self._ask("moves", lambda engine: engine.moves(position), lambda moves: moves)

    def after(self, position: Position, move: Move) -> Position:
        return self._ask(f"position after {move}", lambda engine: engine.after(position, move),
                         lambda after: [getattr(after, name) for name in FACTS])

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        return self._ask("outcome", lambda engine: engine.outcome(position, repetitions), str)

    def is_attacked(self, position: Position, player: int) -> bool:
        return self._ask("safety", lambda engine: engine.is_attacked(position, player), str)

    def not_restored(self, position: Position) -> list[str]:
        return [what for engine in self.both for what in engine.not_restored(position)]

    def _ask(self, what: str, question: Callable[[Native], T], told: Callable[[T], object]) -> T:
        answers: list[T] = []
        faults: list[ZrfError] = []
        for engine in self.both:
            try:
                answers.append(question(engine))
            except ZrfError as fault:
                faults.append(fault)
        facts = [str(told(answer)) for answer in answers] + list(map(str, faults))
        if facts[0] != facts[1] or len(faults) == 1:
            raise Differ(f"the two kernels differ in the {what}: {facts}")
        if faults:
            raise faults[0]
        return answers[0]


@dataclass
class Counts:
    """Totals of the comparison, for a title, a file or all files."""

    titles: int = 0
    plies: int = 0
    own: int = 0
    """Number of plies, among `plies`, at which the game's own code was compared, too."""
    alone: int = 0
    """Number of titles that the interpreter had to play, at least in part, because a kernel ran out of memory."""
    long: int = 0
    """Number of titles abandoned early because they took the interpreter too much work."""
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        for name in ("titles", "plies", "own", "alone", "long"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wrong += other.wrong

    def __str__(self) -> str:
        return (f"{self.titles} titles, {self.plies} plies, {self.own} of them with own code too; "
                f"{self.alone} without room, {self.long} too long, {len(self.wrong)} different")


class Budget:
    """Budget of processor time: each call counts a ply and returns whether to go on; the first five return True."""

    def __init__(self, seconds: float) -> None:
        self.plies = -1
        self.end = time.process_time() + seconds

    def __call__(self) -> bool:
        self.plies += 1
        return self.plies < 5 or time.process_time() < self.end


def compare(program: Program, seed: int, plies: int, seconds: float, own: bool) -> Counts:
    """Compare the engines in random games of a title, for `plies` plies or `seconds` of processor time.

    `own`: compare the game's own code, too, if that can be compiled in bounded time.
    """
    counts = Counts(titles=1)
    engines = [Native(program)]
    layout = engines[0].machine.layout
    own = own and layout is not None and is_small(layout)
    engines += [Native(program, compiled=True)] if own else []
    budget = Budget(seconds)
    try:
        with bounded(WORK):
            found = agree(program, seed, plies, Together(*engines) if own else engines[0], budget)
        if isinstance(found, Disagreement):
            counts.wrong.append(str(found))
        else:
            counts.plies = found
    except (TooMuchWork, Differ) as end:
        counts.plies, counts.long = budget.plies, int(isinstance(end, TooMuchWork))
        counts.wrong += [f"{program.game.title}, seed {seed}, ply {budget.plies}: {end}"] * (not counts.long)
    counts.own = counts.plies if own else 0
    counts.alone = int(not all(map(played, engines)))
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.agreement", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--plies", type=int, default=200, metavar="N", help="of each title (default: 200)")
    parser.add_argument("--seconds", type=float, default=5, metavar="S",
                        help="of processor time of each title (default: 5)")
    parser.add_argument("--own", type=int, default=1, metavar="N",
                        help="titles of a file for which code of their own is made (default: 1)")
    parser.add_argument("--begin", default="", metavar="NAME", help="the first file (default: the first there is)")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    args = parser.parse_args()
    every = Counts()
    for path in rules_files(args.folder):
        if str(path.relative_to(args.folder)) < args.begin:
            continue
        of_file = Counts()
        with suppress(ZrfError):
            for number, program in enumerate(load_file(path).programs):
                of_file.add(compare(program, args.seed + number, args.plies, args.seconds, number < args.own))
        every.add(of_file)
        print(f"{path.relative_to(args.folder)}: {of_file}", *of_file.wrong, sep="\n", flush=True)
    print(every)
    return int(bool(every.wrong))


if __name__ == "__main__":
    sys.exit(main())
