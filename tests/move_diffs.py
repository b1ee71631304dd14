"""Effects of moves on the board, computed three ways: by `run/diff.py`, from the kernel's boards, by pages.

    python -m tests.move_diffs FOLDER|FILE… [--moves N] [--seconds N]    # a line for each file, then the figures

Every legal move of random games is compared. The kernel only gives the boards before and after a move; each square is
checked: what stood there, what left or was captured, what came, what stands there now. Pages run in node.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from tests.exporting import Paged, paged, plain
from zrf_py.library import load_file
from zrf_py.native import Native
from zrf_py.native.machine import Machine
from zrf_py.play.foreign import has_moves
from zrf_py.play.game import Game, Move
from zrf_py.run import position as run
from zrf_py.search import preparation
from zrf_py.text.diagnostics import ZrfError

PLIES = 40


def differences(game: Game, moves: int, seed: int = 1, page: Paged | None = None) -> tuple[int, list[str]]:
    """Compare at least `moves` moves of random games, unless they have fewer; return their number and the faults."""
    engine, random, count, wrong = Native(game.program), Random(seed), 0, list[str]()
    start = Game(game.program, engine=engine).start()
    for _ in range(moves):
        position, begun = start, count
        if page:
            page("start")
        for _ in range(PLIES):
            legal = [] if position.outcome() else position.moves()
            if not legal or count >= moves:
                break
            count += len(legal)
            wrong += [f"{move.text}: {fault}" for move in legal for fault in _faults(engine, position.state, move)]
            if page and page("diffs") != plain([list(move.diff) for move in legal]):
                wrong.append(f"the page differs on `{position.text}`")
            move = random.choice(legal)
            if page:
                page("play", [move.text])
            position = position.play(move)
        if count >= moves or count == begun:
            break
    return count, wrong


def _faults(engine: Native, before: run.Position, move: Move) -> list[str]:
    """Return the errors and omissions of a move's `diff`, found by comparing the boards before and after it."""
    after, diff = engine.after(before, move.raw), move.diff
    if after.out != before.out:
        return []  # the pieces of a player who drops out are removed, but not by the move
    arrived, left = Counter(square for square, origin, *_ in diff.men if origin != square), Counter(diff.taken)
    left.update(start for start, _ in diff.moved)
    now = {square: (player, kind) for square, _, player, kind in diff.men}
    faults = []
    for square, (owner, kind) in enumerate(zip(after.owner, after.piece, strict=True)):
        old = before.owner[square], before.piece[square]
        if (old[0] >= 0) - left[square] + arrived[square] != (owner >= 0):
            faults.append(f"place {square} is not accounted for")
        elif owner >= 0 and (owner, kind) != now.get(square, old):
            faults.append(f"place {square} holds {owner, kind}, not {now.get(square, old)}")
    if diff.end in now and after.piece[diff.end] != (diff.becomes if diff.becomes >= 0 else diff.piece):
        faults.append(f"{after.piece[diff.end]} stands at the end, not {diff.becomes}")
    removed = after.taken[len(before.taken) if before.chain else 0:]
    men = [(before.owner[square], before.piece[square]) for square in diff.taken]
    pure = not move.raw.effects and all(how == run.MOVE and kind == run.KEEP for how, _, _, kind in move.raw.movements)
    # The kernel also counts pieces that came and left within the move, with the type they had when they left.
    if Counter(removed) != Counter(men) if pure else len(removed) < len(men):
        faults.append(f"the kernel removed {removed}, not {men}")
    return faults


def main() -> None:
    """Compare all titles of all files, each file in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--moves", type=int, default=2000, help="moves to compare of each title")
    parser.add_argument("--seconds", type=float, default=300, help="time for each file")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        _look_at(options.paths[0], options.moves, options.seconds)
        return
    total: Counter[str] = Counter()
    for path in sorted(p for given in options.paths for p in (given.rglob("*") if given.is_dir() else [given])):
        if path.suffix.lower() == ".zrf" and path.is_file():
            total.update(_alone(path, options.moves, options.seconds))
            print(dict(total), flush=True)


def _alone(path: Path, moves: int, seconds: float) -> Counter[str]:
    words = ["--one", str(path), "--moves", str(moves), "--seconds", str(seconds)]
    try:
        done = subprocess.run([sys.executable, "-m", "tests.move_diffs", *words], capture_output=True, text=True,
                              timeout=seconds * 2, check=False)
    except subprocess.TimeoutExpired as error:
        done = subprocess.CompletedProcess(words, 1, (error.stdout or b"").decode(), "too slow")
    print(path.name, done.stdout, done.stderr[-500:], flush=True)
    counts = [line.split() for line in done.stdout.splitlines() if line.startswith("compared ")]
    return Counter({"files": 1, "titles": len(counts), "moves": sum(int(c[1]) for c in counts),
                    "in pages": sum(int(c[1]) for c in counts if c[4] == "page"),
                    "wrong": sum(int(c[2]) for c in counts), "stopped": int(done.returncode != 0)})


def _look_at(path: Path, moves: int, seconds: float) -> None:
    try:
        programs = load_file(path).programs
    except ZrfError as error:
        print("refused", error.diagnostics[0].code)
        return
    preparation.POSITIONS = 8000
    Machine.make = lambda self: setattr(self, "grows", False)  # type: ignore[method-assign]
    end = time.monotonic() + seconds
    for program in filter(has_moves, programs):
        if time.monotonic() < end:
            game, by = Game(program, path=path), "page"
            with tempfile.TemporaryDirectory() as folder:
                try:
                    with paged(game, Path(folder)) as page:
                        count, wrong = differences(game, moves, page=page)
                except (AssertionError, ZrfError) as error:
                    print("no page:", str(error)[:200])
                    (count, wrong), by = differences(game, moves), "Python"
            print("compared", count, len(wrong), "by", by, game.title, *wrong[:3], flush=True)


if __name__ == "__main__":
    main()
