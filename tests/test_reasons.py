"""Reasons for the end of a game: code, number and squares for each kind of goal, and the resulting sentence."""

from __future__ import annotations

import pytest

import zrf_py
from zrf_py.play.reasons import NUMBERS, Reason, reason_of, spoken

GAME = """(version "zrf+") (game (title "Ends") (players White Black) (turn-order White Black) (counter far-away)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("3/2/1" (0 9)))
                 (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0) (ne 1 -1)))
           (zone (name camp) (players White) (positions c1 d1 d2)) (zone (name camp) (players Black) (positions a3 b3)))
    (piece (name Man) (moves (e (verify not-friend?) add) (n (verify empty?) (add-to-counter far-away 2) add)))
    (piece (name King) (moves (e (verify not-friend?) add) (w (verify not-friend?) add)))
    (board-setup (White (Man {white})) (Black {black})) {goal})"""


@pytest.mark.parametrize(("goal", "white", "black", "move", "reason"), [
    ("(win-condition (White) (absolute-config Man (b1)))", "a1", "d3", "a1 b1", ("reached", 0, "b1")),
    ("(win-condition (White) (relative-config Man e Man e Man))", "a1 c1 d1", "d3", "a1 b1", ("row", 3, "b1 c1 d1")),
    ("(win-condition (White) (relative-config Man e Man n Man))", "a1 c1 c2", "d3", "a1 b1",
     ("pattern", 0, "b1 c1 c2")),
    ("(win-condition (White) (equal? (count friend camp) 1))", "b1 a2", "d3", "b1 c1", ("in-zone", 1, "c1")),
    ("(win-condition (White) (equal? (count friend camp) 2))", "b1 d1", "d3", "b1 c1", ("all-in-zone", 2, "c1 d1")),
    ("(win-condition (White) (equal? 2 (count friend camp)))", "b1 d1", "d3", "b1 c1", ("all-in-zone", 2, "c1 d1")),
    ("(win-condition (White) (equal? (count friend camp) 2))", "b1 d1 a2", "d3", "b1 c1", ("in-zone", 2, "c1 d1")),
    ("(win-condition (White) (equal? (count friend camp) 0))", "a1", "d3", "a1 b1", ("reached", 0, "")),
    ("(win-condition (White) (greater? (counter far-away) 1))", "a1", "d3", "a1 a2", ("counted", 2, "far away")),
    ("(win-condition (White) (equal? (turns-made) 1))", "a1", "d3", "a1 b1", ("turns-made", 1, "")),
    ("(win-condition (White) (and (absolute-config Man (b1)) (equal? (turns-made) 1)))", "a1", "d3", "a1 b1",
     ("reached", 0, "b1")),
    ("(win-condition (White) (not (absolute-config Man (a1))))", "a1", "d3", "a1 b1", None),
    ("(loss-condition (Black) stalemated)", "a1", "d3", "a1 b1", ("stalemated", 0, "")),
    ("(loss-condition (White Black) (checkmated King))", "a1 c1", "d3", "a1 b1", ("checkmated", 0, "d1")),
])
def test_reasons_have_a_code_a_number_and_squares(
    goal: str, white: str, black: str, move: str, reason: tuple[str, int, str] | None,
) -> None:
    black = "(King d1)" if "checkmated" in goal else f"(Man {black})"
    game = zrf_py.loads(GAME.format(goal=goal, white=white, black=black))
    position = game.start().play(move)
    raw = game.engine.outcome(position.state)
    assert raw is not None
    found = reason_of(game.program, position.state, raw)
    if reason is None:
        assert found == Reason(raw.reason)
        return
    code, number, rest = reason
    places = tuple(game.program.game.symbols.positions[s] for s in rest.split()) if code != "counted" else ()
    assert found == Reason(code, number, rest if code == "counted" else "", places)


def test_reasons_are_formatted_as_sentences() -> None:
    assert Reason("row", 3).words == "three in a row" and Reason("no such code").words == Reason("rules").words
    assert [Reason("row", n).spelt for n in (0, 1, len(NUMBERS) - 1, len(NUMBERS), -1)] == [
        NUMBERS[0], NUMBERS[1], NUMBERS[-1], str(len(NUMBERS)), "-1"]
    assert [spoken(name) for name in ("first-die", "_first__die-", "plain")] == ["first die", "first die", "plain"]
    assert "far away" in Reason("counted", 2, "far away").words and "two" in Reason("counted", 2, "far away").words
