"""What is measured before the first move of a computer player: right, bounded, and kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from zrf_py import data, load
from zrf_py.ir.ops import Program
from zrf_py.run.rules import Rules
from zrf_py.search.evaluation.mobility import Interpreted, lone_board, reach
from zrf_py.search.evaluation.samples import situations

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.search import base, preparation
from zrf_py.search.base import Base
from zrf_py.search.preparation import NativeTrials


def program_of(name: str) -> Program:
    return load(name).program


@pytest.mark.parametrize("name", ["chess", "xiangqi", "halma", "checkers", "shogi", "stern-3p"])
def test_trials_in_machine_code_are_those_of_the_definition(name: str) -> None:
    program = program_of(name)
    board, sides = lone_board(program), {turn.side for turn in program.game.turns}
    native, definition = NativeTrials(program), Interpreted(program)
    places = [(kind, square) for kind in range(len(program.game.pieces)) for square in range(len(board.owner))]
    found = 0
    for kind, square in Random(3).sample(places, min(200, len(places))):
        for side in sides:
            moves = native.changes_from(board, side, kind, square)
            assert moves == definition.changes_from(board, side, kind, square)
            found += len(moves)
    assert found > 100


@pytest.mark.parametrize("name", ["wuerfel-2p", "rakado-square-2p"])
def test_random_games_of_dice_show_the_same_in_machine_code(name: str) -> None:
    program = program_of(name)
    trials = NativeTrials(program)
    board = lone_board(program)
    trials.changes_from(board, 0, 0, 0)
    found, seen = ([[p.key() for p in row] for row in situations(games)] for games in (trials.games, Rules(program)))
    assert found == seen and max(map(len, found)) > 1
    assert trials.changes_from(board, 0, 0, 0) == Interpreted(program).changes_from(board, 0, 0, 0)


@pytest.mark.slow
def test_what_was_measured_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    first = Base(program_of("tictactoe"))
    monkeypatch.setattr(base, "weights", None)
    again = Base(program_of("tictactoe"))
    assert again.weights == first.weights and again.learned == first.learned


def test_learning_is_the_same_however_it_is_cut_into_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "PATIENCE", 1e9)
    monkeypatch.setattr(preparation, "POSITIONS", 8000)
    monkeypatch.setattr(base, "kept", lambda program, measure: measure())
    found = []
    for at_once in (1, 16):
        monkeypatch.setattr(preparation, "MOST", at_once)
        found.append(Base(program_of("othello")).learned)
    assert found[0] is not None and found[0] == found[1]
    assert len({worth for row in found[0][0] for worth in row}) > 10


def test_learning_ends_after_so_many_positions_or_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    games = []
    searcher = Base(program_of("othello")).searcher
    monkeypatch.setattr(searcher, "learn", lambda *asked: games.append(asked[2]) or 500)
    preparation.learn(searcher)
    assert 150 < len(games) <= preparation.POSITIONS // 500 + 2 * len(preparation.PHASES)
    games.clear()
    monkeypatch.setattr(time, "thread_time", iter(range(100)).__next__)
    preparation.learn(searcher)
    assert games == [1]  # only looked at


def test_where_a_game_takes_too_long_none_is_played() -> None:
    searcher = Base(program_of("othello")).searcher
    before, played = searcher.piece_squares(), []

    class Slow:
        def __init__(self) -> None:
            self.now = 0.0

        def thread_time(self) -> float:
            self.now += 0.02
            return self.now

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparation, "time", Slow())
        patch.setattr(searcher, "learn", lambda *asked: played.append((asked[2], asked[3].longest)) or 20)
        assert preparation.learn(searcher) == before
    assert played == [(1, preparation.FIRST_LOOK)]


def test_what_was_measured_in_haste_is_kept_until_it_is_measured_better(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    program = program_of("tictactoe")
    hasty, better = (preparation.Prepared(Base(program).weights, is_final=final) for final in (False, True))
    hasty.last, better.last = [1], [0]
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path / "another"))
    assert preparation.kept(program, lambda: hasty).last == [1]
    assert preparation.kept(program, lambda: better).last == [1]
    assert preparation.kept(program, lambda: better, must_be_final=True).last == [0]
    assert preparation.kept(program, lambda: hasty, must_be_final=True).last == [0]


def test_what_was_learned_in_haste_is_learned_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as the game's own code is there, and once."""
    measured: list[preparation.Prepared] = []

    def hasty(
        program: Program, measure: Callable[[], preparation.Prepared], must_be_final: bool = False,
    ) -> preparation.Prepared:
        measured.append(measure())
        measured[-1].is_final = len(measured) > 1
        return measured[-1]

    monkeypatch.setattr(preparation, "POSITIONS", 8000)
    monkeypatch.setattr(base, "kept", hasty)
    found = Base(program_of("othello"))
    monkeypatch.setattr(preparation, "POSITIONS", 16000)
    found.settle()
    assert len(measured) == 1
    found.searcher.machine.is_own = True
    for _ in range(2):
        found.settle()
        assert found.learned == measured[-1].learned and len(measured) == 2
    assert measured[0].learned != measured[1].learned


def test_a_type_with_too_many_ways_is_left_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of("chess")
    monkeypatch.setattr("zrf_py.search.evaluation.mobility.LARGEST_REACH", 600)
    reach.cache_clear()
    known = {program.game.pieces[kind].name for kind, rows in enumerate(reach(program, 0).steps) if any(rows)}
    reach.cache_clear()
    assert known == {"Pawn", "Knight", "Bishop", "King"}


def test_another_release_measures_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of("tictactoe")
    before = preparation._key(program)
    monkeypatch.setattr(data, "_PACKAGE", tmp_path)
    (tmp_path / "search").mkdir()
    keys = {before}
    for text in ("LOCKED = 50", "LOCKED = 0"):
        (tmp_path / "search" / "weights.py").write_text(text)
        data.release.cache_clear()
        keys.add(preparation._key(program))
    data.release.cache_clear()
    assert len(keys) == 3
