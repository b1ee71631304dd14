"""Repetition of positions: the number of occurrences in the public API, and draws by repetition in every engine."""

from __future__ import annotations

import pytest

from tests.engines import ENGINES, Make, played
from zrf_py import load
from zrf_py.compile import compile_source
from zrf_py.play.game import Position
from zrf_py.run import position as run
from zrf_py.run.playouts import playouts
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

ROUND = ("Knight g1 - f3", "Knight g8 - f6", "Knight f3 - g1", "Knight f6 - g8")


def after(position: Position, moves: int) -> Position:
    for number in range(moves):
        position = position.play(ROUND[number % 4])
    return position


def test_counting_repetitions_takes_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    key = run.Position.key
    monkeypatch.setattr(run.Position, "key", lambda self: asked.append(self) or key(self))
    position = load("chess").start()
    for number in range(60):
        assert position.repetitions == number // 4 + 1
        position = position.play(ROUND[number % 4])
    assert len(asked) <= 3 * 60


def test_branches_of_a_game_count_their_own_positions() -> None:
    start = load("chess").start()
    fourth = after(start, 4)
    eighth, other = after(fourth, 4), after(fourth, 1).play("Knight b8 - c6")
    assert eighth.repetitions == 3 and other.repetitions == 1
    assert eighth.outcome() is not None and other.outcome() is None
    assert [fourth.repetitions, after(fourth, 2).repetitions, after(start, 1).repetitions] == [2, 2, 1]
    assert after(other.play("Knight f3 - g1").play("Knight c6 - b8"), 4).repetitions == 4


HANDS = """
(version "zrf+")
(game (title "Hands") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("low/high" (0 9))) (directions (n 1) (s -1))))
  (piece (name Man) (moves (n add) (s (verify empty?) add)) (drops ((verify (and empty? (position? high))) add)))
  (option "recycle captures" KEEPER) (option "pass turn" forced)
  (board-setup (White (Man low)) (Black (Man high off 5))))
"""
"""White takes, Black passes, White goes back, Black drops another man: nobody has a choice while Black has men."""


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("keeper", "length"), [("true", 8), ("captor", 20)])
def test_repetition_compares_hands_where_captured_pieces_change_them(make: Make, keeper: str, length: int) -> None:
    program, *_ = compile_source(Source("hands.zrf", HANDS.replace("KEEPER", keeper)), lambda *_: None, Report())
    engine = make(program)
    found = playouts(engine, 3, seed=1, max_plies=20)
    assert (found.plies, found.drawn, found.cut_off) == (3 * length, 3 * (length < 20), 3 * (length == 20))
    assert played(engine)


def wide(squares: int) -> str:
    """Return rules for a row of squares; White's man goes to and fro between the last two, and Black passes."""
    places = " ".join(f"(s{number} {9 * number} 0 {9 * number + 8} 8)" for number in range(squares))
    return f"""(game (title "Wide") (players White Black) (turn-order White Black)
      (board (positions {places}) (links e (s{squares - 2} s{squares - 1})) (links w (s{squares - 1} s{squares - 2})))
      (piece (name Man) (moves (e (verify empty?) add) (w (verify empty?) add)))
      (option "pass turn" forced) (board-setup (White (Man s{squares - 2})) (Black (Man s0))))"""


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("squares", [9, 65])
def test_moves_between_words_of_the_board_are_no_captures(make: Make, squares: int) -> None:
    """A capture would clear the history of positions; with 65 squares, the man moves between two 64-bit words."""
    program, *_ = compile_source(Source("wide.zrf", wide(squares)), lambda *_: None, Report())
    engine = make(program)
    tally = playouts(engine, 3, seed=1, max_plies=20)
    assert (tally.plies, tally.drawn, tally.cut_off) == (24, 3, 0)
    assert played(engine)
