"""Compare the native engine with other programs, in one run on one machine: tables of README.md, and the plot.

    python -m tests.benchmarks.measure [perft] [playouts] [turns] [titles] [search] [times] [start] [plot]

Times are processor times, except for `times`. python-chess (`pip install -e '.[bench]'`) and, if it is installed,
Fairy-Stockfish take turns with zrf_py, `ROUNDS` times; a ratio is that of two medians, but for Fairy-Stockfish the
median of the rounds' ratios. Figures of others, marked `*`, were published, or measured earlier on a similar machine.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from operator import truediv
from pathlib import Path

import zrf_py
from tests.benchmarks import show_help, sizes
from zrf_py.data import data_file
from zrf_py.library import load_file
from zrf_py.native import Native
from zrf_py.search.chance import is_drawn
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits

ROUNDS = 7
HERE = Path(__file__).parent
FAIRY = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
MEASURED = ("chess", "xiangqi", "shogi", "makruk", "breakthrough")
"""Games that Fairy-Stockfish, if it is installed, also counts in the same run."""
PERFT: dict[str, tuple[int, int, float | None, float | None]] = {
    # game: (depth, count, millions of leaves per second: Fairy-Stockfish's `go perft`, RBG)
    "chess": (5, 4_865_609, 34.0, 15.8),
    "xiangqi": (4, 3_290_240, 17.0, None),
    "shogi": (4, 719_731, 14.0, None),
    "makruk": (5, 6_223_994, 19.0, None),
    "breakthrough": (6, 149_264_638, 63.0, 198.0),
    "connect-four": (9, 39_394_572, 36.0, 182.0),
    "amazons": (4, 4_307_152, 124.0, 257.0),
    "checkers": (10, 17_570_330, None, 20.9),
    "othello": (10, 24_571_056, None, 8.5),
}
PLAYOUTS: dict[str, tuple[int, int, int | None]] = {
    # game: playouts/s of RBG, of Ludii, and of a C++ program written by hand for this game
    "chess": (1_119, 132, None),
    "checkers": (70_100, 4_910, 332_000),
    "othello": (22_200, 1_750, 254_000),
    "connect-four": (995_000, 52_100, 7_540_000),
    "breakthrough": (64_500, 3_710, 219_000),
    "amazons": (4_450, 3_100, None),
    "five-in-a-row": (24_200, 25_500, None),
}
TURNS = {
    # game: depth of perft, a published figure in moves/s
    "halma": (4, "Ludii, Halma: 85,000"),
    "brainking/brainking-halma": (4, ""),
    "booklet/sternhalma": (4, "Ludii, Chinese checkers: 193,000; RBG, six colours: 600,000"),
    "platonic/platonic-simple": (4, ""),
}
FAMILY = ("booklet", "brainking", "monks", "platonic")
SEARCHES = ("chess", "shogi", "breakthrough", "checkers", "othello", "connect-four", "bk-8x8", "halma",
            "stern-3p")
MOST = 5_000
"""Plies after which a random game is cut off."""
SIZES = (5, 8, 11, 15, 19, 26)
SLICE = 0.25
"""Target duration in seconds of one measurement of random games."""


def engine(name: str) -> Native:
    return Native(load_file(data_file("rules") / f"{name}.zrf").programs[0], compiled=True)


def timed(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


# -------------------------------------------------------------------------------------------------------------- perft


def perft() -> dict[str, float]:
    """Print a row for each game; return the median speeds in M leaves/s."""
    print("| perft | depth | leaves | M leaves/s | Fairy-Stockfish* | ratio | RBG* | ratio | python-chess | ratio |")
    print("|" + "---|" * 10)
    found = {}
    for name, (depth, count, stockfish, rbg) in PERFT.items():
        native = engine(name)
        assert native.perft(native.start(), depth) == count, name
        speeds: list[float] = []
        peer: list[float] = []
        fairy: list[float] = []
        for _ in range(ROUNDS):
            speeds.append(count / timed(partial(native.perft, native.start(), depth)) / 1e6)
            if name == "chess":
                peer.append(python_chess())
            if FAIRY and name in MEASURED:
                fairy.append(fairy_stockfish(name, depth, count))
        found[name] = speed = statistics.median(speeds)
        beside = _beside(speed, round(statistics.median(peer), 2) if peer else None)
        others = f"{stockfish:g}" if stockfish else ""
        if fairy:
            others = f"{statistics.median(fairy):.1f} (same run)"
        ratio = statistics.median(map(truediv, speeds, fairy)) if fairy else speed / stockfish if stockfish else 0
        print(f"| {name} | {depth} | {count:,} | {speed:.1f} | {others} | {f'{ratio:.1f}' if ratio else ''} | "
              f"{_beside(speed, rbg)} | {beside} |", flush=True)
    return found


def fairy_stockfish(name: str, depth: int, count: int) -> float:
    """Return the M leaves/s of Fairy-Stockfish's `go perft`; the processor time includes its start."""
    assert FAIRY
    begin = children()
    lines = ("uci", f"setoption name UCI_Variant value {name}", "position startpos", f"go perft {depth}", "quit")
    told = subprocess.run([FAIRY], input="\n".join(lines), capture_output=True, text=True, check=True).stdout
    assert f"Nodes searched: {count}" in told, name
    return count / (children() - begin) / 1e6


def _beside(speed: float, other: float | None) -> str:
    return f"{other:g} | {speed / other:.1f}" if other else " | "


def python_chess() -> float:
    """Return the M leaves/s of python-chess, with bulk counting at the last ply."""
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

    return 8_902 / timed(lambda: count(chess.Board(), 3)) / 1e6


# ------------------------------------------------------------------------------------------------------- random games


def playouts() -> dict[str, float]:
    """Print a row for each game; return the median speeds in games/s."""
    print(f"| random games (at most {MOST} plies) | games/s | M plies/s | plies a game | RBG* | ratio | Ludii* | ratio "
          "| by hand* | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    found = {}
    for name, others in PLAYOUTS.items():
        found[name], length = random_games(engine(name))
        beside = " | ".join(f"{o:,} | {found[name] / o:.2f}" if o else " | " for o in others)
        speed = f"{found[name]:,.0f} | {found[name] * length / 1e6:.1f}"
        print(f"| {name} | {speed} | {length:.0f} | {beside} |", flush=True)
    return found


def random_games(native: Native) -> tuple[float, float]:
    """Return the games per second and the plies per game, both as medians of `ROUNDS` rounds."""
    native.playouts(1)
    games, seconds = 20, 0.0
    while seconds < SLICE:
        games = int(games * min(20.0, max(2.0, 1.2 * SLICE / max(seconds, 0.005))))
        seconds = timed(partial(native.playouts, games, 1, MOST))
    lengths = []

    def play(seed: int) -> None:
        lengths.append(native.playouts(games, seed=seed, max_plies=MOST).plies / games)

    speeds = [games / timed(partial(play, seed)) for seed in range(ROUNDS)]
    return statistics.median(speeds), statistics.median(lengths)


# --------------------------------------------------------------------------------------------------- turns, search


def turns() -> None:
    """Print the speeds at which complete turns are counted and drawn at random."""
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


def titles() -> None:
    """Print complete turns per second of each title of the Halma family, the median, and the titles below 100,000."""
    speeds: dict[str, float] = {}
    for file in [data_file("rules") / "halma.zrf",
                 *(f for folder in FAMILY for f in sorted((data_file("rules") / folder).glob("*.zrf")))]:
        for program in load_file(file).programs:
            native = Native(program, compiled=True)
            native.turn_playouts(1, 1, 50)
            best = 0.0
            for seed in range(3):
                begin = time.process_time()
                found = native.turn_playouts(10, seed, 500)
                best = max(best, found.plies / (time.process_time() - begin) if found else 0)
            if best:
                speeds[program.game.title] = best
                print(f"| {program.game.title} | {best:,.0f} |", flush=True)
    slow = ", ".join(f"{title} {speed:,.0f}" for title, speed in speeds.items() if speed < 100_000)
    print(f"{len(speeds)} titles, median {statistics.median(speeds.values()):,.0f}; under 100,000: {slow}")


def search() -> None:
    """Print each game's speeds in its usual and in tree search, and the usual one's depth after a million positions."""
    print("| search of the start position | kind | M positions/s | depth | tree: M positions/s |")
    print("|---|---|---|---|---|")
    for name in SEARCHES:
        game = zrf_py.load(name)
        think = search_for(game.program)
        speeds, depth = {think.kind: 0.0, "mcts": 0.0}, 0
        for kind in speeds:
            think.analyse(game.start().state, limits=Limits(nodes=1000), kind=kind)  # compile before the clock starts
            for _ in range(3):
                begin = time.process_time()
                found = think.analyse(game.start().state, limits=Limits(nodes=1_000_000), kind=kind)
                speeds[kind] = max(speeds[kind], found.nodes / (time.process_time() - begin) / 1e6)
                depth = found.best.depth if kind == think.kind else depth
        print(f"| {name} | {think.kind} | {speeds[think.kind]:.2f} | {depth} | {speeds['mcts']:.2f} |", flush=True)


def times() -> None:
    """Print the share of its time per turn that a computer player uses: the median, the 95 % quantile, the maximum."""
    print("| turns of a given time | turns | median used | 95 % within | longest |")
    print("|---|---|---|---|---|")
    for allowed, count in ((0.1, 40), (0.5, 12), (2.0, 4)):
        taken: list[float] = []
        for name in (*SEARCHES, "platonic-adv-2p", "wuerfel-2p"):
            taken += turn_times(name, allowed, count)
        taken.sort()
        shares = [statistics.median(taken), taken[int(0.95 * len(taken))], taken[-1]]
        print(f"| {allowed} s | {len(taken)} | " + " | ".join(f"{s / allowed:.1%}" for s in shares) + " |", flush=True)


def turn_times(name: str, allowed: float, count: int) -> list[float]:
    """Return the seconds of each of the first `count` turns, those of chance left out; `allowed` is the limit."""
    game = zrf_py.load(name)
    think, position, past, found = search_for(game.program), game.start().state, [], []
    think.turn(position, limits=Limits(nodes=1000))  # compile before the clock starts
    while len(found) < count and think.engine.outcome(position) is None:
        begin = time.perf_counter()
        legs = think.turn(position, past, Limits(time=allowed, noise=50), len(past))
        if not is_drawn(game.program, position):
            found.append(time.perf_counter() - begin)
        for leg in legs:
            past.append(position)
            position = think.engine.after(position, leg)
    return found


# ------------------------------------------------------------------------------------------------------------ start-up


def children() -> float:
    """Return the processor time of child processes that have ended."""
    return os.times().children_user + os.times().children_system


def start() -> None:
    """Print the time from text to the first native perft, in a new process: with an empty cache, then a full one."""
    print("| from text to the first perft | cold s | warm s |")
    print("|---|---|---|")
    code = ("import sys; from tests.benchmarks.measure import engine; "
            "n = engine(sys.argv[1]); n.perft(n.start(), 2)")
    for name in ("connect-four", "chess", "shogi"):
        cold: list[float] = []
        warm: list[float] = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                environment = {**os.environ, "ZRF_CACHE": folder}
                for taken in (cold, warm):
                    begin = children()
                    subprocess.run([sys.executable, "-c", code, name], env=environment, check=True)
                    taken.append(children() - begin)
        print(f"| {name} | {statistics.median(cold):.2f} | {statistics.median(warm):.2f} |", flush=True)


# ---------------------------------------------------------------------------------------------------------------- plot


def plot(leaves: dict[str, float] | None = None, games: dict[str, float] | None = None) -> None:
    """Draw speed.svg: speed against board size, and compared with the other programs."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    leaves, games = leaves or perft(), games or playouts()
    matplotlib.rcParams["svg.hashsalt"] = "zrf"
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4.6), layout="constrained")
    for game in sizes.GAMES:
        speeds = []
        for n in SIZES:
            speed, length = random_games(Native(sizes.program(game, n), compiled=True))
            speeds.append(speed * length / 1e6)
        left.plot([n * n for n in SIZES], speeds, marker="o", label=f"{game}, n × n")
    left.set(xscale="log", yscale="log", xlabel="squares of the board", ylabel="M plies/s in random games")
    left.set_xticks([n * n for n in SIZES], [f"{n * n}" for n in SIZES])
    left.minorticks_off()
    left.set_title("Speed against board size")
    left.legend()
    left.grid(alpha=0.3, which="both")
    bars = [(f"{name}: leaves", speed / other, "Fairy-Stockfish")
            for name, speed in leaves.items() if (other := PERFT[name][2])]
    bars += [(f"{name}: games", speed / PLAYOUTS[name][0], "RBG") for name, speed in games.items()]
    bars.reverse()
    colors = {"Fairy-Stockfish": "tab:blue", "RBG": "tab:orange"}
    right.barh([name for name, _, _ in bars], [ratio for _, ratio, _ in bars], color=[colors[p] for _, _, p in bars])
    for i, (_, ratio, _) in enumerate(bars):
        right.text(ratio * 1.05, i, f"{ratio:.1f}", va="center", fontsize=8)
    right.margins(x=0.1)
    right.axvline(1, color="black", linewidth=1)
    right.set(xscale="log", xlabel="times as fast")
    right.set_title("Leaves beside Fairy-Stockfish, games beside RBG")
    figure.savefig(HERE / "speed.svg", metadata={"Date": None})


def main() -> None:
    wanted = sys.argv[1:] or ["perft", "playouts", "turns", "search", "times", "start", "plot"]
    leaves = perft() if {"perft", "plot"} & set(wanted) else None
    print()
    games = playouts() if {"playouts", "plot"} & set(wanted) else None
    for name, part in (("turns", turns), ("titles", titles), ("search", search), ("times", times), ("start", start)):
        if name in wanted:
            print()
            part()
    if "plot" in wanted:
        plot(leaves, games)


if __name__ == "__main__":
    show_help(__doc__)
    main()
