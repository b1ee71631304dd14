"""Complete turns: one for each distinct result, by a shortest way; a turn that changes nothing is none."""

from __future__ import annotations

from zrf_py.play.game import load
from zrf_py.play.turns import turns


def test_a_man_who_hops_home_has_not_moved() -> None:
    """Around four men a man can hop in a ring back to where he was; that board is no result of a turn."""
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
    """White's only man is shut in; in Halma he who cannot move passes."""
    start = load("halma").start()
    cleared = "\n".join(f"(x {square})" for square in start.pieces())
    shut = "\n".join(f"(Black Man {s})" for s in ("a2", "b1", "b2", "a3", "c1", "c3", "c2", "b3"))
    position = start.game.position(f"{cleared}\n(White Man a1)\n{shut}")
    found = turns(position.game.engine, position.state)
    assert [str(move.is_pass) for turn in found for move in turn.legs] == ["True"]
