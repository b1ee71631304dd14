"""Games by the thousand: every game is counted once, whatever happens to the processes that play them."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

import pytest

from tests import batch_work
from tests.playing import HANG, ROOT
from zrf_py.batch.games import bulk_job, total
from zrf_py.batch.jobs import Job, Result, do_task
from zrf_py.batch.runner import LOSSES, run
from zrf_py.batch.store import Store
from zrf_py.batch.workers import OnCluster, OnThisMachine, Workers, open_workers
from zrf_py.hosts import Lost
from zrf_py.ir.ops import Program
from zrf_py.library import load_file
from zrf_py.play.game import load
from zrf_py.play.packing import pack
from zrf_py.run.playouts import Playouts
from zrf_py.text.diagnostics import ZrfError

GAMES = int(os.environ.get("ZRF_BATCH_GAMES", "2000"))


@pytest.fixture(scope="module")
def program() -> Program:
    return load("breakthrough").program


@pytest.fixture(scope="module")
def expected(program: Program) -> Playouts:
    """Return the results of the games, played chunk by chunk in this process."""
    job, pieces = bulk_job(program, GAMES)
    return total(do_task(job.work, job.packed, job.parameters, n) for n in range(pieces))


@pytest.fixture
def here() -> Iterator[OnThisMachine]:
    workers = OnThisMachine(2)
    yield workers
    workers.close()


def play_and_kill(program: Program, workers: Workers, store: Store, victim: int | None) -> tuple[Playouts, int]:
    """Play all games while a worker is killed after the third chunk; return the total, and the number of chunks that
    were reported twice."""
    job, pieces = bulk_job(program, GAMES)
    seen: list[int] = []

    def notice(number: int, result: Result) -> None:
        seen.append(number)
        if len(seen) == 3:
            os.kill(victim or next(iter(workers.pool.workers)).process.pid, signal.SIGKILL)  # type: ignore[attr-defined]

    found = total(run(job, pieces, store, workers, notice).values())
    assert store.games(job) == GAMES
    return found, len(seen) - len(set(seen))


@pytest.mark.slow
def test_a_killed_process_loses_only_its_games_in_flight(
    program: Program, expected: Playouts, here: OnThisMachine, tmp_path: Path,
) -> None:
    found, twice = play_and_kill(program, here, Store(tmp_path / "results"), None)
    assert found == expected
    assert found.games == GAMES and not twice


@pytest.mark.slow
def test_a_killed_dask_worker_loses_only_its_games_in_flight(program: Program, expected: Playouts) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        workers = open_workers(cluster=cluster.scheduler_address)
        assert isinstance(workers, OnCluster)
        found, twice = play_and_kill(program, workers, Store(), cluster.workers[0].pid)
        workers.close()
    assert found == expected
    assert not twice


def test_finished_tasks_are_not_repeated(program: Program, here: OnThisMachine, tmp_path: Path) -> None:
    job = Job(batch_work.count, program, {"a": 1})
    path = tmp_path / "results"
    first = Store(path)
    seen: list[int] = []
    run(job, 5, first, here, lambda n, r: seen.append(n))
    first.close()
    again = run(Job(batch_work.count, program, {"a": 1}), 8, Store(path), here, lambda n, r: seen.append(n))
    assert sorted(seen) == list(range(8))
    assert [r["number"] for r in again.values()] == list(range(8))
    assert not Store(path).numbers(Job(batch_work.count, program, {"a": 2}))


@pytest.mark.slow
def test_task_that_kills_its_worker_is_reported_and_the_others_finish(program: Program, here: OnThisMachine) -> None:
    job = Job(batch_work.deadly, program, {"deadly": 3, "refused": 5})
    found = run(job, 9, Store(), here)
    assert {n for n, result in found.items() if "fault" in result} == {3, 5}
    assert found[5]["fault"] == "these rules never end"
    assert sum(r["games"] for r in found.values()) == 7


ENDLESS = """
from tests import batch_work
from tests.playing import HANG, ROOT
from zrf_py.batch.jobs import Job
from zrf_py.batch.workers import OnThisMachine
from zrf_py.play.game import load
OnThisMachine(1).submit(Job(batch_work.endless, load("tictactoe").program), 0).result()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="looks up processes as on POSIX")
def test_a_worker_in_the_middle_of_a_game_ends_with_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(ENDLESS)
    with subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}) as parent:
        assert parent.stderr is not None
        worker = int(parent.stderr.readline())
        parent.kill()
    end = time.monotonic() + HANG
    while is_there(worker):
        assert time.monotonic() < end, "it goes on for nobody"
        time.sleep(0.05)


def is_there(process: int) -> bool:
    """Return whether a process is running (a zombie isn't)."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        with suppress(ProcessLookupError):
            os.kill(process, 0)
            return not Path("/proc/self").exists()
        return False


def test_job_does_not_depend_on_the_path_of_the_rules(tmp_path: Path) -> None:
    text = (Path(load_file("tictactoe").path)).read_text("utf-8")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.zrf").write_text(text, "utf-8")
    one, other = (load_file(tmp_path / f / "x.zrf").program() for f in ("a", "b"))
    assert pack(one) == pack(other)
    (tmp_path / "b" / "x.zrf").write_text(text.replace("stalemated", "(pieces-remaining 5)"), "utf-8")
    assert pack(load_file(tmp_path / "b" / "x.zrf").program()) != pack(one)


def test_a_file_that_holds_no_results_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"this is a text and no data base at all" * 50)
    with pytest.raises(ZrfError, match="results can't be stored"):
        Store(path)


def test_two_programs_may_write_the_same_file(program: Program, tmp_path: Path) -> None:
    one, other = Store(tmp_path / "r"), Store(tmp_path / "r")
    job = Job(batch_work.count, program)
    one.begin(job)
    other.begin(job)
    one.add(job, [(1, {"games": 1})])
    other.add(job, [(1, {"games": 1}), (2, {"games": 1})])
    assert one.games(job) == 2
    assert sqlite3.connect(tmp_path / "r").execute("SELECT count(*) FROM results").fetchone() == (2,)


@pytest.mark.slow
def test_missing_cluster_gives_one_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("zrf_py.batch.workers.CONNECT", 0.2)
    with pytest.raises(ZrfError, match="no Dask scheduler"):
        open_workers(cluster="tcp://127.0.0.1:9")


class Unlucky:
    """Workers that die on a task as often as requested, and otherwise finish it at once."""

    def __init__(self, lost: dict[int, int]) -> None:
        self.left = dict(lost)
        self.done: list[int] = []

    def submit(self, job: Job, number: int) -> Future[Result]:
        future: Future[Result] = Future()
        if self.left.get(number, 0):
            self.left[number] -= 1
            future.set_exception(Lost(-9))
        else:
            self.done.append(number)
            future.set_result({"games": 1, "number": number})
        return future

    def room(self) -> int:
        return 1

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("losses", "done"), [(0, True), (LOSSES, True), (LOSSES + 1, False)])
def test_task_is_blamed_only_after_several_losses(program: Program, losses: int, done: bool) -> None:
    workers = Unlucky({1: losses})
    found = run(Job(batch_work.count, program), 3, Store(), workers)
    assert ["fault" in found[n] for n in range(3)] == [False, not done, False]
    assert sorted(workers.done) == ([0, 1, 2] if done else [0, 2])


def test_repeated_loss_of_all_workers_ends_the_run(program: Program) -> None:
    workers = Unlucky(dict.fromkeys(range(20), 100))
    with pytest.raises(ZrfError, match="exit at once"):
        run(Job(batch_work.count, program), 20, Store(), workers)


def test_the_first_stored_result_stays(program: Program, tmp_path: Path) -> None:
    one, other = Store(tmp_path / "r"), Store(tmp_path / "r")
    job = Job(batch_work.count, program)
    one.add(job, [(1, {"games": 1, "by": "one"})])
    other.add(job, [(1, {"games": 1, "by": "other"})])
    assert one.results(job, 2)[1]["by"] == other.results(job, 2)[1]["by"] == "one"
