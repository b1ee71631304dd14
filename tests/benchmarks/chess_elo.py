"""How strong a computer player of zrf_py is at chess, against chess engines of Debian's packages.

    apt-get install stockfish fairymax gnuchess
    python -m tests.benchmarks.chess_elo ai:10 stockfish:1500 --games 100 --time 0.1
    python -m tests.benchmarks.chess_elo ai:0.1s fairymax --games 40 --time 0.1

`stockfish:N` plays with UCI_LimitStrength at UCI_Elo N; `stockfish@K` with `Skill Level` K (0 to 20). Openings are
random and even, each played twice with colours changed; python-chess referees (mate, stalemate, threefold repetition,
fifty moves, bare kings); nothing in `zrf_py/` knows that it is chess. Games go to a SQLite file as in `zrf match`, so a
second call goes on where the first stopped. Stockfish's Elo numbers are calibrated at longer times than these: read
them as an order of magnitude.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from statistics import mean
from typing import Any

import chess
import chess.engine

from zrf_py.batch.elo import rate
from zrf_py.batch.jobs import seeded
from zrf_py.batch.openings import opening
from zrf_py.play.engines import make_engine
from zrf_py.play.game import load
from zrf_py.play.players import player
from zrf_py.run.position import Move, Position

KINDS = {"Knight": "n", "Bishop": "b", "Rook": "r", "Queen": "q"}
FOLDER = "/usr/games/"
MAX_PLIES = 400


class Rules:
    """Our chess, with moves written as other programs write them."""

    def __init__(self) -> None:
        self.program = load("chess").program
        self.engine = make_engine(self.program, "auto")
        self.squares = [place.name for place in self.program.game.board.places]
        self.kinds = [piece.name for piece in self.program.game.pieces]

    def uci(self, move: Move) -> str:
        """Castling is the king's movement, which comes first."""
        _, start, end, kind = move.movements[0]
        return self.squares[start] + self.squares[end] + (KINDS[self.kinds[kind]] if kind >= 0 else "")

    def after(self, position: Position, text: str) -> Position:
        move = next(m for m in self.engine.moves(position) if self.uci(m) == text)
        return self.engine.after(position, move)


class Fairymax:
    """Fairy-Max speaks an old xboard protocol, without `setboard` and `ping`, which python-chess needs."""

    def __init__(self, seconds: float) -> None:
        self.process = subprocess.Popen([FOLDER + "fairymax"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.told = 0
        self.clock = f"time {round(seconds * 2000)}"  # it takes about twice what its share would be
        minutes, rest = divmod(max(1, round(seconds * 20)), 60)
        self.say("xboard", "protover 2", "new", "force", f"level 40 {minutes}:{rest:02d} 0")

    def say(self, *lines: str) -> None:
        assert self.process.stdin
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def play(self, board: chess.Board) -> str:
        """What it plays; it is told all moves it doesn't know yet."""
        self.say("force", *(move.uci() for move in board.move_stack[self.told :]), self.clock, "go")
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("move "):
                self.told = board.ply() + 1
                return line.split()[1]
        raise EOFError("Fairy-Max has gone")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


class Other:
    """An engine that python-chess can drive."""

    def __init__(self, name: str, seconds: float) -> None:
        program = name.replace("@", ":").partition(":")[0]
        self.limit = chess.engine.Limit(time=seconds)
        self.engine = chess.engine.SimpleEngine.popen_uci([FOLDER + program, *["--uci"] * (program == "gnuchess")])
        if "@" in name:
            self.engine.configure({"Skill Level": int(name.partition("@")[2])})
        elif ":" in name:
            self.engine.configure({"UCI_LimitStrength": True, "UCI_Elo": int(name.partition(":")[2])})
        self.engine.configure({"Hash": 16, **({"OwnBook": False} if program == "gnuchess" else {"Threads": 1})})

    def play(self, board: chess.Board) -> str:
        move = self.engine.play(board, self.limit).move
        assert move, "the other engine has no move"
        return move.uci()

    def close(self) -> None:
        self.engine.quit()


@contextmanager
def opponent(name: str, seconds: float) -> Iterator[Fairymax | Other]:
    engine = Fairymax(seconds) if name == "fairymax" else Other(name, seconds)
    try:
        yield engine
    finally:
        engine.close()


def game(number: int, ours: str, theirs: str, seconds: float, seed: int) -> dict[str, Any]:
    """One game: the points of our player, and how it went."""
    rules = Rules()
    begun = opening(rules.engine, seed, number // 2, 6)
    board, position, past = chess.Board(), rules.engine.start(), []
    for index in begun.moves:
        move = rules.engine.moves(position)[index]
        past.append(position)
        board.push_uci(rules.uci(move))
        position = rules.engine.after(position, move)
    choose, random = player(ours, seconds), seeded(seed, "game", number)
    choose(rules.engine, rules.engine.start(), seeded(seed))  # compiles and measures the game, which is done once
    used: dict[bool, list[float]] = {True: [], False: []}
    we_are = chess.WHITE if number % 2 == 0 else chess.BLACK
    with opponent(theirs, seconds) as engine:
        while not board.is_game_over(claim_draw=True) and board.ply() < MAX_PLIES:
            we_move, begin = board.turn == we_are, time.perf_counter()
            text = rules.uci(choose(rules.engine, position, random, past)[0]) if we_move else engine.play(board)
            used[we_move].append(time.perf_counter() - begin)
            past.append(position)
            position = rules.after(position, text)
            board.push_uci(text)
    outcome = board.outcome(claim_draw=True)
    points = 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == we_are)
    return {"points": points, "end": outcome.termination.name.lower() if outcome else "cut off", "plies": board.ply(),
            "seconds": [mean(used[who] or [0.0]) for who in (True, False)],
            "moves": " ".join(m.uci() for m in board.move_stack)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("ours")
    parser.add_argument("theirs", help="stockfish:ELO, stockfish@SKILL, fairymax or gnuchess")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--time", type=float, default=0.1, help="seconds a move, for both")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--results", default="chess-elo.sqlite")
    args = parser.parse_args()
    match = f"{args.ours} {args.theirs} {args.time} {args.seed}"
    store = sqlite3.connect(args.results)
    store.execute("CREATE TABLE IF NOT EXISTS games (match TEXT, number INTEGER, result TEXT, "
                  "PRIMARY KEY (match, number))")
    done = {n: json.loads(r) for n, r in store.execute("SELECT number, result FROM games WHERE match = ?", (match,))
            if n < args.games}
    with ProcessPoolExecutor(args.workers, get_context("spawn")) as pool:
        asked = {pool.submit(game, n, args.ours, args.theirs, args.time, args.seed): n
                 for n in range(args.games) if n not in done}
        for future in as_completed(asked):
            done[asked[future]] = result = future.result()
            with store:
                store.execute("INSERT INTO games VALUES (?, ?, ?)", (match, asked[future], json.dumps(result)))
            print(f"game {asked[future] + 1}: {result['points']} ({result['end']}, {result['plies']} plies)",
                  flush=True)
    ours, theirs = (mean(r["seconds"][i] for r in done.values()) for i in (0, 1))
    print(f"time used for a move: {ours:.3f} s and {theirs:.3f} s")
    points = [done[n]["points"] for n in sorted(done)]
    rating = rate([points[i : i + 2] for i in range(0, len(points), 2)])
    print(f"{args.ours} against {args.theirs}, {args.time:g} s a move, {rating.games} games: "
          f"+{points.count(1.0)} ={points.count(0.5)} -{points.count(0.0)}, {rating.score:.1%}, Elo {rating}")
    if args.theirs.partition(":")[2].isdigit():
        base = int(args.theirs.partition(":")[2])
        low, high = base + rating.elo_low, base + rating.elo_high
        print(f"that is {base + rating.elo:.0f} ({low:.0f} to {high:.0f}) on its scale")


if __name__ == "__main__":
    main()
