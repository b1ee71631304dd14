"""Ctrl-C in long work: what is kept, and how to go on, is said; time that is given is for the work itself."""

from __future__ import annotations

import os
from itertools import count

import pytest

from zrf_py.cli.main import main


@pytest.fixture
def zrf(capsys: pytest.CaptureFixture[str]):
    """Runs the command in this process: exit code, standard output, standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_stopped_match_says_what_is_kept(zrf, tmp_path, monkeypatch):
    from zrf_py.batch import runner

    def stopped(job, pieces, store, workers, seen):
        store.begin(job)
        store.add(job, [(0, {"games": 1}), (1, {"games": 1})])
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", stopped)
    path = tmp_path / "r.sqlite"
    code, out, err = zrf("match", "random", "random", "--game", "tictactoe", "--results", str(path))
    assert (code, out) == (130, "")
    assert f"2 finished games are kept in {path}; the same command goes on from there" in err


@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_a_stopped_analysis_shows_what_it_found():
    import signal

    from zrf_py.cli.analyse import _stopped_by_hand

    before = signal.getsignal(signal.SIGINT)
    with _stopped_by_hand() as stop:
        assert not stop()
        signal.raise_signal(signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):  # who presses it twice wants out
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_stopped_solver_says_how_to_go_on(zrf, monkeypatch):
    from zrf_py.solve import solver

    def stopped(work, shortest):
        raise KeyboardInterrupt

    monkeypatch.setattr(solver._Work, "run", stopped)
    code, _, err = zrf("solve", "peg-solitaire")
    assert code == 1
    assert "Stopped" in err and "the same command begins anew" in err


def test_the_solver_s_time_begins_with_its_search(monkeypatch):
    """Making machine code is not what the time is given for."""
    from zrf_py.play.game import load
    from zrf_py.solve import solver

    clock = count(0, 100)  # each look at the clock finds it 100 s later
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
