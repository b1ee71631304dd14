"""Ctrl-C in long work: messages about what is kept and how to resume; time limits exclude compilation."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
import time
from itertools import count
from pathlib import Path

import pytest

from tests.playing import HANG
from zrf_py.cli import listing
from zrf_py.cli.main import main


@pytest.fixture
def zrf(capsys: pytest.CaptureFixture[str]):
    """A function that runs the command in this process and returns exit code, standard output and standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_stopped_match_reports_the_stored_games(zrf, tmp_path, monkeypatch):
    from zrf_py.batch import runner

    def stopped(job, pieces, store, workers, seen, enough=None):
        store.begin(job)
        store.add(job, [(0, {"games": 1}), (1, {"games": 1})])
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", stopped)
    path = tmp_path / "r.sqlite"
    code, out, err = zrf("match", "random", "random", "--game", "tictactoe", "--results", str(path))
    assert (code, out) == (130, "")
    assert f"2 finished games are saved in {path}; the same command resumes from there" in err


@pytest.mark.parametrize("has_state", [True, False])
def test_a_stopped_report_names_the_file_of_results(zrf, tmp_path, monkeypatch, has_state: bool) -> None:
    """Without `-o` and without a folder for the user's data, nothing can be stored."""
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "empty").mkdir()
    monkeypatch.setattr("zrf_py.port.run.port", stopped)
    monkeypatch.setattr("zrf_py.cache.state_folder", lambda: tmp_path if has_state else None)
    code, out, err = zrf("port", str(tmp_path / "empty"))
    assert (code, out) == (130, "")
    assert err == (f"\nStopped. Results so far are saved in {tmp_path / 'port.jsonl'}; the same command resumes from "
                   "there.\n\n" if has_state else "\nStopped; nothing was saved.\n\n")


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_a_stopped_analysis_shows_its_lines():
    import signal

    from zrf_py.cli.analyse import _stopped_by_hand

    before = signal.getsignal(signal.SIGINT)
    with _stopped_by_hand() as stop:
        assert not stop()
        signal.raise_signal(signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):  # pressed twice, Ctrl-C quits
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_stopped_solver_says_that_it_would_begin_anew(zrf, monkeypatch):
    from zrf_py.solve import solver

    def stopped(work, shortest):
        raise KeyboardInterrupt

    monkeypatch.setattr(solver._Work, "run", stopped)
    code, _, err = zrf("solve", "peg-solitaire")
    assert code == 1
    assert "Stopped" in err and "The same command starts from the beginning" in err


def test_the_time_limit_of_the_solver_excludes_compilation(monkeypatch):
    from zrf_py.play.game import load
    from zrf_py.solve import solver

    clock = count(0, 100)  # each reading of the clock is 100 s later
    made: list[int] = []
    ground = solver.state_space

    def slow(*words):
        made.append(next(clock))
        return ground(*words)

    monkeypatch.setattr(solver, "state_space", slow)
    monkeypatch.setattr(solver.clock, "monotonic", lambda: next(clock))
    work = solver._Work(load("peg-solitaire").start(), 50.0, 0, None)
    assert made and work.began > made[-1]
    assert work.until == work.began + 50.0


def test_ctrl_c_while_a_class_is_created_is_not_lost(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    def run(args: object) -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr(listing, "run", run)
    assert main(["list"]) == 130 and "internal" not in capsys.readouterr().err


def test_ctrl_c_before_anything_is_imported_is_quiet(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    class Interrupted:
        def find_spec(self, name: str, *others: object) -> None:
            if name == "zrf_py.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "zrf_py.cli.main")
    monkeypatch.delattr("zrf_py.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    assert importlib.import_module("zrf_py.__main__").main() == 130 and not capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")
def test_pages_in_progress_are_abandoned_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page would take minutes; Ctrl-C does not wait for them."""
    site = importlib.import_module("zrf_py.export.site")
    monkeypatch.setattr(site, "_make", _for_ever)
    made = site._make_all([tmp_path / "a", tmp_path / "b", tmp_path / "c"], 2, False, False)
    here, began = threading.get_ident(), time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(1.0, lambda: signal.pthread_kill(here, signal.SIGINT)).start()
        next(made)
    assert time.monotonic() - began < HANG / 2


def _for_ever(path: Path, learn: bool, small: bool) -> None:
    time.sleep(HANG)
