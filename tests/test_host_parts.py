"""Parts of a helper process and of the command's entry point, run in this process: answers, limits, disconnection."""

from __future__ import annotations

import gc
import io
import logging
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType
from typing import Any

import pytest

from tests.host_work import reporting
from zrf_py import hosts
from zrf_py.hosts import Lost


def answered(function: Callable[..., Any], *args: Any, reports: bool = False) -> tuple[bool, Any, list[Any]]:
    told: list[Any] = []
    is_fine, value = hosts._answer(pickle.dumps((function, args, reports)), told.append)
    return is_fine, value, told


def _unreadable() -> None:
    raise TypeError


class Odd(Exception):
    """An exception that can be pickled but not unpickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} {other}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _unreadable, ()


def _raise_odd() -> None:
    raise Odd(1, 2)


def test_answer_is_a_result_or_a_picklable_exception() -> None:
    assert answered(divmod, 7, 2) == (True, (3, 1), [])
    assert answered(reporting, 3, reports=True) == (True, 9, ["0", "1", "2"])
    is_fine, error, _ = answered(divmod, 1, 0)
    assert not is_fine and type(error) is ZeroDivisionError
    is_fine, error, _ = answered(_raise_odd)
    assert not is_fine and type(error) is RuntimeError and str(error) == "Odd: 1 2"
    is_fine, error = hosts._answer(b"no pickle", print)
    assert is_fine is False and isinstance(error, Exception)


def test_command_in_its_own_process_returns_its_exit_code_and_limited_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command reads its input and runs in the given folder; output beyond the limit is cut off."""
    streams, before = (sys.stdin, sys.stdout, sys.stderr, sys.argv), dict(os.environ)
    ended: list[Any] = [0, 3, None, True]

    def ran(name: str, run_name: str) -> None:
        assert (name, run_name) == ("zrf_py", "__main__") and os.getcwd() == str(tmp_path)
        print(f"{sys.argv} {sys.stdin.read()} {os.environ['NO_COLOR']} {os.environ['COLUMNS']}")
        print("wrong", file=sys.stderr)
        if (code := ended.pop(0)) is not True:
            raise SystemExit(code)

    monkeypatch.setattr(hosts.runpy, "run_module", ran)  # type: ignore[attr-defined]
    here, results = os.getcwd(), []
    try:
        for most in (1000, 1000, 5, 0):
            results.append(hosts.zrf(["list", "x"], tmp_path, "typed ä", most))
    finally:
        os.chdir(here)
        sys.stdin, sys.stdout, sys.stderr, sys.argv = streams
        os.environ.clear()
        os.environ.update(before)
    out = "['zrf', 'list', 'x'] typed ä 1 100\n".encode()
    assert results == [(0, out, b"wrong\n"), (3, out, b"wrong\n"), (0, out[:5], b"wrong"), (0, b"", b"")]


def test_requested_limits_and_silence_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    limits: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda what, most: limits.append((what, most)))
    hosts.limit("DATA", 100)
    hosts.limit("no such thing", 100)
    assert limits == [(resource.RLIMIT_DATA, (100, 105))]
    logger = logging.getLogger("zrf_py")
    level = logger.level
    try:
        hosts.mute()
        assert logger.isEnabledFor(logging.ERROR) and not logger.isEnabledFor(logging.WARNING)
    finally:
        logger.setLevel(level)
    assert (hosts.MEMORY, Lost(-9).status, str(Lost(-9))) == (2 * 1024 ** 3, -9, "the process ended with status -9")
    with open(os.devnull, "rb") as nobody:
        hosts._send(nobody, "an error of the system is ignored")


def test_a_listener_ends_a_process_that_is_idle_or_was_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Complete messages are queued. The process ends if no call has begun or input ends without the empty message."""
    ends: list[object] = []
    monkeypatch.setattr(hosts, "PATIENCE", 0.0)
    monkeypatch.setattr(os, "kill", lambda pid, number: ends.append((pid == os.getpid(), number == signal.SIGTERM)))
    monkeypatch.setattr(os, "_exit", ends.append)
    monkeypatch.setattr(hosts.cache, "forget_half", lambda: ends.append("forgotten"))  # type: ignore[attr-defined]
    ended = ["forgotten", (True, True), 1]
    one, leave = pickle.dumps(b"one"), pickle.dumps(b"")
    for sent, begun, queued, expected in (
        (one + one, False, [b"one", b"one", b""], ended), (one + leave, False, [b"one", b""], ended),
        (one + leave, True, [b"one", b""], []), (one, True, [b"one", b""], ended), (one[:-2], True, [b""], ended),
    ):
        ends.clear()
        event: threading.Event = threading.Event()
        if begun:
            event.set()
        monkeypatch.setattr(hosts, "begun", event)
        calls: SimpleQueue[bytes] = SimpleQueue()
        monkeypatch.setattr(hosts, "calls", calls)
        hosts._listen(io.BytesIO(sent))
        assert [calls.get() for _ in range(calls.qsize())] == queued and ends == expected


# ------------------------------------------------------------------------------------------------------- the command


def test_garbage_collection_is_delayed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from zrf_py import __main__ as entry

    usual, callbacks = gc.get_threshold(), list(gc.callbacks)
    try:
        entry._collect_late()
        assert gc.get_threshold() == (entry.MANY, *usual[1:])
        gc.collect()
        assert gc.get_threshold() == usual and gc.callbacks == callbacks
    finally:
        gc.set_threshold(*usual)
    monkeypatch.setattr("zrf_py.cli.main.main", lambda: 7)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(entry, "_collect_late", lambda: None)
    assert entry.main() == 7
    monkeypatch.setitem(sys.modules, "zrf_py.cli", Interrupting("zrf_py.cli"))
    assert entry.main() == 130


class Interrupting(ModuleType):
    """A module that raises KeyboardInterrupt when a name is imported from it, as Ctrl-C may do at any time."""

    def __getattr__(self, name: str) -> object:
        raise KeyboardInterrupt
