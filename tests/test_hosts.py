"""Helper processes that die, hang, hang up or eat memory: their callers lose only the call in progress."""

from __future__ import annotations

import asyncio
import importlib
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.host_work import (
    ctrl_c,
    misbehave,
    odd_answer,
    odd_board,
    odd_command,
    odd_look,
    odd_making,
    odd_page,
    odd_piece,
    reporting,
)
from tests.playing import HANG, ROOT, slow
from zrf_py import hosts
from zrf_py.batch.jobs import Job
from zrf_py.batch.runner import run
from zrf_py.batch.store import Store
from zrf_py.batch.workers import OnThisMachine
from zrf_py.hosts import Late, Lost, Pool, Worker
from zrf_py.play.game import load
from zrf_py.port.collecting import Item
from zrf_py.port.run import look_at_all
from zrf_py.text.diagnostics import ZrfError

boards = pytest.importorskip("zrf_py.lsp.boards")
pool = pytest.importorskip("zrf_py.serve.pool")
making = pytest.importorskip("zrf_py.native.making", reason="the native engine needs llvmlite")
site = importlib.import_module("zrf_py.export.site")
SHORT = 5.0
"""Time limit, in seconds, for calls that hang."""
WAYS = ("die", "hang", "hang up", "eat")


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Worker]]:
    """Collect all workers of a test, and check that none is left at the end."""
    found: list[Worker] = []
    begin = Worker.__init__

    def noted(worker: Worker, *given: Any, **named: Any) -> None:
        begin(worker, *given, **named)
        found.append(worker)

    monkeypatch.setattr(Worker, "__init__", noted)
    yield found
    assert found and all(worker.process.poll() is not None for worker in found), "a process stays behind"


# ------------------------------------------------------------------------------------------ users of helper processes


def _seconds(way: str) -> float:
    return SHORT if way == "hang" else HANG


def port(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    items = [Item("rules", name, name, ".", "") for name in (way, "good")]
    found = {item.name: facts for item, facts in look_at_all(items, 1, False, _seconds(way), odd_look)}
    return found["good"]["status"], " ".join(found[way].get("errors", ()))


def batch(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    workers = OnThisMachine(1)
    try:
        found = run(Job(odd_piece, load("tictactoe").program, {"way": way}), 3, Store(), workers)
    finally:
        workers.close()
    return found[2]["is"], found[1].get("fault", "")


def export(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    patch.setattr(site, "_make", odd_page)
    patch.setattr(site, "PATIENCE", _seconds(way))
    found = dict(site._make_all([Path(way), Path("good")], 2, False, False))
    return found[Path("good")].page, " ".join(problem.message for problem in found[Path(way)].problems)


def command(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    patch.setattr(hosts, "zrf", odd_command)
    try:
        code, _, err = asyncio.run(hosts.run_zrf([way], _seconds(way)))
        message = err.decode() if code else ""
    except (ZrfError, MemoryError) as error:
        message = repr(error)
    return asyncio.run(hosts.run_zrf(["good"], HANG))[1].decode(), message


def editor(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    patch.setattr(boards, "serve", odd_board)
    patch.setattr(boards, "START_SECONDS", _seconds(way))
    every = boards.Boards()
    with pytest.raises(ZrfError) as caught:
        every.address(Path(way), "")
    other = every.address(Path("good"), "").partition("&")[0]
    every.end()
    _wait_for(lambda: not [thread for thread in threading.enumerate() if thread.name == "board"])
    return other, str(caught.value)


def server(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    patch.setattr(pool, "_answer", odd_answer)
    patch.setattr(pool, "_prepare", hosts.mute)

    async def run() -> tuple[str, str]:
        workers = pool.Pool(1)
        try:
            with pytest.raises(pool.WorkerFailed) as caught:
                await workers.ask({"op": way}, _seconds(way))
            return await workers.ask({"op": "good"}, HANG), str(caught.value)
        finally:
            await workers.close()

    return asyncio.run(run())


def compiler(way: str, patch: pytest.MonkeyPatch) -> tuple[str, str]:
    patch.setattr(making, "carry_out", odd_making)
    worker, other = Worker(), Worker()
    made = making._ask(worker, way)  # type: ignore[arg-type]
    fine: Any = making._ask(other, "good")  # type: ignore[arg-type]
    for each in (worker, other):
        each.close()
    return fine, TOLD[way] if made is None else ""


USERS: dict[str, Callable[[str, pytest.MonkeyPatch], tuple[str, str]]] = {
    "port": port, "batch": batch, "export": export, "command": command, "editor": editor, "server": server,
    "compiler": compiler,
}
"""User of helper processes → function that makes one call fail in the given way, and returns the result of another call
and the message about the failure."""
TOLD = {"die": r"ended|crashed", "hang up": "ended|crashed", "eat": "[Mm]emory|crashed",
        "hang": "(longer|more) than 5 s"}
NO_DEADLINE = {"batch", "compiler"}
"""Users whose calls may take any time; a compiler's limit is processor time."""
CASES = [(user, way) for user in USERS for way in WAYS if user not in NO_DEADLINE or way != "hang"]
QUICK = [("port", "die"), ("command", "hang up"), ("export", "eat"), ("server", "die")]


@pytest.mark.parametrize(("user", "way"), [*QUICK, *slow(case for case in CASES if case not in QUICK)])
def test_failed_call_affects_no_other_call(user: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other, message = USERS[user](way, monkeypatch)
    assert other == "fine" and re.search(TOLD[way], message)


# ---------------------------------------------------------------------------------------------------------- the host


def test_results_reports_and_errors_are_returned() -> None:
    pool = Pool(1)
    reports: list[str] = []
    with pytest.raises(ZeroDivisionError):
        pool.submit(divmod, 1, 0).result(HANG)
    assert pool.submit(reporting, 3, tell=reports.append).result(HANG) == 9 and reports == ["0", "1", "2"]
    with pytest.raises(ZrfError) as caught:
        pool.submit(load, "no such game").result(HANG)
    assert str(caught.value).startswith("error[no-such-game]: there is no")
    assert len(pool.workers) == 1, "an error costs no process"
    pool.close()
    with pytest.raises((Lost, RuntimeError)):
        pool.submit(divmod, 1, 1).result(HANG)


def test_a_closed_pool_cancels_running_and_waiting_calls() -> None:
    pool = Pool(1)
    running, waiting = pool.submit(misbehave, "hang"), pool.submit(misbehave, "")
    while not running.running():
        time.sleep(0.01)
    pool.close()
    assert isinstance(running.exception(HANG), Lost) and waiting.cancelled()


def test_a_timeout_is_distinguished_from_a_crash() -> None:
    for way, kind in (("hang", Late), ("die", Lost)):
        worker = Worker()
        with pytest.raises(Lost) as caught:
            worker.call(misbehave, way, seconds=1.0 if way == "hang" else HANG)
        assert type(caught.value) is kind and not worker.is_usable


@pytest.mark.skipif(os.name == "nt", reason="needs sessions of POSIX")
def test_worker_ignores_ctrl_c() -> None:
    worker = Worker(gentle=True)
    assert worker.call(ctrl_c, seconds=HANG) == (True, True)
    assert worker.call(os.nice, 0, seconds=HANG) >= 10
    worker.close()


ORPHAN = """
import sys, threading, time
from tests.host_work import misbehave
from zrf_py.hosts import Worker
worker = Worker()
threading.Thread(target=worker.call, args=(misbehave, sys.argv[1]), daemon=True).start()
print(worker.process.pid, flush=True)
time.sleep(300)
"""


@pytest.mark.skipif(os.name == "nt", reason="looks up processes as on POSIX")
@pytest.mark.parametrize("way", ["", "hang"])
def test_a_worker_ends_with_its_parent_however_that_ends(way: str, started: list[Worker]) -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHAN, way], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    _wait_for(lambda: not _is_there(child))
    started.append(Worker())
    started[-1].close()


def _wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def _is_there(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("sent", [b"", b"\x80", pickle.dumps(b"x" * 9)[:-4]])
def test_a_worker_may_die_in_the_middle_of_a_message(sent: bytes) -> None:
    worker = Worker()
    assert worker.process.stdin is not None
    worker.process.stdin.write(sent)
    worker.leave()
    assert worker.process.wait(HANG) != 0
    worker.close()


def test_a_command_runs_with_the_same_output_as_in_a_shell(tmp_path: Path) -> None:
    (tmp_path / "here.zrf").write_text("(game")
    code, out, err = asyncio.run(hosts.run_zrf(["check", "here.zrf"], HANG, tmp_path))
    assert code == 1 and b"here.zrf" in out + err
    code, out, err = asyncio.run(hosts.run_zrf(["moves", "tictactoe"], HANG, most=11))
    assert (code, out, err) == (0, b"X Mark a3\nX", b"")
