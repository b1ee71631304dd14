"""Halma at BrainKing: counts of first turns, and the limit of 30 or 50 turns for leaving one's yard.

Source, unless another is named: rules of Halma on the game site BrainKing, in Slovak and in Dutch: a player who has
men in his own yard after more than 30 (50) turns loses, also if a man has only moved back into it.
"""

from __future__ import annotations

import pytest

from tests.catalogue.legs import with_men
from tests.playing import random_game
from zrf_py.play.game import Position, load
from zrf_py.play.perft import perft

pytestmark = pytest.mark.slow

LIMITS = {"BrainKing Halma 8 x 8": (8, 30), "BrainKing Halma 10 x 10": (10, 50)}
"""Number of the board's files, and the limit in turns."""

COUNTS = {"BrainKing Halma 8 x 8": [24, 576, 20050], "BrainKing Halma 10 x 10": [32, 1024]}
"""Numbers of turns with different resulting positions, by two programs that are independent of zrf_py."""


@pytest.mark.parametrize(("title", "depth"), [
    ("BrainKing Halma 8 x 8", 1), ("BrainKing Halma 8 x 8", 2), ("BrainKing Halma 10 x 10", 1),
    ("BrainKing Halma 10 x 10", 2)])
def test_sequences_of_one_or_two_turns_match_the_known_numbers(title: str, depth: int) -> None:
    game = load("brainking-halma", title)
    assert perft(game.engine, game.start().state, depth, whole_turns=True) == COUNTS[title][depth - 1]


def test_sequences_of_three_turns_match_the_known_number() -> None:
    game = load("brainking-halma")
    assert perft(game.engine, game.start().state, 3, whole_turns=True) == COUNTS[game.title][2]


def snake(size: int) -> list[str]:
    """Return a path of neighbouring squares, back and forth across the board from rank 4, that avoids White's yard."""
    files = "abcdefghij"[:size]
    found = []
    for rank in range(4, size + 1):
        row = [f"{file}{rank}" for file in (files if rank % 2 == 0 else files[::-1])]
        found += [square for square in row if square not in ("a4", "b4", "a5")]
    return found


def after_turns(title: str, stay: str, turns: int) -> Position:
    """Return the position after `turns` turns of White, one fewer of Black: one white man stays, and another walks so
    that no position repeats; Black moves back and forth, far from home."""
    size = LIMITS[title][0]
    way = snake(size)
    shuttle = [f"{'abcdefghij'[size - 1 - i]}1" for i in (0, 1)]
    men = {stay: "White", way[0]: "White", shuttle[0]: "Black"}
    position = with_men(load("brainking-halma", title), men)
    for number in range(turns):
        if number:
            position = position.play(f"{shuttle[(number + 1) % 2]} {shuttle[number % 2]}")
        assert position.outcome() is None
        position = position.play(f"{way[number]} {way[number + 1]}")
    return position


@pytest.mark.parametrize("title", LIMITS)
def test_a_man_left_behind_loses_after_the_limit(title: str) -> None:
    limit = LIMITS[title][1]
    assert after_turns(title, "a1", limit).outcome() is None
    outcome = after_turns(title, "a1", limit + 1).outcome()
    assert outcome is not None and outcome.losers == ("White",) and outcome.winners == ("Black",)


@pytest.mark.parametrize("title", LIMITS)
def test_a_man_may_come_back_only_within_the_limit(title: str) -> None:
    """A man steps into the yard from outside: on turn 30 (50) nothing happens, on turn 31 (51) its owner loses."""
    limit = LIMITS[title][1]
    outside, inside = ("e1", "d1") if limit == 30 else ("f1", "e1")
    for turns in (limit - 1, limit):
        position = after_turns(title, outside, turns)
        assert position.outcome() is None
        black = next(m for m in position.moves() if not m.is_partial)
        outcome = position.play(black).play(f"{outside} {inside}").outcome()
        assert (outcome is not None and outcome.losers == ("White",)) == (turns == limit)


@pytest.mark.parametrize("title", LIMITS)
def test_player_out_of_the_yard_in_time_plays_on(title: str) -> None:
    limit = LIMITS[title][1]
    assert after_turns(title, "e2" if limit == 30 else "f2", limit + 5).outcome() is None


@pytest.mark.parametrize("title", LIMITS)
def test_all_men_home_win(title: str) -> None:
    game = load("brainking-halma", title)
    goal = [square for square, (owner, _) in game.start().pieces().items() if owner == "Black"]
    last, near = ("h5", "g5") if "8" in title else ("j6", "i6")
    men = dict.fromkeys((s for s in goal if s != last), "White") | {near: "White", "c1": "Black"}
    position = with_men(game, men)
    outcome = position.play(f"{near} {last}").outcome()
    assert position.outcome() is None and outcome is not None and outcome.winners == ("White",)


@pytest.mark.parametrize("title", LIMITS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_games_end_at_the_limit(title: str, seed: int) -> None:
    """Random players never clear their yards in time, and White is the first to exceed the limit."""
    end = list(random_game(load("brainking-halma", title), 1000, seed))[-1]
    outcome = end.outcome()
    assert outcome is not None and outcome.losers == ("White",)
    assert end.state.made == (LIMITS[title][1] + 1, LIMITS[title][1])
