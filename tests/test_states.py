"""Goals that combine "stalemated", "checkmated" and "repetition" with goals about the board, in every engine."""

from __future__ import annotations

import pytest

import zrf_py
from tests.engines import ENGINES, Make

STUCK = """(version "zrf+") (game (title "Stuck") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("2/1" (0 9))) (directions (e 1 0) (w -1 0))))
    (piece (name Man) (moves (e (verify empty?) add)))
    (piece (name King) (moves (w (verify not-friend?) add)))
    (board-setup (White ({piece} {square})) (Black (King d1))) {goals})"""
"""White is to move and has no move if the piece stands at the edge."""

MATED = """(game (title "Mated") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0) (w -1 0))))
    (piece (name King) (moves (w (verify not-friend?) add)))
    (board-setup (White (King a1)) (Black (King b1))) {goals})"""
"""White's king at the edge is attacked and can't move."""

ROUND = """(version "zrf+") (game (title "Round") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (e 1 0) (w -1 0))))
    (piece (name Man) (moves (e (verify empty?) add) (w (verify empty?) add)))
    (board-setup (White (Man a1)) (Black (Man a2))) {goals})"""
"""Both men move to and fro; the start position occurs a second time after four turns, and a third time after eight."""


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("goals", "winners", "losers"), [
    ("(loss-condition (White) stalemated)", "Black", "White"), ("(win-condition (White) stalemated)", "White", "Black"),
    ("(draw-condition (White) stalemated)", "", ""), ("(loss-condition (Black) stalemated)", None, None),
    ("(loss-condition (White) (and stalemated (pieces-remaining 1)))", "Black", "White"),
    ("(loss-condition (White) (and stalemated (pieces-remaining 2)))", None, None),
    ("(loss-condition (White) (or stalemated (pieces-remaining 2)))", "Black", "White"),
    ("(loss-condition (White) (not stalemated))", None, None),
    ("(loss-condition (White) (not repetition))", "Black", "White"),
    ("(loss-condition (White) (and stalemated (not (pieces-remaining 2))))", "Black", "White"),
    ("(loss-condition (White) (and (or repetition (pieces-remaining 1)) stalemated))", "Black", "White"),
    ("(loss-condition (White) (and (or repetition (pieces-remaining 2)) stalemated))", None, None),
    ("(loss-condition (White) (and (pieces-remaining 1) (or repetition stalemated)))", "Black", "White"),
    ("(loss-condition (White) repetition)", None, None),
    ("(draw-condition (White Black) (and stalemated (pieces-remaining 2))) (win-condition (White) stalemated)",
     "White", "Black"),
    ("(loss-condition (White Black) (checkmated King)) (win-condition (White) stalemated)", "White", "Black"),
])
def test_stalemate_goals_decide_as_declared(make: Make, goals: str, winners: str | None, losers: str | None) -> None:
    game = zrf_py.loads(STUCK.format(piece="Man", square="d2", goals=goals))
    plain = zrf_py.loads(STUCK.format(piece="Man", square="d2", goals=""))
    expected = outcome(make, plain) if winners is None else (tuple(winners.split()), tuple((losers or "").split()))
    assert outcome(make, game)[:2] == expected[:2]


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("goals", "winners", "losers", "reason"), [
    ("(loss-condition (White Black) (checkmated King))", "Black", "White", "checkmated"),
    ("(loss-condition (White) (and (checkmated King) (pieces-remaining 1)))", "Black", "White", "checkmated"),
    ("(loss-condition (White Black) (checkmated King)) (win-condition (White) stalemated)", "Black", "White",
     "checkmated"),
    ("(draw-condition (White Black) (checkmated King))", "", "", "checkmated"),
    ("(loss-condition (White) (and (checkmated King) (pieces-remaining 2)))", "", "White", "checkmated"),
    ("(win-condition (White) (or (checkmated King) stalemated))", "White", "Black", "checkmated"),
])
def test_checkmate_goals_decide_as_declared(
    make: Make, goals: str, winners: str, losers: str, reason: str,
) -> None:
    found = outcome(make, zrf_py.loads(MATED.format(goals=goals)))
    assert found == (tuple(winners.split()), tuple(losers.split()), reason)


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("goals", "winners", "times"), [
    ("", "", 3), ("(win-condition (White Black) repetition)", "Black", 3),
    ("(loss-condition (White) repetition)", "", 3), ("(loss-condition (Black) repetition)", "White", 3),
    ("(draw-condition (White Black) (and repetition (pieces-remaining 1)))", "", 3),
    ("(win-condition (White Black) (and repetition (pieces-remaining 2)))", "", 3),
    ('(option "repetition" 2) (win-condition (Black) repetition)', "Black", 2),
])
def test_repetition_goals_decide_as_declared(make: Make, goals: str, winners: str, times: int) -> None:
    game = zrf_py.loads(ROUND.format(goals=goals))
    engine = make(game.program)
    for seen in (1, 2, 3):
        position = game.start()
        for _ in range(4 * (seen - 1)):
            position = position.play(position.moves()[0])
        found = engine.outcome(position.state, position.repetitions)
        assert position.repetitions == seen and (found is not None) == (seen >= times)
        if found is not None:
            assert [game.players[p] for p in found.winners] == winners.split()


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("goal", "plies"), [
    ("(win-condition (Black) (equal? (turns-made White) 2))", 3),
    ("(win-condition (Black) (equal? (turns-made) 2))", 4),
    ("(win-condition (White) (equal? (turns-made Black) 2))", 4),
    ("(win-condition (White) (equal? (turns-made) 2))", 3),
])
def test_goals_about_a_number_of_turns_end_the_game_in_time(make: Make, goal: str, plies: int) -> None:
    """The condition of one player may count another's turns; without a name it counts its own player's."""
    game = zrf_py.loads(ROUND.format(goals=goal))
    engine, state = make(game.program), game.start().state
    for _ in range(plies):
        assert engine.outcome(state) is None
        state = engine.after(state, engine.moves(state)[0])
    assert engine.outcome(state) is not None


def outcome(make: Make, game: zrf_py.Game) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    found = make(game.program).outcome(game.start().state)
    assert found is not None
    names = [player.name for player in game.program.game.players]
    return tuple(names[p] for p in found.winners), tuple(names[p] for p in found.losers), found.reason


PROMOTED = """(game (title "Promoted") (players White Black) (turn-order White) {option}
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0))))
    (piece (name Man) (moves (e (verify empty?) (add King)) (e (verify empty?) (change-type Man) add)
                             (e (verify empty?) (flip) add)))
    (piece (name King) (drops ((verify empty?) add)))
    (board-setup (White (Man a1 off 2) (King off 1))))"""


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize(("option", "stores"), [
    ('(option "recycle promotions" true)', ["Man 3, King 0"]), ("", ["Man 2, King 1"]),
])
def test_recycled_promotions_use_the_store(
    make: Make, option: str, stores: list[str],
) -> None:
    game = zrf_py.loads(PROMOTED.format(option=option))
    engine = make(game.program)
    start = engine.start()
    found = []
    for move in engine.moves(start):
        after = engine.after(start, move)
        if after.owner[1] == 0 and after.piece[1] == 1 and after.owner[0] < 0:
            found.append(f"Man {after.stores[0][0]}, King {after.stores[0][1]}")
    assert found == stores
