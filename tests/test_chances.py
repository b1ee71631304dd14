"""Chances to win: they sum to one, tell nothing where nothing can be told, and come true as often as they say."""

from __future__ import annotations

from random import Random

import pytest

from tests.playing import slow
from zrf_py.play import chances
from zrf_py.play.game import load
from zrf_py.run.position import Outcome
from zrf_py.search.game_search import search_for

SEEN = 60
"""Games that are played to see how often what was said comes true."""


@pytest.mark.parametrize("name", ["tictactoe", *slow(["stern-3p", "stern-team", "halma-4p", "wuerfel-2p"])])
def test_shares_sum_to_one_for_any_number_of_players(name: str) -> None:
    program = load(name).program
    engine = search_for(program).engine
    rows = chances.features(program, engine, engine.start(), ())
    assert len(rows) == len(chances.seats(program)) + 1
    weights = [Random(name).uniform(-2, 2) for _ in rows[0]]
    assert sum(chances.softmax(weights, rows)) == pytest.approx(1)


def test_results_as_shares() -> None:
    program = load("stern-team").program
    players = chances.seats(program)
    assert chances.shares_of(program, Outcome(winners=(players[0], players[2]), losers=(), reason="")) == [
        0.5, 0, 0.5, 0, 0]
    assert chances.shares_of(program, Outcome(winners=(), losers=(players[0],), reason="")) == pytest.approx(
        [0, 1 / 3, 1 / 3, 1 / 3, 0])
    assert chances.shares_of(program, Outcome(winners=(), losers=(), reason="")) == [0, 0, 0, 0, 1]


def test_where_games_do_not_end_nothing_is_told() -> None:
    assert not chances.fit(chances.Samples(10, 5, [])).tells


def test_what_is_far_off_or_no_news_is_not_told() -> None:
    assert [chances.Weights([], loss, 0.7, off).tells for loss, off in ((0.5, 0.01), (0.69, 0.01), (0.5, 0.2))] == [
        True, False, False]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "connect-four", "breakthrough", "stern-3p", "wuerfel-2p"])
def test_what_is_said_to_be_likely_comes_true_as_often(name: str) -> None:
    """Calibrated on games that weren't learned from: of all that is said to have a chance of 60 to 85 %, or 10 to 40 %,
    about as much comes true; and what is told is better than what the seats alone tell, unless nothing is told."""
    program = load(name).program
    engine = search_for(program).engine
    learned = chances.Samples()
    chances.play_more(program, engine, learned, 1, 1e9)
    found = chances.fit(learned)
    if not found.tells:
        pytest.skip(f"nothing is told here: {found.loss:.3f} against {found.blind:.3f}")
    fresh = chances.Samples()
    for i in range(SEEN):
        chances.play_one(program, engine, fresh, Random(f"fresh {i}"))
    said = [(s, true) for _, rows, was in fresh.rows
            for s, true in zip(chances.softmax(found.weights, rows), was, strict=True)]
    for low, high in ((0.1, 0.4), (0.6, 0.85)):
        group = [(s, true) for s, true in said if low <= s < high]
        if len(group) >= 80:
            mean, came = (sum(x) / len(group) for x in zip(*group, strict=True))
            assert abs(mean - came) < 0.17, f"said {mean:.2f}, came true {came:.2f} of {len(group)}"
