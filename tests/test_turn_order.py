"""`next-turn` applies to the whole turn, whichever leg contains it and however the turn ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from zrf_py.play.game import load, loads

RULES = """
(version "zrf+")
(game (title "Again") (players White Black) (turn-order White Black) (option "pass partial" true)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("1" (0 9))) (directions (e 1 0))))
  (piece (name Man) (moves (e (verify empty?) (next-turn 0) (add-partial on))
                           (move-type on) ((verify (greater? (legs-made) 0)) e (verify empty?) add)))
  (board-setup (White (Man a1))))
"""


def test_a_leg_sets_the_next_turn_even_if_the_turn_ends_by_stopping(tmp_path: Path) -> None:
    path = tmp_path / "again.zrf"
    path.write_text(RULES, "utf-8")
    start = load(path).start()
    stopped = start.play("a1 b1").play("Pass")
    assert stopped.player == "White" and not stopped.in_turn
    gone_on = start.play("a1 b1").play("b1 c1")
    assert gone_on.player == "White"
    # A turn without `next-turn` is followed by the usual one.
    assert start.state.step == gone_on.state.step == 1


@pytest.mark.parametrize("step", [-1, 0, 2])
def test_a_position_within_a_turn_stores_the_next_turn(step: int) -> None:
    """The text of such a position contains the step; after it is read back, the game goes on in the same way."""
    game = loads(RULES.replace("(next-turn 0)", f"(next-turn {step})").replace(
        "(turn-order White Black)", "(turn-order White Black Black)"))
    within = next(after for after in map(game.start().play, game.start().moves()) if after.in_turn)
    assert f"step {step}" in within.text
    again = game.read(within.text)
    assert again == within and again.play("Pass").state.turn == within.play("Pass").state.turn == step % 3
