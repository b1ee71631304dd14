"""The sequential test: compared with fishtest and a second computation; error rates; stopping."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.playing import slow
from zrf_py.batch.match import MANY_TRIES, NODES, Match, begin, contest, opening, standing
from zrf_py.batch.sprt import FIRST, PAIR_SCORES, SECOND, Run, Sprt, mean_score, pentanomial
from zrf_py.batch.store import Store
from zrf_py.batch.workers import OnThisMachine
from zrf_py.cli.main import main
from zrf_py.play.engines import make_engine
from zrf_py.play.game import load
from zrf_py.play.players import Searching, player
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits
from zrf_py.text.diagnostics import ZrfError

# `LLR_logistic` of server/fishtest/stats/LLRcalc.py of github.com/official-stockfish/fishtest (August 2026, with scipy)
FISHTEST = [
    (0, 10, (10, 40, 60, 50, 15), 0.7953688600818155),
    (0, 10, (0, 3, 5, 9, 2), 0.5382730638918513),
    (-1.5, 4.5, (388, 4987, 9000, 5100, 400), -1.7944466427213088),
    (0, 2, (120, 8000, 17000, 8300, 140), 3.271721529061336),
]


def by_score(counts: tuple[int, ...]) -> dict[float, int]:
    return dict(zip(PAIR_SCORES, counts, strict=True))


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@pytest.mark.parametrize(("elo0", "elo1", "is_fine"), [
    (-1000, 1000, True), (0, 0.5, True), (-1000.5, 0, False), (0, 1000.5, False), (5, 5, False), (5, 0, False),
    (float("nan"), 5, False), (0, float("inf"), False)])
def test_elo_bounds_must_be_distinct_and_in_range(elo0: float, elo1: float, is_fine: bool) -> None:
    if is_fine:
        low, high = Sprt(elo0, elo1).bounds
        assert low < 0 < high
    else:
        with pytest.raises(ZrfError, match="from -1000 to 1000"):
            Sprt(elo0, elo1)


@pytest.mark.parametrize(("elo0", "elo1", "counts", "llr"), FISHTEST)
def test_ratio_equals_that_of_fishtest(elo0: float, elo1: float, counts: tuple[int, ...], llr: float) -> None:
    assert Sprt(elo0, elo1).llr(by_score(counts)) == pytest.approx(llr, abs=1e-6)


@pytest.mark.parametrize(("elo0", "elo1", "counts", "llr"), [row for row in FISHTEST if sum(row[2]) > 100])
def test_the_ratio_is_nearly_that_of_normal_scores(elo0: float, elo1: float, counts: tuple[int, ...], llr: float,
                                                   ) -> None:
    """M. Van den Bergh's approximation: N (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    number = sum(counts)
    mean = sum(n * s for n, s in zip(counts, PAIR_SCORES, strict=True)) / number
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, PAIR_SCORES, strict=True)) / number
    s0, s1 = expected(elo0), expected(elo1)
    normal = number * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(elo0, elo1).llr(by_score(counts)) == pytest.approx(normal, abs=0.02, rel=0.01)


def test_bounds_equal_those_of_wald() -> None:
    assert Sprt(0, 10).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 10, alpha=0.01, beta=0.2).bounds == pytest.approx((math.log(0.2 / 0.99), math.log(80)))


def test_sprt_is_open_without_games_and_decided_by_one_sided_ones() -> None:
    test = Sprt(0, 50)
    assert test.llr({}) == 0
    assert test.decision(test.llr({1.0: 2})) == ""
    assert test.decision(test.llr({1.0: 100})) == SECOND
    assert test.decision(test.llr({0.0: 100})) == FIRST
    assert test.llr({0.5: 100}) < 0  # draws are evidence of equal strength


def test_hypotheses_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ZrfError, match="the smaller one first"):
        Sprt(10, 0)
    with pytest.raises(ZrfError, match="the smaller one first"):
        Sprt(0, float("nan"))


@pytest.mark.parametrize(("elo", "wrong"), [(0, SECOND), *slow([(60, FIRST)])])
@pytest.mark.slow
def test_error_rates_are_as_promised(elo: float, wrong: str) -> None:
    """Pairs are drawn with the mean of one hypothesis; the other one is accepted in about 5 % of 300 tests."""
    random, lean = Random(3), 2 * (expected(elo) - 0.5)
    weights = [0.1 - 0.2 * lean / 2, 0.2 - 0.4 * lean, 0.4, 0.2 + 0.4 * lean, 0.1 + 0.2 * lean / 2]
    lean = (expected(elo) - sum(w * s for w, s in zip(weights, PAIR_SCORES, strict=True))) / 2
    weights[0], weights[4] = weights[0] - 2 * lean, weights[4] + 2 * lean
    assert sum(w * s for w, s in zip(weights, PAIR_SCORES, strict=True)) == pytest.approx(expected(elo))
    decisions: Counter[str] = Counter()
    for _ in range(300):
        run, number = Run(Sprt(0, 60), 2), 0
        while not run.decision:
            score = random.choices(PAIR_SCORES, weights)[0]
            run.add(number, {"points": score})
            run.add(number + 1, {"points": score})
            number += 2
        decisions[run.decision] += 1
    assert 2 <= decisions[wrong] <= 28  # 15 expected; a correct test fails here less than once in 1000


def test_groups_are_counted_in_order_whichever_ends_first() -> None:
    random, results = Random(1), {}
    for number in range(400):
        results[number] = {"points": random.choice((0.0, 0.5, 1.0, 1.0))}
    in_order = Run(Sprt(0, 30), 2)
    for number in range(400):
        if in_order.add(number, results[number]):
            break
    assert in_order.decision == SECOND
    mixed, numbers = Run(Sprt(0, 30), 2), list(range(400))
    random.shuffle(numbers)
    for number in numbers:
        mixed.add(number, results[number])
    assert (mixed.games, mixed.scores, mixed.decision) == (in_order.games, in_order.scores, SECOND)


def test_a_group_with_a_failed_game_does_not_count() -> None:
    run = Run(Sprt(0, 10), 2)
    for number, result in enumerate([{"points": 1.0}, {"fault": "x"}, {"points": 1.0}, {"points": 0.5}]):
        run.add(number, result)
    assert run.scores == {0.75: 1} and run.games == 4
    assert pentanomial(run.scores) == (0, 0, 0, 1, 0)


def test_three_sides_have_groups_of_six_games() -> None:
    program = load("stern-3p").program
    assert len(program.game.sides) == 3
    run = begin(Sprt(0, 400), program)
    assert run.size == 6
    number = 0
    while not run.decision and number < 600:
        run.add(number, {"points": (1.0, 1.0, 2 / 3, 1.0, 0.5, 1.0)[number % 6]})
        number += 1
    assert run.decision == SECOND and run.games == number
    assert set(run.scores) == {mean_score((1.0, 1.0, 2 / 3, 1.0, 0.5, 1.0))}


# -------------------------------------------------------------------------------------------------------- whole matches


def test_a_match_stops_by_itself_with_the_same_games_on_any_number_of_workers() -> None:
    program, found = load("breakthrough").program, []
    for count in (1, 2):
        workers = OnThisMachine(count)
        try:
            found.append(contest(program, Match(("greedy", "random")), 400, Sprt(0, 200), workers))
        finally:
            workers.close()
    assert found[0].decision == SECOND and found[0].rating.games < 100
    assert found[0].llr == found[1].llr and found[0].pairs == found[1].pairs
    assert sum(found[0].pairs) * 2 == found[0].rating.games


def test_a_match_of_equal_players_accepts_the_first_hypothesis() -> None:
    """A player meets itself, so SECOND is accepted by chance only; the bounds are far apart here, so FIRST is
    accepted."""
    workers = OnThisMachine(2)
    try:
        found = contest(load("tictactoe").program, Match(("random", "random")), 4000, Sprt(0, 150), workers)
    finally:
        workers.close()
    assert found.decision == FIRST
    assert found.rating.elo_low < 0 < found.rating.elo_high or abs(found.rating.elo) < 75


def test_the_command_reports_the_sequential_test(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["match", "ai:3", "random", "--game", "connect-four", "--sprt", "0", "150", "--workers", "2",
                 "--results", str(tmp_path / "r")]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    assert "150 accepted, 0 rejected" in said and "processor time per turn" in said
    assert main([*arguments, "--json"]) == 0  # all from the stored results
    found = json.loads(capsys.readouterr().out)
    assert found["decision"] == SECOND and found["llr"] > Sprt(0, 150).bounds[1]
    assert sum(found["pairs"]) * 2 == found["rating"]["games"]
    assert found["cpu"][0] > found["cpu"][1] > 0
    assert main([*arguments, "--games", "2"]) == 0
    assert "undecided" in capsys.readouterr().out
    assert main(["match", "random", "random", "--game", "tictactoe", "--sprt", "5"]) == 2
    capsys.readouterr()
    assert main(["match", "random", "random", "--game", "tictactoe", "--sprt", "5", "5"]) == 1
    assert "the smaller one first" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- processor time, openings


def test_processor_time_and_wall_time_are_separate_limits() -> None:
    choose = player("ai:0.1cpu")
    assert isinstance(choose, Searching) and choose.limits == Limits(cpu=0.1)
    both = player("ai:0.5cpu:300n", 0.2, 500, 0.3)
    assert isinstance(both, Searching) and both.limits == Limits(time=0.2, nodes=300, cpu=0.3)
    for wrong in ("ai:cpu", "ai:0cpu", "ai:-1cpu", "ai:nancpu"):
        with pytest.raises(ZrfError):
            player(wrong)


@pytest.mark.parametrize("kind", ["alphabeta", "mcts", "slow"])
def test_a_search_ends_when_its_processor_time_is_used_up(kind: str) -> None:
    """The test reads the processor time of its thread, which does not grow while the thread sleeps or waits."""
    game = load("breakthrough")
    search, position = search_for(game.program), game.start().state
    search.analyse(position, (), Limits(nodes=200), kind=kind)
    began = time.thread_time()
    search.analyse(position, (), Limits(cpu=0.15), kind=kind)
    assert 0.1 < time.thread_time() - began < 0.25


@pytest.mark.slow
def test_results_contain_the_processor_time_of_both_sides(tmp_path: Path) -> None:
    program = load("breakthrough").program
    match = Match(("ai:0.02cpu", "ai:0.005cpu"), max_turns=10)  # it takes at least six moves to reach the last row
    workers, store = OnThisMachine(1), Store()
    try:
        found = contest(program, match, 2, None, workers, store)
    finally:
        workers.close()
    assert 0.01 < found.cpu[0] < 0.03 and found.cpu[1] < 0.012
    results = store.results(match.job(program), 2)
    assert [turns for turns, _ in results[0]["used"]] == [5, 5]
    assert found == standing(program, results)


def test_openings_found_by_search_are_even_and_depend_on_their_number() -> None:
    engine = make_engine(load("chess").program, "auto")
    search = search_for(engine.program)

    def value(number: int, margin: float | None) -> int:
        return abs(search.analyse(opening(engine, 1, number, 4, margin).end, (), Limits(nodes=NODES)).value)

    assert all(value(number, 40) <= 40 for number in range(6))
    assert any(value(number, None) > 40 for number in range(6))
    assert opening(engine, 1, 3, 4, 40).moves == opening(engine, 1, 3, 4, 40).moves
    assert opening(engine, 1, 3, 4, 40).moves != opening(engine, 1, 4, 4, 40).moves
    assert opening(engine, 1, 0, 0, 40).moves == ()


def test_without_an_even_candidate_the_most_even_is_taken() -> None:
    engine = make_engine(load("breakthrough").program, "auto")
    nearest = opening(engine, 1, 0, 6, 0.001)
    loose = opening(engine, 1, 0, 6, 10**6)
    search = search_for(engine.program)
    values = [abs(search.analyse(played.end, (), Limits(nodes=NODES)).value) for played in (nearest, loose)]
    assert MANY_TRIES > 1 and values[0] <= values[1]
