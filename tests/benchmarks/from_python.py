"""Chess from Python by the public names, beside python-chess (`pip install -e '.[bench]'`), in turns in one run.

    python -m tests.benchmarks.from_python

Random games of at most `PLIES` plies: all legal moves as objects, one of them made. At first the kernel for any game
answers; what counts is what comes after `WARM` seconds, when the game's own code has been made.
"""

import time
from collections.abc import Callable
from random import Random
from statistics import median

import chess

import zrf_py

PLIES, GAMES, ROUNDS, WARM = 300, 8, 7, 8
GAME = zrf_py.load("chess")


def ours(seed: int, asks_end: bool) -> int:
    """Plies of a random game here."""
    random, here, plies = Random(seed), GAME.start(), 0
    while plies < PLIES and not (asks_end and here.outcome()) and (moves := here.moves()):
        here = here.play(random.choice(moves))
        plies += 1
    return plies


def theirs(seed: int, asks_end: bool) -> int:
    """The same in python-chess."""
    random, board, plies = Random(seed), chess.Board(), 0
    while plies < PLIES and not (asks_end and board.outcome()) and (moves := list(board.legal_moves)):
        board.push(random.choice(moves))
        plies += 1
    return plies


def speed(play: Callable[[int, bool], int], asks_end: bool) -> float:
    """Plies a second of processor time."""
    began = time.process_time()
    plies = sum(play(seed, asks_end) for seed in range(GAMES))
    return plies / (time.process_time() - began)


def main() -> None:
    """Print a row for moves alone, and one for games whose end is asked for at each ply."""
    until = time.monotonic() + WARM
    while time.monotonic() < until:
        ours(0, False)
    print("| random chess from Python | plies/s | python-chess | ratio |\n|---|---|---|---|")
    for what, asks_end in (("`moves` and `play`", False), ("and `outcome` at each ply", True)):
        rounds = [(speed(ours, asks_end), speed(theirs, asks_end)) for _ in range(ROUNDS)]
        here, there = (median(column) for column in zip(*rounds, strict=True))
        print(f"| {what} | {here:,.0f} | {there:,.0f} | {median(a / b for a, b in rounds):.2f} |", flush=True)


if __name__ == "__main__":
    main()
