"""Parts of the work on thousands of games: jobs, one game, openings, Elo; each compared with an independent answer."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.playing import counted
from zrf_py.batch import jobs, match, workers
from zrf_py.batch.elo import Rating, Z, elo, rate, wilson
from zrf_py.batch.games import mover_of, play, replayed, still_in, winners
from zrf_py.batch.jobs import Job, do_task, seeded
from zrf_py.play.engines import make_engine
from zrf_py.play.game import load, loads
from zrf_py.play.packing import pack
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Outcome, Position
from zrf_py.text.diagnostics import ZrfError

ROW = """(game (title "Row {number}") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("2/1" (0 9)))
                 (directions (e 1 0) (w -1 0))))
    (piece (name Man) (moves (e (verify empty?) add) {back}))
    (board-setup (White (Man a1)) (Black (Man a2))) (win-condition (White Black) (absolute-config Man ({goal}))))"""


def work_of(engine: Engine, parameters: Any, number: int) -> Any:
    if parameters.get("raise") == "rules":
        raise ZrfError("no way", "bad-number")
    if parameters.get("raise") == "memory":
        raise MemoryError
    return {"title": engine.program.game.title, "number": number, "engine": id(engine)}


def work_too(engine: Engine, parameters: Any, number: int) -> Any:
    return {}


def test_task_returns_its_result_or_its_fault() -> None:
    engines = jobs._engines.of
    engines.cache_clear()
    packed = [pack(loads(ROW.format(number=n, goal="e1 e2", back="")).program) for n in range(6)]
    assert do_task(work_of, packed[0], {"raise": "rules"}, 1) == {"games": 0, "fault": "no way"}
    full = do_task(work_of, packed[0], {"raise": "memory"}, 1)
    assert full["games"] == 0 and "memory" in full["fault"] and len(full) == 2
    found = [do_task(work_of, packed[n], {}, n) for n in (0, 0, 1, 2, 3, 0)]
    assert [r["title"] for r in found] == ["Row 0", "Row 0", "Row 1", "Row 2", "Row 3", "Row 0"]
    assert found[0]["engine"] == found[1]["engine"] == found[5]["engine"]
    assert engines.cache_info().currsize == 4 and engines.cache_info().misses == 4
    do_task(work_of, packed[4], {}, 1)
    do_task(work_of, packed[0], {}, 1)
    assert engines.cache_info().currsize == 4 and engines.cache_info().misses == 5, "the one used last is kept"
    do_task(work_of, packed[1], {}, 1)
    assert engines.cache_info().misses == 6, "the one not used for longest is gone"


def test_jobs_are_equal_if_work_parameters_and_rules_are() -> None:
    one, other = (loads(ROW.format(number=1, goal=goal, back="")).program for goal in ("e1 e2", "d1 d2"))
    job = Job(work_of, one, {"a": 1, "b": 2})
    assert job.id == Job(work_of, one, {"b": 2, "a": 1}).id and len(job.id) == 16
    others = [Job(work_of, other, job.parameters), Job(work_of, one, {"a": 1}), Job(work_too, one, job.parameters)]
    assert len({job.id, *(each.id for each in others)}) == 4
    assert job.about == {"work": "work_of", "game": "Row 1", "a": 1, "b": 2}
    assert seeded(1, "a").random() == seeded(1, "a").random() != seeded("1/a/").random()
    assert seeded(1, "a").random() == Random("1/a").random()


def first_move(engine: Engine, position: Position, random: Random, past: Sequence[Position] = ()) -> tuple[Move, ...]:
    return engine.moves(position)[:1]


@pytest.mark.parametrize(("goal", "most", "turns", "won"), [
    ("e1", 99, 7, 0), ("e2", 99, 8, 1), ("e1", 7, 7, 0), ("e1", 6, 6, None), ("e1", 0, 0, None), ("b2", 99, 2, 1),
])
def test_game_is_played_to_its_end_or_to_the_limit_of_turns(goal: str, most: int, turns: int, won: int | None) -> None:
    """Both men walk along their rows; White's arrives first."""
    game = loads(ROW.format(number=1, goal=goal, back=""))
    engine = make_engine(game.program)
    watched: list[tuple[int, int, int]] = []
    played = play(engine, engine.start(), {0: first_move, 1: first_move}, Random(1), most,
                  lambda before, moves, move, after: watched.append((before.turn, len(moves), after.turn)))
    assert (played.turns, len(played.moves)) == (turns, turns)
    assert watched == [(i % 2, 1, (i + 1) % 2) for i in range(turns)]
    assert (played.outcome.winners if played.outcome else None) == (None if won is None else (won,))
    assert set(played.moves) <= {0} and replayed(game, played.moves).state.owner == played.end.owner


def test_a_game_that_goes_in_circles_ends_by_repetition() -> None:
    game = loads(ROW.format(number=1, goal="e1", back="(w (verify empty?) add)"))
    engine = make_engine(game.program)
    played = play(engine, engine.start(), {0: to_and_fro, 1: to_and_fro}, Random(1), 99)
    assert played.outcome is not None and played.outcome.reason == "repetition" and played.turns == 8


def to_and_fro(engine: Engine, position: Position, random: Random, past: Sequence[Position] = ()) -> tuple[Move, ...]:
    return engine.moves(position)[-1:]


def test_the_winning_side_is_determined() -> None:
    two, team, alone = (load(name).program for name in ("tictactoe", "stern-team", "peg-solitaire"))
    assert two.game.sides == ((0,), (1,)) and len(team.game.sides) == 2 and alone.game.sides == ((0,),)
    assert mover_of(two, load("tictactoe").start().state) == 0
    (one, other) = team.game.sides
    both = (*one, *other)
    for won, lost, numbers in counted([
        ((), (), ()), (one, (), (0,)), (other[:1], (), (1,)), ((), one, (1,)), ((), other[:1], (0,)),
        (both, (), (0, 1)), ((), both, ()),
    ], 7):
        assert winners(team, Outcome(won, lost, "x")) == numbers
    assert winners(team, None) == ()
    start = load("stern-team").start().state
    for out, left in ((frozenset(), (0, 1)), (frozenset(one), (1,)), (frozenset(one[:1]), (0, 1)),
                      (frozenset(both), ())):
        assert still_in(team, replace(start, out=out)) == left


def test_interval_of_a_share_is_the_wilson_interval() -> None:
    """The bounds solve the equation of the score test: each is z standard errors away from the share, where
    the standard error is that at the bound."""
    assert wilson(0.5, 0) == (0.0, 1.0) and wilson(0.0, 10)[0] == 0.0 and wilson(1.0, 10)[1] == 1.0
    for share, count in counted([(0.5, 10), (0.1, 100), (0.9, 33), (0.0, 7), (1.0, 7)], 5):
        for bound in wilson(share, count):
            if 0 < bound < 1:
                assert abs(share - bound) == pytest.approx(Z * math.sqrt(bound * (1 - bound) / count))
    assert wilson(0.25, 40)[0] < 0.25 < wilson(0.25, 40)[1]


def test_an_opening_is_the_most_even_of_its_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(load("tictactoe").program)
    rated: list[float] = []
    values = iter([0.4, 0.2, 0.2, 0.9, 0.3, 0.5])

    def unevenness(*given: Any) -> float:
        rated.append(next(values))
        return rated[-1]

    monkeypatch.setattr(match, "_unevenness", unevenness)
    candidates = [play(engine, engine.start(), {}, seeded(5, "opening", 2, attempt), 3).moves for attempt in range(6)]
    assert match.opening(engine, 5, 2, 3).moves == candidates[1] and len(rated) == 6
    values = iter([0.4, 0.0])
    assert match.opening(engine, 5, 2, 3).moves == candidates[1] and len(rated) == 8, "nothing is more even"
    values = iter([3.0])
    assert match.opening(engine, 5, 2, 0).moves == () and len(rated) == 9


@pytest.mark.parametrize(("moves", "value"), [
    (("b2", "a1", "a2", "c2", "b1", "a3"), 2.0), (("b2", "a1", "a2", "b1", "c2"), 3.0), (("b2",), 0.0),
])
def test_openings_that_end_or_almost_end_the_game_are_rejected(moves: tuple[str, ...], value: float) -> None:
    game = load("tictactoe")
    position = game.start()
    for move in moves:
        position = position.play(move)
    engine = make_engine(game.program)
    played: Any = SimpleNamespace(outcome=engine.outcome(position.state), end=position.state)
    assert match._unevenness(engine, played, Random(1)) == value


def test_the_score_is_a_logistic_function_of_the_rating() -> None:
    """The rating difference predicts the score; no games give no rating, and wins alone no upper bound."""
    for score in counted([0.1, 0.25, 0.5, 0.75, 0.99], 5):
        assert 1 / (1 + 10 ** (-elo(score) / 400)) == pytest.approx(score)
    assert (elo(0), elo(1), elo(-1), elo(2)) == (-math.inf, math.inf, -math.inf, math.inf)
    assert rate([]) == rate([[], []]) == Rating(0, 0.5, 0.0, 1.0)
    assert str(Rating(4, 0.5, 0.25, 1.0)) == "+0 (95% CI: −191 to +∞)"
    assert rate([[1.0, 0.0]] * 4) == Rating(8, 0.5, *wilson(0.5, 8)), "all groups alike: the games count"
    assert rate([[1.0], [1.0]]) == Rating(2, 1.0, *wilson(1.0, 2)) and rate([[1.0, 0.5]]).score == 0.75
    groups = [[1.0, 1.0], [0.0, 0.0], [1.0, 0.0], []]
    found, error = rate(groups), (0.5 / math.sqrt(3))
    assert (found.games, found.score) == (6, 0.5) and (found.low, found.high) == wilson(0.5, 0.25 / error ** 2)


class Cluster:
    """Stand-in for the part of Dask that `OnCluster` uses; it records the calls."""

    def __init__(self, asked: list[Any], fails: Sequence[str] = (), threads: int = 2) -> None:
        self.asked, self.fails, self.threads = asked, fails, threads

    def Client(self, address: str, **options: Any) -> Cluster:
        self._note("client", address, options)
        return self

    def get_executor(self, **options: Any) -> Cluster:
        self._note("executor", options)
        return self

    def nthreads(self) -> dict[str, int]:
        return {"one": self.threads, "two": self.threads}

    def submit(self, work: Any, *parameters: Any) -> str:
        self._note("submit", work, *parameters)
        return "future"

    def shutdown(self, wait: bool) -> None:
        self._note("shutdown", wait)

    def close(self, timeout: float) -> None:
        self._note("close", timeout)

    def _note(self, *what: Any) -> None:
        self.asked.append(what)
        if what[0] in self.fails:
            raise OSError(f"{what[0]} fails")


def test_cluster_receives_the_tasks_and_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cluster gets three tasks for each of its threads, which are recounted every two seconds; if the release
    fails, that blocks nothing."""
    now = [100.0]
    monkeypatch.setattr(workers.time, "monotonic", lambda: now[0])
    asked: list[Any] = []
    dask = Cluster(asked)
    monkeypatch.setitem(sys.modules, "distributed", dask)
    cluster = workers.open_workers(3, "tcp://there")
    assert asked == [("client", "tcp://there", {"timeout": workers.CONNECT, "set_as_default": False}),
                     ("executor", {"pure": False, "retries": workers.RETRIES})]
    assert cluster.room() == 12
    dask.threads = 0
    assert cluster.room() == 12
    now[0] += 2.5
    assert cluster.room() == 2
    job = Job(work_of, load("tictactoe").program, {"deep": 3})
    assert cluster.submit(job, 7) == "future"
    assert asked[-1] == ("submit", do_task, job.work, job.packed, {"deep": 3}, 7)
    for fails in ((), ("shutdown",), ("close",)):
        dask.fails = fails
        cluster.close()
        assert asked[-2:] == [("shutdown", False), ("close", 2)]
    dask.fails = ("client",)
    with pytest.raises(ZrfError, match="no Dask scheduler at tcp://here: client fails"):
        workers.open_workers(None, "tcp://here")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ZrfError, match="a cluster needs packages"):
        workers.open_workers(None, "tcp://here")


def test_local_processes_hold_two_tasks_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    pool = SimpleNamespace(submit=lambda *what: asked.append(what), close=lambda: asked.append("closed"))
    monkeypatch.setattr(workers, "Pool", lambda count: asked.append(count) or pool)
    monkeypatch.setattr(workers.os, "cpu_count", lambda: None)
    machine = workers.open_workers()
    job = Job(work_of, load("tictactoe").program, {"deep": 3})
    machine.submit(job, 7)
    machine.close()
    assert machine.room() == 2 and workers.open_workers(3).room() == 6
    assert asked == [1, (do_task, job.work, job.packed, {"deep": 3}, 7), "closed", 3]
