"""Parts of the solver, each on a puzzle that needs it: depth first, a beam over the whole, both on both grounds."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite", reason="state spaces are machine code")

from tests.playing import HANG
from zrf_py.play.game import load
from zrf_py.solve import solver as solving
from zrf_py.solve.heuristic import Heuristic
from zrf_py.solve.solver import _Work
from zrf_py.solve.state_space import InterpretedSpace


@pytest.fixture(params=[False, True], ids=["machine-code", "interpreted"])
def work(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> _Work:
    if request.param:
        monkeypatch.setattr(solving, "state_space", InterpretedSpace)
    return _Work(load("peg-solitaire", "Latin Cross").start(), HANG, 0, None)


def test_depth_first_finds_a_solution_that_wins(work: _Work) -> None:
    work._depth_first(None, 100_000)
    assert work.best is not None and not work.complete
    outcome = work.best.end.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)


def test_a_beam_that_is_wide_enough_finds_the_fewest_turns(work: _Work) -> None:
    work._sweep(Heuristic(), 1_000)
    assert work.best is not None and work.best.cost == 5


def test_depth_first_keeps_to_its_limit_and_knows_when_it_has_seen_all(work: _Work) -> None:
    """The fewest turns are five."""
    for turns, is_found in ((5, True), (4, False), (1, False)):
        work.space.limit(turns)
        legs, is_sure = work.space.depth_first(work.root, 0, 14, lambda visited: 500_000 - visited)
        assert (legs is not None) == is_found and is_sure
