"""Compile time of a game's own code against its size: a line for each class of sizes, with its slowest game.

    ZRF_CORPUS=FOLDER python -m tests.benchmarks.compiling [EVERY]

Compiles the first game of each file of the shelf and the corpus, or of every EVERY-th file.
Seconds are processor time, analysis included, without the time for reading the rules.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from pathlib import Path

from tests.benchmarks import show_help
from zrf_py.data import data_file
from zrf_py.library import load_file
from zrf_py.native import code
from zrf_py.native.compiler import game_module
from zrf_py.native.errors import TooLarge
from zrf_py.native.layout import lay_out
from zrf_py.native.specialise.templates import size_of
from zrf_py.text.diagnostics import ZrfError

SIZES = (50, 100, 200, 400, 800, 1600, 4000)
"""Upper limits of the size classes, in operations to compile; blocks that are alike count once."""


def compiled(path: Path) -> tuple[int, float] | None:
    """Return the size and compile time of a file's first game; None if there is no sound one, or it is too large."""
    from zrf_py.jit.compiler import compile_module

    try:
        program = load_file(path).programs[0]
        plain = lay_out(program)
    except (ZrfError, TooLarge, IndexError, OSError):
        return None
    if not code.is_small(plain):
        print(f"not compiled: {path.stem}: {code.too_much(plain)}", file=sys.stderr)
        return None
    begin = time.process_time()
    compile_module(game_module(program, code.knowing(program, plain)))
    return size_of(plain), time.process_time() - begin


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    files = sorted(data_file("rules").rglob("*.zrf"))
    if corpus := os.environ.get("ZRF_CORPUS"):
        files += sorted(Path(corpus).rglob("*.zrf"))
    found = []
    for path in files[::every]:
        if done := compiled(path):
            found.append((*done, path.stem))
            print(f"{done[1]:.2f} s: {path.stem}", file=sys.stderr)
    print("| operations | games | median s | worst s |\n|---|---|---|---|")
    for low, high in zip((0, *SIZES), SIZES, strict=False):
        rows = [row for row in found if low < row[0] <= high]
        if rows:
            worst = max(rows, key=lambda row: row[1])
            print(f"| {low + 1} to {high} | {len(rows)} | {statistics.median(row[1] for row in rows):.2f} | "
                  f"{worst[1]:.2f} ({worst[2]}) |", flush=True)


if __name__ == "__main__":
    show_help(__doc__)
    main()
