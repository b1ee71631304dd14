"""`zrf puzzles`: exactly one winning turn; resuming, reproducibility, Ctrl-C."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.playing import counted, slow
from zrf_py.batch.winning_turns import CHECK, NODES, Puzzle, has_other_win, puzzle_at, puzzles, winning_turn
from zrf_py.cli import puzzles as command
from zrf_py.play.advice import analyse
from zrf_py.play.game import Game, Position, load
from zrf_py.play.turns import turns
from zrf_py.run.position import Position as State
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import limits
from zrf_py.search.memory import SPREAD
from zrf_py.text.diagnostics import ZrfError

COMMAND = [sys.executable, "-m", "zrf_py", "puzzles"]
CONNECT = [*COMMAND, "connect-four", "--nodes", "500", "--count"]


def some(game: Game, count: int, games: int = 60) -> list[Puzzle]:
    every = (pair for pair in puzzles(game, 1) if pair[1] or pair[0] < games)
    found: list[Puzzle] = []
    for number, puzzle in every:
        if puzzle:
            found.append(puzzle)
        if len(found) >= count or number >= games:
            break
    return found


def wins(position: Position, legs_by: str, nodes: int) -> bool:
    """Return whether a position is proven to be won for the player `legs_by`."""
    outcome = position.outcome()
    if outcome:
        return legs_by in outcome.winners
    advice = analyse(position, nodes=nodes)
    best = advice.lines[0].ends_in
    return best is not None and (best > 0) == (advice.worth_to == legs_by)


def worth(game: Game, state: State, player: str, nodes: int) -> int:
    """Return the value of a position for a player."""
    value = search_for(game.program).analyse(state, (), limits(nodes=nodes), 1).value
    return value if Position(game, state).player == player else -value


def check(game: Game, puzzle: Puzzle, nodes: int) -> None:
    """Check that the solution wins and no other complete turn does. If the win is not proven, only the solution may
    have a value of `SPREAD` or more."""
    start = game.read(puzzle.position)
    assert start.player == puzzle.player and not start.outcome()
    after = start
    for text in puzzle.moves:
        after = after.play(next(move for move in after.moves() if move.text == text))
    assert not after.in_turn
    assert wins(after, puzzle.player, nodes) if puzzle.wins_in else (
        worth(game, after.state, puzzle.player, nodes) >= SPREAD)
    others = [turn.end for turn in turns(game.engine, start.state) if turn.end.key() != after.state.key()]
    assert others
    assert not [end for end in others if wins(Position(game, end), puzzle.player, nodes)], puzzle
    if not puzzle.wins_in:
        assert all(Position(game, end).outcome() or worth(game, end, puzzle.player, nodes) < SPREAD for end in others)


def lowest(game: Game, puzzle: Puzzle) -> int:
    """Return the lowest level of computer player that finds the solution with each of three seeds; 11 if none does."""
    state, search = game.read(puzzle.position).state, search_for(game.program)

    def solves(level: int, seed: int) -> bool:
        turn = search.turn(state, (), limits(strength=level), seed)
        return tuple(move.text for move in Position(game, state).named(turn)) == puzzle.moves

    return next((level for level in range(1, 11) if all(solves(level, seed) for seed in range(3))), 11)


@pytest.mark.parametrize("name", ["connect-four", *slow(["breakthrough"])])
def test_puzzles_have_one_winning_turn(name: str) -> None:
    game = load(name)
    for puzzle in counted(some(game, 3)):
        check(game, puzzle, NODES)
        assert puzzle.level == lowest(game, puzzle) and puzzle.wins_in != 1
        assert puzzle.line[0].rstrip("+#") == puzzle.solution.rstrip("+#")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect-four", "breakthrough", "othello"])
def test_no_other_turn_wins(name: str) -> None:
    """Each complete turn is searched by itself, with ten times the nodes."""
    game = load(name)
    sample = some(game, 20, 1_000)
    assert len(sample) == 20
    for puzzle in sample:
        check(game, puzzle, CHECK * NODES)


def test_other_positions_are_not_puzzles() -> None:
    game = load("chess")
    two = game.read("White King a1; White Rook h1 g2; Black King a8 | turn White")  # several ways to win
    one = game.read("White King g1; White Rook a1; Black King g8; Black Pawn f7 g7 h7; Black Rook b8 | turn White")
    assert puzzle_at(game, two.state, 0) is None
    assert puzzle_at(game, one.state, 0) is None
    mate = game.read("White King g1; White Rook a1; Black King g8; Black Pawn f7 g7 h7 | turn White")
    assert puzzle_at(game, mate.state, 0) is None  # the winning move ends the game at once


def test_mate_on_the_back_rank_is_a_puzzle() -> None:
    """White is a pawn behind, and only the sacrifice of the queen wins."""
    game = load("chess")
    position = game.read("White King h1; White Queen e4; White Rook e1; White Pawn g2 h2; Black King g8; "
                         "Black Queen b2; Black Rook d8; Black Pawn f7 g7 h7 | turn White")
    puzzle = puzzle_at(game, position.state, 7, NODES // 10)
    assert puzzle and (puzzle.solution, puzzle.wins_in, puzzle.game) == ("Qe8+", 3, 7)
    assert puzzle.line == ("Qe8+", "Rxe8", "Rxe8#")
    check(game, puzzle, NODES)


def test_smothered_mate_is_not_a_puzzle() -> None:
    """The sacrifice of the queen leads to mate by the knight. A check by the knight first wins, too, in more moves: by
    the same sacrifice, or on the back rank if the rook takes the knight."""
    game = load("chess")
    position = game.read("White King g1; White Queen c4; White Knight h6; White Pawn f2 g2 h2; Black King h8; "
                         "Black Queen b2; Black Rook e2 f8; Black Pawn g7 h7 | turn White")
    search = search_for(game.program)
    win = winning_turn(search, position.state, CHECK * NODES)
    assert win
    [queen] = win[0]
    assert position.named([queen])[0].text == "Queen c4 - g8"
    assert has_other_win(search, position.state, win, NODES)


def test_the_same_seed_gives_the_same_puzzles() -> None:
    game = load("connect-four")
    first, second = (list(islice(puzzles(game, 5, 500), 8)) for _ in range(2))
    assert first == second and any(puzzle for _, puzzle in first)


@pytest.mark.parametrize("name", ["peg-solitaire", "stern-3p", "wuerfel-2p"])
def test_games_without_puzzles_are_refused(name: str) -> None:
    with pytest.raises(ZrfError, match="has no puzzles"):
        next(puzzles(load(name), 1))


@pytest.mark.slow
def test_a_file_of_puzzles_is_continued(tmp_path: Path) -> None:
    """A file extended from three puzzles to six equals one of six made at once; another seed needs another file."""
    parts, whole = tmp_path / "parts.jsonl", tmp_path / "whole.jsonl"
    for count, path in (("3", parts), ("6", parts), ("6", whole)):
        if count == "6" and path == parts:  # as if the program had been stopped while it wrote a line
            path.write_bytes(path.read_bytes() + b'{"position": "Wh')
        done = subprocess.run([*CONNECT, count, "-o", str(path)], capture_output=True, text=True)
        assert done.returncode == 0 and f"{count} puzzles of Connect Four" in done.stderr
    assert parts.read_text("utf-8") == whole.read_text("utf-8")
    head, *rows = map(json.loads, whole.read_text("utf-8").splitlines())
    assert (head["game"], len(rows)) == ("Connect Four", 6)
    assert load("connect-four").read(rows[0]["position"]).player == rows[0]["player"]
    other = subprocess.run([*CONNECT, "3", "-o", str(whole), "--seed", "2"], capture_output=True, text=True)
    assert other.returncode == 1 and "name another file" in other.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
@pytest.mark.slow
def test_ctrl_c_keeps_the_puzzles_found(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with subprocess.Popen([*CONNECT, "100000", "-o", str(path)], stderr=subprocess.PIPE, text=True) as process:
        while not path.exists() or path.read_text("utf-8").count("\n") < 3:
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 1 and "the same command resumes" in errors
    assert all(json.loads(line) for line in counted(path.read_text("utf-8").splitlines(), 3))


def test_errors_of_the_search_are_not_blamed_on_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(*_: object) -> None:
        raise OSError("too many open files")

    monkeypatch.setattr("zrf_py.batch.winning_turns.puzzles", stuck)
    parser = argparse.ArgumentParser()
    command.add(parser)
    with pytest.raises(OSError, match="too many open files"):
        command.run(parser.parse_args(["connect-four", "-o", str(tmp_path / "a.jsonl")]))
    with pytest.raises(ZrfError, match="can't be written"):
        command.run(parser.parse_args(["connect-four", "-o", str(tmp_path)]))


def test_puzzles_go_to_standard_output() -> None:
    done = subprocess.run([*CONNECT, "1"], capture_output=True, text=True)
    head, puzzle = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 0 and head["game"] == "Connect Four" and puzzle["solution"]
