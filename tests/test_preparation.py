"""Measurements before the first move of a computer player: correct, bounded, and cached."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from tests.playing import HANG
from zrf_py import data, load
from zrf_py.ir.ops import Program
from zrf_py.run.position import initial
from zrf_py.run.rules import Rules
from zrf_py.search.evaluation.mobility import Trials, reach
from zrf_py.search.evaluation.samples import situations

pytest.importorskip("llvmlite", reason="the native engine needs llvmlite")

from zrf_py.native import machine
from zrf_py.native.machine import Machine
from zrf_py.search import base, preparation
from zrf_py.search.base import Base
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.search.preparation import NativeTrials


def program_of(name: str) -> Program:
    return load(name).program


@pytest.mark.parametrize("name", ["chess", "xiangqi", "halma", "checkers", "shogi", "stern-3p"])
def test_trials_in_machine_code_match_the_interpreter(name: str) -> None:
    program = program_of(name)
    board, sides = initial(program).emptied(), {turn.side for turn in program.game.turns}
    native, definition = NativeTrials(program), Trials(program)
    places = [(kind, square) for kind in range(len(program.game.pieces)) for square in range(len(board.owner))]
    found = 0
    for kind, square in Random(3).sample(places, min(200, len(places))):
        for side in sides:
            moves = native.changes_from(board, side, kind, square)
            assert moves == definition.changes_from(board, side, kind, square)
            found += len(moves)
    assert found > 100


@pytest.mark.parametrize("name", ["wuerfel-2p", "rakado-square-2p"])
def test_measurements_with_dice_are_the_same_in_machine_code(name: str) -> None:
    program = program_of(name)
    trials = NativeTrials(program)
    board = initial(program).emptied()
    trials.changes_from(board, 0, 0, 0)
    found, seen = ([[p.key() for p in row] for row in situations(games)] for games in (trials.games, Rules(program)))
    assert found == seen and max(map(len, found)) > 1
    assert trials.changes_from(board, 0, 0, 0) == Trials(program).changes_from(board, 0, 0, 0)


@pytest.mark.slow
def test_measurements_are_cached(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZRF_CACHE", str(tmp_path))
    first = Base(program_of("tictactoe"))
    monkeypatch.setattr(base, "weights", None)
    again = Base(program_of("tictactoe"))
    assert again.weights == first.weights and again.learned == first.learned


@pytest.mark.own_code
@pytest.mark.parametrize("name", [pytest.param("othello", marks=pytest.mark.slow), "nine-mens-morris"])
def test_learning_is_the_same_in_any_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game's own code learns the same weights as the generic kernel."""
    monkeypatch.setattr(base, "kept", lambda program, measure: measure())
    monkeypatch.setattr(preparation, "POSITIONS", 8000)
    monkeypatch.setattr(machine.codes, "kept_game", lambda *asked: None)
    learned, make = [], Machine.make
    for is_own in (False, True):
        monkeypatch.setattr(Machine, "make", make if is_own else lambda self: setattr(self, "grows", False))
        found = Base(program_of(name))
        found.searcher.machine.finish(HANG)
        found.searcher.weigh(found.weights)
        found.searcher.machine.arrays["learned"][:] = [0] * len(found.searcher.machine.arrays["learned"])
        assert found.searcher.machine.is_own == is_own
        learned.append(preparation.learn(found.searcher))
    assert learned[0] == learned[1]
    assert len({worth for row in learned[0][0] for worth in row}) > 5


def test_only_searches_compile_a_games_own_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measurements alone, such as those for an export, compile none."""
    made: list[Machine] = []
    monkeypatch.setattr(machine.codes, "kept_game", lambda *asked: None)
    monkeypatch.setattr(Machine, "make", lambda self: made.append(self) or setattr(self, "grows", False))
    search = GameSearch(program_of("tictactoe"))
    assert search.base and search.base.searcher.measured() and not made
    search.analyse(search.engine.start(), limits=Limits(nodes=10))
    assert made == [search.base.searcher.machine]


class Lessons:
    """A stand-in for a searcher whose only weight is the number of its lessons; each lesson takes 500 positions."""

    def __init__(self) -> None:
        self.games: list[int] = []

    def piece_squares(self) -> list[list[list[int]]]:
        return [[[len(self.games)]]]

    def learn(self, *asked: Any) -> int:
        self.games.append(asked[2])
        return 500


def test_learning_ends_at_its_limit_of_positions_or_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the mean of the weights during the last phase."""
    monkeypatch.setattr(preparation, "_effort", lambda searcher: preparation.POSITIONS)
    many, few = Lessons(), Lessons()
    (((learned,),),) = preparation.learn(cast(Any, many))
    lessons = len(many.games)
    assert 150 < lessons <= preparation.POSITIONS // 500 + 2 * len(preparation.PHASES)
    assert abs(learned - lessons * (1 - preparation.PHASES[-1][0] / 2)) < 2
    monkeypatch.setattr(time, "thread_time", iter(range(0, 1000, 20)).__next__)
    assert preparation.learn(cast(Any, few)) == [[[len(few.games) - 1]]]
    assert len(few.games) == len(preparation.PHASES)


@pytest.mark.parametrize(("micros", "positions"), [
    (10, preparation.POSITIONS), (40, preparation.POSITIONS // 4), (400, preparation.POSITIONS // 64), (4000, 0),
])
def test_slow_learning_uses_fewer_positions(micros: int, positions: int, monkeypatch: pytest.MonkeyPatch) -> None:
    searcher, now = Base(program_of("othello")).searcher, [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])

    def learn(seed: int, first: int, games: int, *rest: object) -> int:
        now[0] += 300 * games * micros / 1e6
        return 300 * games

    monkeypatch.setattr(searcher, "learn", learn)
    assert preparation._effort(searcher) == positions


@pytest.mark.parametrize("load", [1, 3, 20])
def test_a_busy_machine_learns_from_equally_many_positions(load: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On an idle machine, Othello needs 3 s of the 4 s allowed; on a busy one it used to learn less, which gave other
    weights for the same seed."""
    searcher, now = Base(program_of("othello")).searcher, [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: now[0])

    def work(seconds: float) -> None:
        now[0] += load * seconds

    def learn(seed: int, first: int, games: int, *rest: object) -> int:
        work(300 * games * 10 / 1e6)
        return 300 * games

    def pace() -> float:
        work(preparation.PACE)
        return load * preparation.PACE

    monkeypatch.setattr(searcher, "learn", learn)
    monkeypatch.setattr(preparation, "_pace", pace)
    assert preparation._effort(searcher) == preparation.POSITIONS


@pytest.mark.parametrize("late", range(preparation.LOOKS + 1))
def test_the_quickest_measurement_counts(late: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, a measurement may take ten times as long, but the weights don't depend on that."""
    searcher, now, looks = Base(program_of("othello")).searcher, [0.0], []
    monkeypatch.setattr(time, "thread_time", lambda: now[0])

    def learn(seed: int, first: int, games: int, *rest: object) -> int:
        looks.append(games)
        now[0] += 300 * games * (5 if len(looks) > late + 1 else 50) / 1e6
        return 300 * games

    monkeypatch.setattr(searcher, "learn", learn)
    assert preparation._effort(searcher) == preparation.POSITIONS and len(looks) == late + 2


def test_nothing_is_learned_if_games_take_too_long() -> None:
    searcher = Base(program_of("othello")).searcher
    before, played = searcher.piece_squares(), []

    class Slow:
        def __init__(self) -> None:
            self.now = 0.0

        def thread_time(self) -> float:
            self.now += 0.1
            return self.now

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparation, "time", Slow())
        patch.setattr(preparation, "_pace", lambda: preparation.PACE)
        patch.setattr(searcher, "learn", lambda *asked: played.append((asked[2], asked[3].longest)) or 20)
        assert preparation.learn(searcher) == before
    assert played == [(1, preparation.FIRST_LOOK)] * 2


def test_a_type_with_too_many_paths_stays_unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of("chess")
    monkeypatch.setattr("zrf_py.search.evaluation.mobility.LARGEST_REACH", 600)
    reach.cache_clear()
    known = {program.game.pieces[kind].name for kind, rows in enumerate(reach(program, 0).steps) if any(rows)}
    reach.cache_clear()
    assert known == {"Pawn", "Knight", "Bishop", "King"}


def test_measurement_with_fewer_positions_is_cached_separately(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests learn from few positions to save time; what they cache must not be used elsewhere."""
    before = preparation._key(program_of("othello"))
    monkeypatch.setattr(preparation, "POSITIONS", 8000)
    assert preparation._key(program_of("othello")) != before


def test_another_release_of_the_package_measures_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
