"""Steps per second of a fleet and of other environments, in one run: `python -m tests.benchmarks.fleets [GAME…]`.

A step is one leg in one game, drawn at random, with the legal actions and the observation after it; the draw
is timed, too. Times are processor times, but the speed of two threads relative to one is measured by the clock.
PettingZoo's own games (`pip install 'pettingzoo[classic]'`) and OpenSpiel's in C++, if installed, run one at a time.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from tests.benchmarks import show_help
from zrf_py.envs import Fleet

SIZE, ROUNDS, SECONDS = 4096, 5, 0.4
GAMES = {  # game: (target in million steps per second, PettingZoo's name, OpenSpiel's)
    "tictactoe": (None, "tictactoe_v3", "tic_tac_toe"), "connect-four": (5.0, "connect_four_v3", "connect_four"),
    "breakthrough": (1.5, None, "breakthrough"), "checkers": (1.5, None, "checkers"),
    "othello": (0.7, None, "othello"), "chess": (0.5, "chess_v6", "chess"),
}
Run = Callable[[], int]
"""Makes some steps; returns their number."""


def fleet(name: str, threads: int) -> Run:
    """Return a function that makes one step in each game of a fleet."""
    games = Fleet(name, SIZE, seed=1, threads=threads)
    for _ in range(50):
        games.step(games.sample())
    games._crew.finish(60)  # wait until every thread uses the game's own code
    for _ in range(50):
        games.step(games.sample())

    def run() -> int:
        games.step(games.sample())
        return SIZE

    return run


def pettingzoo(name: str) -> Run | None:
    """Return a function that plays one of PettingZoo's own games, up to 200 steps; None if it isn't installed."""
    try:
        env: Any = import_module(f"pettingzoo.classic.{name}").env()
    except ImportError:
        return None
    env.reset(seed=1)

    def run() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter(200):
            seen, _, over, cut, _ = env.last()
            legal = np.flatnonzero(seen["action_mask"])
            env.step(None if over or cut else int(random.choice(legal)))
            steps += not (over or cut)
        return steps

    return run


def openspiel(name: str) -> Run | None:
    """Return a function that plays one of OpenSpiel's games, up to 200 steps; None if it isn't installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def run() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal() and steps < 200:
            state.apply_action(random.choice(state.legal_actions()))
            if not state.is_terminal():
                state.observation_tensor()
            steps += 1
        return steps

    return run


def speed(run: Run, clock: Callable[[], float] = time.process_time) -> float:
    """Return steps per second."""
    began, steps = clock(), 0
    while clock() - began < SECONDS:
        steps += run()
    return steps / (clock() - began)


def measure(name: str) -> None:
    """Print a line of the table: medians of rounds in which the libraries take turns."""
    aim, zoo, spiel = GAMES[name]
    runs = [fleet(name, 1), pettingzoo(zoo) if zoo else None, openspiel(spiel) if spiel else None]
    two = fleet(name, 2)
    rounds = [[speed(run) if run else 0.0 for run in runs] for _ in range(ROUNDS)]
    threads = statistics.median(speed(two, time.perf_counter) / speed(runs[0], time.perf_counter)  # type: ignore[arg-type]
                                for _ in range(ROUNDS))
    ours, *theirs = (statistics.median(column) for column in zip(*rounds, strict=True))
    peers = [f"{peer:,.0f} | {ours / peer:,.0f}" if peer else " | " for peer in theirs]
    print(f"| {name} | {ours / 1e6:.2f} | {aim or ''} | {' | '.join(peers)} | {threads:.2f} |", flush=True)


if __name__ == "__main__":
    show_help(__doc__)
    warnings.simplefilter("ignore")
    print("| game | M steps/s | aim | PettingZoo | times | OpenSpiel | times | two threads |")
    print("|---" * 8 + "|")
    for each in sys.argv[1:] or GAMES:
        measure(each)
