"""Games on boards of 8 to 128 squares a side: times for reading and compiling, and the speed of random games.

    python -m tests.benchmarks.growth            # some minutes of processor time, with an empty cache
"""

from __future__ import annotations

import math
import os
import tempfile
import time

from tests.benchmarks import show_help, sizes
from zrf_py.native import Native

SIDES = (8, 16, 32, 48, 64, 96, 128)
SECONDS = 0.4
"""Minimum processor time in seconds for which games are played."""


def row(game: str, side: int) -> tuple[float, float, float]:
    """Return the seconds of processor time for reading and for compiling, and the plies per second."""
    began = time.process_time()
    program = sizes.program(game, side)
    read = time.process_time()
    engine = Native(program, compiled=True)
    engine.playouts(1, 1, 50)
    ready = time.process_time()
    plies, games = 0, 1
    while time.process_time() - ready < SECONDS:
        plies += engine.playouts(games, games, 100_000).plies
        games *= 2
    return read - began, ready - read, plies / (time.process_time() - ready)


def exponent(points: list[tuple[float, float]]) -> float:
    """Return the slope of the regression line through the logarithms of the points."""
    logs = [(math.log(size), math.log(speed)) for size, speed in points]
    x, y = (sum(log[i] for log in logs) / len(logs) for i in (0, 1))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def main() -> None:
    with tempfile.TemporaryDirectory() as empty:
        os.environ["ZRF_CACHE"] = empty
        for game in sizes.GAMES:
            found = []
            for side in SIDES:
                read, compiled, speed = row(game, side)
                found.append((float(side * side), speed))
                print(f"| {game} | {side} | {read:.2f} | {compiled:.2f} | {speed / 1e6:.2f} |", flush=True)
            print(f"{game}: plies a second fall with the squares to the power of {-exponent(found):.2f}")


if __name__ == "__main__":
    show_help(__doc__)
    main()
