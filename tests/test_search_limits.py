"""Limits of a search, with a simulated clock: slices of positions until a limit is reached."""

from __future__ import annotations

from dataclasses import replace

import pytest

from zrf_py.search import driver, game_search
from zrf_py.search.driver import TimeManager
from zrf_py.search.limits import GLANCE, RESERVE, SLICE, SPEEDS, Limits, limits, table_bits, tree_room
from zrf_py.search.memory import MANY
from zrf_py.text.diagnostics import ZrfError


class Clock:
    """A clock that advances only when the test sets it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(driver.time, "perf_counter", lambda: self.now)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_time_is_divided_into_slices(seconds: Clock) -> None:
    pace = TimeManager(Limits(time=0.1), None, began=seconds.now)
    seconds.now += 0.01
    pace.start()
    assert pace.seconds == pytest.approx(0.01) and pace.left == pytest.approx(0.1 - RESERVE - 0.01)
    assert pace.slice(0) == pytest.approx(SPEEDS["first"] * SLICE, abs=1)
    assert pace.nodes_left == pytest.approx(pace.left * SPEEDS["first"], abs=1)
    seconds.now += 0.03
    assert pace.slice(300) == pytest.approx(300 / 0.03 * SLICE, abs=1), "the speed is measured"
    seconds.now += 0.03
    assert pace.slice(400) == pytest.approx(300 / 0.03 * SLICE, abs=1), "too few to measure"
    assert pace.nodes_left == pytest.approx((0.1 - RESERVE - 0.07) * 300 / 0.03, abs=1)
    seconds.now += 0.015
    assert pace.slice(450) == pytest.approx(0.7 * (0.1 - RESERVE - 0.085) * 300 / 0.03 + 1, abs=1)
    seconds.now += 0.012
    assert pace.slice(500) == 0 and pace.nodes_left == 0


@pytest.mark.parametrize(("nodes", "visited", "budget"), [(None, 0, GLANCE), (50, 0, 50), (None, 1, 0), (50, 1, 0)])
def test_short_search_runs_even_when_time_is_up(seconds: Clock, nodes: int | None, visited: int, budget: int) -> None:
    pace = TimeManager(Limits(time=0.001, nodes=nodes), None, began=seconds.now)
    seconds.now += 1
    pace.start()
    assert pace.slice(visited) == budget


def test_positions_are_divided_into_slices(seconds: Clock) -> None:
    pace = TimeManager(Limits(nodes=5000), None, began=seconds.now)
    pace.start()
    assert pace.left is None and pace.slice(0) == 3000 and pace.nodes_left == 5000
    seconds.now += 0.01
    assert pace.slice(3000) == 2000 and pace.nodes_left == 2000
    seconds.now += 0.01
    assert pace.slice(5000) == 0


@pytest.mark.parametrize("time", [0, -1, 1e7])
def test_refusals_of_impossible_times_name_the_possible_ones(time: float) -> None:
    with pytest.raises(ZrfError, match="write a time above 0 and below 10,000,000"):
        limits(time=time)


def test_search_without_limits_goes_on_until_stopped(seconds: Clock) -> None:
    stops = iter([False, False, True])
    pace = TimeManager(Limits(), lambda: next(stops), began=seconds.now)
    pace.start()
    assert pace.slice(0) == 3000 and pace.nodes_left == MANY
    seconds.now += 1000
    assert pace.slice(201) == 1, "however slow it is"
    assert pace.slice(202) == 0


@pytest.mark.parametrize("given", [Limits(time=5.0), Limits(cpu=5.0), Limits(time=5.0, cpu=6.0, nodes=7, noise=8)])
def test_the_legs_of_a_turn_share_its_time(given: Limits, seconds: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each leg gets the time left by the earlier ones, or a short search if none is left; other limits stay the
    same."""
    monkeypatch.setattr(game_search.time, "thread_time", lambda: seconds.now)
    began = seconds.now, seconds.now
    for used in (0.0, 1.0, 4.5):
        seconds.now = began[0] + used
        left = game_search._rest(given, began)
        assert left == replace(given, **{name: pytest.approx(value - used) for name in ("time", "cpu")
                                         if (value := getattr(given, name)) is not None})
    seconds.now += 2
    assert game_search._rest(given, began) == Limits(nodes=GLANCE, noise=given.noise)
    for endless in (Limits(nodes=9), None):
        assert game_search._rest(endless, began) is endless


@pytest.mark.parametrize(("limits", "bits", "room"), [
    (Limits(nodes=1), 12, 4096), (Limits(nodes=2047), 12, 24 * 2047), (Limits(nodes=2048), 13, 24 * 2048),
    (Limits(nodes=10**6), 18, 1 << 20), (Limits(time=0.01), 14, 24 * 2000), (Limits(), 18, 1 << 20)])
def test_memory_depends_on_the_limits(limits: Limits, bits: int, room: int) -> None:
    assert table_bits(limits, 18) == bits and tree_room(limits, 1 << 20) == room
    assert limits.noise == 0
