"""Speed of random games by the public Python API, compared with OpenSpiel and python-chess in the same run.

    pip install open_spiel chess && python -m tests.benchmarks.from_python

At each ply of a game, each library checks for its end, lists the legal moves and plays one of them. zrf_py compiles the
game's own code first (`finish`), which a script would do after some thousand plies, and caches it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median

import chess
import pyspiel

import zrf_py
from tests.benchmarks import show_help
from zrf_py.play.engines import Auto

PLIES, SLICE, ROUNDS = 300, 0.4, 7
PAIRS = {"connect-four": "connect_four", "breakthrough": "breakthrough", "othello": "othello", "chess": "chess",
         "tictactoe": "tic_tac_toe"}
Play = Callable[[Random], int]
"""Plays a random game of at most `PLIES` plies; returns their number."""


def by_move(name: str, texts: bool = False) -> Play:
    """Return a function that chooses from the list of moves; with `texts`, it formats all of them first."""
    game = zrf_py.load(name)
    assert isinstance(game.engine, Auto)
    native = game.engine.native()
    assert native is not None
    native.worker().machine.finish(120)

    def play(random: Random) -> int:
        here, plies, choice = game.start(), 0, random.choice
        while plies < PLIES and not here.outcome():
            moves = here.moves()
            if texts:
                [move.text for move in moves]
            here = here.play(choice(moves))
            plies += 1
        return plies

    return play


def by_number(name: str) -> Play:
    """Return a function that chooses moves by number."""
    game = zrf_py.load(name)

    def play(random: Random) -> int:
        here, plies, number = game.start(), 0, random.randrange
        while plies < PLIES and not here.outcome():
            here = here.play(number(len(here.moves())))
            plies += 1
        return plies

    return play


def open_spiel(name: str) -> Play:
    game = pyspiel.load_game(name)

    def play(random: Random) -> int:
        state, plies, choice = game.new_initial_state(), 0, random.choice
        while plies < PLIES and not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
            plies += 1
        state.returns()
        return plies

    return play


def python_chess(texts: bool = False) -> Play:
    def play(random: Random) -> int:
        board, plies, choice = chess.Board(), 0, random.choice
        while plies < PLIES and not board.outcome():
            moves = list(board.legal_moves)
            if texts:
                [move.uci() for move in moves]
            board.push(choice(moves))
            plies += 1
        return plies

    return play


def speed(play: Play, seed: int) -> float:
    """Return plies per second of processor time."""
    random, plies, began = Random(seed), 0, time.process_time()
    while time.process_time() - began < SLICE:
        plies += play(random)
    return plies / (time.process_time() - began)


def row(name: str, ours: Play, theirs: Play, peer: str) -> None:
    """Print the medians of both programs, and the median of the rounds' ratios."""
    ours(Random(0))
    rounds = [(speed(ours, seed), speed(theirs, seed)) for seed in range(ROUNDS)]
    here, there = (median(column) for column in zip(*rounds, strict=True))
    print(f"| {name} | {here:,.0f} | {peer} {there:,.0f} | {median(a / b for a, b in rounds):.2f} |", flush=True)


def main() -> None:
    print("| random games from Python | plies/s | other program, plies/s | ratio |\n|---|---|---|---|")
    for name, other in PAIRS.items():
        row(f"{name}, `play(move)`", by_move(name), open_spiel(other), "OpenSpiel")
        row(f"{name}, `play(number)`", by_number(name), open_spiel(other), "OpenSpiel")
    row("chess, `play(move)`", by_move("chess"), python_chess(), "python-chess")
    row("chess, and `text` of every move (`uci`)", by_move("chess", True), python_chess(True), "python-chess")


if __name__ == "__main__":
    show_help(__doc__)
    main()
