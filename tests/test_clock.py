"""The clock of a board: accepted settings, which player's time runs, increments. No test waits: each sets the time."""

from __future__ import annotations

from typing import Any

import pytest

from zrf_py.serve import clock
from zrf_py.serve.clock import MAX_INCREMENT, MAX_SECONDS, Clock


@pytest.fixture
def time_is(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A time source for the clock that returns the last element of a list."""
    told = [100.0]
    monkeypatch.setattr(clock.time, "monotonic", lambda: told[-1])
    return told


@pytest.mark.parametrize("wish", [[1, 0], [MAX_SECONDS, MAX_INCREMENT], [90.5, 2.5]])
def test_valid_settings_make_a_clock(wish: list[float]) -> None:
    made = Clock.wished(wish, ("X", "O"))
    assert made is not None and (made.seconds, made.increment) == tuple(wish)
    assert made.left == {"X": wish[0], "O": wish[0]} and not made.running


@pytest.mark.parametrize("wish", [
    None, 60, "60", [], [60], [60, 0, 0], (60, 0), [True, 0], [60, False], ["60", 0], [60, "0"], [None, 0],
    [0.5, 0], [0, 0], [-60, 0], [MAX_SECONDS + 1, 0], [60, -1], [60, MAX_INCREMENT + 1], [float("nan"), 0],
    [60, float("nan")], [float("inf"), 0],
])
def test_invalid_settings_make_no_clock(wish: Any) -> None:
    assert Clock.wished(wish, ("X", "O")) is None


def test_only_the_clock_of_the_player_to_move_runs(time_is: list[float]) -> None:
    made = Clock(60, 0, {"X": 60.0, "O": 60.0})
    made.run("X")
    time_is.append(110.0)
    assert (made.now("X"), made.now("O")) == (50, 60)
    made.run("O")
    time_is.append(115.0)
    assert (made.now("X"), made.now("O")) == (50, 55)
    assert made.for_page() == {"seconds": 60, "increment": 0, "running": "O", "left": {"X": 50, "O": 55}}
    assert made.as_json() == [60, 0, {"X": 50, "O": 55}]


def test_the_increment_is_added_after_a_turn_and_not_after_a_pause(time_is: list[float]) -> None:
    made = Clock(60, 5, {"X": 60.0, "O": 60.0})
    made.run("X")
    time_is.append(110.0)
    made.run("X")
    assert made.now("X") == 50, "still the same turn"
    made.run("O")
    assert made.now("X") == 55
    time_is.append(111.0)
    made.run("")
    time_is.append(200.0)
    assert (made.now("X"), made.now("O"), made.running) == (55, 59, "")


def test_no_clock_runs_for_a_player_without_one(time_is: list[float]) -> None:
    made = Clock(60, 5, {"X": 60.0})
    made.run("X")
    made.run("dice")
    time_is.append(500.0)
    assert (made.running, made.now("X"), made.now("dice")) == ("", 65, 0)


def test_an_expired_clock_shows_zero(time_is: list[float]) -> None:
    made = Clock(60, 5, {"X": 60.0, "O": 60.0})
    made.run("X")
    time_is.append(500.0)
    assert made.now("X") < 0 and made.for_page()["left"]["X"] == 0
    made.run("O")
    assert made.now("X") == 5


def test_a_new_clock_is_full_and_stopped(time_is: list[float]) -> None:
    made = Clock(60, 5, {"X": 3.0, "O": 4.0}, "X", 0.0)
    assert made.fresh() == Clock(60, 5, {"X": 60, "O": 60})
