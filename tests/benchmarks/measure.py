"""Measures the native engine beside other programs, in one run on one machine, and prints the table of README.md.

    python -m tests.benchmarks.measure [perft] [playouts] [turns] [search] [start]

Times are processor times, the best of three. Peers that can be installed (`chess`) are measured in the same run;
figures of others are the published or formerly measured ones, marked `*`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import zrf_py
from zrf_py.data import data_file
from zrf_py.library import load_file
from zrf_py.run.native import Native
from zrf_py.search.limits import Limits
from zrf_py.search.think import thinker

PERFT = {
    # game: (depth, count, Fairy-Stockfish `go perft` in M/s, RBG in M/s)
    "chess": (5, 4_865_609, 34.0, 15.8),
    "xiangqi": (4, 3_290_240, 17.0, None),
    "shogi": (4, 719_731, 14.0, None),
    "makruk": (5, 6_223_994, 19.0, None),
    "breakthrough": (5, 6_182_818, 63.0, 198.0),
    "connect-four": (8, 5_673_234, 36.0, 182.0),
    "amazons": (4, 4_307_152, 124.0, 257.0),
    "othello": (9, 3_005_288, None, 8.5),
}
PLAYOUTS = {
    # game: playouts/s of RBG and of Ludii
    "chess": (1_119, 132),
    "checkers": (70_100, 4_910),
    "othello": (22_200, 1_750),
    "connect-four": (995_000, 52_100),
    "breakthrough": (64_500, 3_710),
    "amazons": (4_450, 3_100),
    "five-in-a-row": (24_200, 25_500),
}
TURNS = {
    # game: depth of perft, a published figure in moves/s
    "halma": (4, "Ludii, Halma: 85,000"),
    "brainking/brainking-halma": (4, ""),
    "booklet/sternhalma": (4, "Ludii, Chinese checkers: 193,000; RBG, six colours: 600,000"),
    "platonic/platonic-simple": (4, ""),
}
SEARCHES = ("chess", "shogi", "breakthrough", "checkers", "othello", "connect-four", "bk-8x8", "halma")
MOST = 5_000
"""Plies after which a random game is cut off."""


def engine(name: str) -> Native:
    return Native(load_file(data_file("rules") / f"{name}.zrf").programs[0]).compiled()


def timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def perft() -> None:
    print("| perft | depth | leaves | M leaves/s | Fairy-Stockfish* | ratio | RBG* | python-chess |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (depth, count, stockfish, rbg) in PERFT.items():
        native = engine(name)
        assert native.perft(native.start(), depth) == count, name
        speed = max(count / timed(lambda n=native, d=depth: n.perft(n.start(), d)) for _ in range(3)) / 1e6
        peers = [f"{stockfish:.0f}" if stockfish else "", f"{speed / stockfish:.1f}" if stockfish else "",
                 f"{rbg}" if rbg else "", f"{python_chess():.2f}" if name == "chess" else ""]
        print(f"| {name} | {depth} | {count:,} | {speed:.1f} | {' | '.join(peers)} |", flush=True)


def python_chess() -> float:
    """M leaves/s of python-chess, with bulk counting at the last ply."""
    import chess

    def count(board: chess.Board, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += count(board, depth - 1)
            board.pop()
        return total

    return 197_281 / timed(lambda: count(chess.Board(), 4)) / 1e6


def playouts() -> None:
    print(f"| random games (at most {MOST} plies) | games/s | M plies/s | plies a game | RBG* | ratio | Ludii* |")
    print("|---|---|---|---|---|---|---|")
    for name, (rbg, ludii) in PLAYOUTS.items():
        native = engine(name)
        native.playouts(1)
        games, seconds = 50, 0.0
        while seconds < 0.5:
            games = int(games * min(20.0, max(2.0, 0.8 / max(seconds, 0.01))))
            begin = time.process_time()
            found = native.playouts(games, seed=1, max_plies=MOST)
            seconds = time.process_time() - begin
        print(f"| {name} | {games / seconds:,.0f} | {found.plies / seconds / 1e6:.1f} | {found.plies / games:.0f} | "
              f"{rbg:,} | {games / seconds / rbg:.2f} | {ludii:,} |", flush=True)


def turns() -> None:
    print("| complete turns | depth | leaves of perft | M leaves/s | random games, turns/s | legs/s | others* |")
    print("|---|---|---|---|---|---|---|")
    for name, (depth, others) in TURNS.items():
        native = engine(name)
        native.turn_perft(native.start(), 2)
        leaves, seconds = 0, 0.0
        for _ in range(3):
            begin = time.process_time()
            leaves = native.turn_perft(native.start(), depth) or 0
            seconds = min(seconds or 1e9, time.process_time() - begin)
        speeds = []
        for play in (native.turn_playouts, native.playouts):
            play(1, 1, 50)
            best = 0.0
            for _ in range(3):
                begin = time.process_time()
                found = play(20, 1, 500)
                best = max(best, found.plies / (time.process_time() - begin) if found else 0)
            speeds.append(f"{best:,.0f}")
        print(f"| {name} | {depth} | {leaves:,} | {leaves / seconds / 1e6:.1f} | {' | '.join(speeds)} | {others} |",
              flush=True)


def search() -> None:
    """Positions a second of alpha-beta and of the tree, each leg counted; the depth that a million of them reach."""
    print("| search of the start position | alpha-beta: M positions/s | depth | tree: M positions/s |")
    print("|---|---|---|---|")
    for name in SEARCHES:
        game = zrf_py.load(name)
        speeds, depth = {"alphabeta": 0.0, "mcts": 0.0}, 0
        for kind in speeds:
            think = thinker(game.program)
            think.analyse(game.start().state, limits=Limits(nodes=1000), kind=kind)  # makes and measures
            for _ in range(3):
                begin = time.process_time()
                found = think.analyse(game.start().state, limits=Limits(nodes=1_000_000), kind=kind)
                speeds[kind] = max(speeds[kind], found.nodes / (time.process_time() - begin) / 1e6)
                depth = found.best.depth if kind == "alphabeta" else depth
        print(f"| {name} | {speeds['alphabeta']:.2f} | {depth} | {speeds['mcts']:.2f} |", flush=True)


def children() -> float:
    """Processor time of the processes that have ended."""
    return os.times().children_user + os.times().children_system


def start() -> None:
    """From text to the first native count, in a process of its own: with nothing in the cache, then again."""
    print("| from text to the first perft 4 | cold s | warm s |")
    print("|---|---|---|")
    code = ("import sys; from tests.benchmarks.measure import engine; "
            "n = engine(sys.argv[1]); n.perft(n.start(), 4 if sys.argv[1] == 'chess' else 2)")
    for name in ("chess", "shogi"):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "ZRF_CACHE": folder}
            taken = []
            for _ in range(2):
                begin = children()
                subprocess.run([sys.executable, "-c", code, name], env=environment, check=True)
                taken.append(children() - begin)
        print(f"| {name} | {taken[0]:.2f} | {taken[1]:.2f} |", flush=True)


if __name__ == "__main__":
    for part in sys.argv[1:] or ["perft", "playouts", "turns", "search", "start"]:
        {"perft": perft, "playouts": playouts, "turns": turns, "search": search, "start": start}[part]()
        print()
