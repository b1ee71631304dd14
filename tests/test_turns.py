"""Complete turns: one for each distinct result, by a shortest path; a turn must change something."""

from __future__ import annotations

from random import Random

import pytest

from zrf_py.compile import compile_source
from zrf_py.ir.ops import Program
from zrf_py.play.engines import make_engine
from zrf_py.play.game import load
from zrf_py.play.players import greedy_turn
from zrf_py.play.turns import turns
from zrf_py.text.diagnostics import Report, ZrfError
from zrf_py.text.source import Source


def test_a_man_that_hops_back_to_its_square_has_not_moved() -> None:
    """A man can hop around four others back to his square; that is not a turn, since the board stays the same."""
    start = load("halma").start()
    cleared = "\n".join(f"(x {square})" for square in start.pieces())
    ring = "(White Man f6)\n(White Man g7)\n(White Man g9)\n(White Man e9)\n(White Man e7)\n(Black Man p1)"
    position = start.game.position(cleared + "\n" + ring)
    board = position.state.owner
    found = turns(position.game.engine, position.state)
    assert all(turn.end.owner != board for turn in found)
    assert len({turn.end.owner for turn in found}) == len(found)
    around = [turn for turn in found if len(turn.legs) > 2]
    assert around, "some results take several hops"


def test_plain_moves_are_turns() -> None:
    position = load("tictactoe").start()
    found = turns(position.game.engine, position.state)
    assert [len(turn.legs) for turn in found] == [1] * 9


def test_a_pass_is_a_turn_though_nothing_moves() -> None:
    """White's only man is shut in; in Halma a player who cannot move passes."""
    start = load("halma").start()
    cleared = "\n".join(f"(x {square})" for square in start.pieces())
    shut = "\n".join(f"(Black Man {s})" for s in ("a2", "b1", "b2", "a3", "c1", "c3", "c2", "b3"))
    position = start.game.position(f"{cleared}\n(White Man a1)\n{shut}")
    found = turns(position.game.engine, position.state)
    assert [str(move.is_pass) for turn in found for move in turn.legs] == ["True"]


@pytest.mark.parametrize("engine", ["interpret", "native"])
def test_turns_that_differ_in_a_counter_are_distinct(engine: str) -> None:
    """Two bids leave the same board; a player must be able to choose either."""
    rules = """(version "zrf+") (game (title "Bids") (players White Black) (turn-order White Black) (counter bid each)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2" (0 9))) (directions (e 1 0))))
      (piece (name Man) (moves ((add-to-counter bid 1) add-pass (add-to-counter bid 2) add-pass)))
      (board-setup (White (Man a1)) (Black (Man a2))) (draw-condition (White) stalemated))"""
    asked = make_engine(read(rules), engine)
    ends = [turn.end.counters for turn in turns(asked, asked.start())]
    assert ends == [((1, 0),), ((2, 0),)]


@pytest.mark.parametrize("engine", ["interpret", "native"])
def test_turns_without_end_are_refused(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A counter of legs makes every intermediate position a new one; computer players can still move."""
    monkeypatch.setattr("zrf_py.play.turns.MOST_POSITIONS", 500)
    program = read(TO_AND_FRO)
    asked = make_engine(program, engine)
    start = asked.start()
    with pytest.raises(ZrfError, match="ways to continue this turn"):
        turns(asked, start)
    assert greedy_turn(asked, start, Random(1))


TO_AND_FRO = """(version "zrf+")
(game (title "Legs") (players White Black) (turn-order White Black) (counter legs) (option "pass partial" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2" (0 9))) (directions (e 1 0) (w -1 0))))
  (piece (name Man) (moves (e (add-to-counter legs 1) (add-partial)) (w (add-to-counter legs 1) (add-partial))))
  (board-setup (White (Man a1)) (Black (Man a2))))
"""


OFF_BOARD = """(game (title "Off the board") (players White Black) (turn-order White Black)
  (option "recycle captures" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("1/2" (0 9))) (directions (e 1 0))))
  (piece (name Man) (moves ((create White Man e) add) ((change-type Man e) (change-owner e) add)))
  (piece (name Stone))
  (board-setup (White (Man a1)) (Black (Stone b1))))
"""


@pytest.mark.parametrize("engine", ["interpret", "native"])
def test_ends_that_differ_only_off_the_board_are_distinct(engine: str) -> None:
    """A stone that is replaced by a man is captured; one that turns into a man is not."""
    asked = make_engine(read(OFF_BOARD), engine)
    found = turns(asked, asked.start())
    assert [sum(map(sum, turn.end.stores)) for turn in found] == [1, 0]
    assert len({(turn.end.owner, turn.end.piece) for turn in found}) == 1


CORNERS = """(game (title "Corners") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name Man) (moves (e (verify empty?) add-partial) (n (verify empty?) add-partial)
    ((verify (last-from? w)) n e (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man a3 c1))) (option "pass partial" true))"""
"""White may always go east or north; if his last leg came from the west, he may also make a knight's leap."""


@pytest.mark.parametrize("engine", ["interpret", "native"])
def test_the_origin_of_the_last_leg_distinguishes_positions(engine: str) -> None:
    """A man on b2 may leap to c3 if he came from a2, but not if he came from b1; the path by b1 is tried first."""
    asked = make_engine(read(CORNERS), engine)
    ends = {"b1": 1, "a2": 1, "b2": 2, "c2": 2, "b3": 3, "c3": 3}
    found = turns(asked, asked.start())
    names = [place.name for place in asked.program.game.board.places]
    assert {names[turn.end.owner.index(0)]: len([leg for leg in turn.legs if not leg.is_pass])
            for turn in found} == ends


def read(text: str) -> Program:
    report = Report()
    (program,) = compile_source(Source("legs.zrf", text), lambda name, origin: None, report)
    assert not report.errors, [str(error) for error in report.errors]
    return program
