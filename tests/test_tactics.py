"""Positions with known values are solved within the stated nodes; `python -m tests.tactics.run` tests all of them."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import islice

import pytest

from tests.playing import counted
from tests.tactics.run import SETS, Answer, Solve, Task, rows, searcher
from zrf_py.play.game import load

pytestmark = pytest.mark.slow

EVERY = {"chess": 7, "connect-four": 6, "othello": 9}
"""For each game, n if every nth position is tried here."""


@pytest.fixture(scope="module")
def solve() -> Solve:
    if find_spec("zrf_py.search.game_search") is None:
        pytest.skip("this package has no search")
    return searcher()


@pytest.mark.parametrize("name", SETS)
def test_a_sample_of_a_set_is_solved(name: str, solve: Solve) -> None:
    for task in counted(islice(SETS[name](), 0, None, EVERY[name])):
        answer = solve(task.position, task.nodes)
        assert not task.wrong(answer), f"{task.set} {task.name}"
        assert answer.nodes <= task.nodes


def test_sets_are_large_enough() -> None:
    mates = [words[3] for words in rows("chess-mates.txt")]
    assert len(mates) >= 50
    assert {"2", "3"} == set(mates)


def test_wrong_answers_are_detected() -> None:
    position = load("tictactoe").start()
    first, second = (m.raw for m in position.moves()[:2])
    task = Task("none", "none", position, 1, 3, frozenset({position.moves()[0].text.split()[-1]}), 1)
    assert not task.wrong(Answer(first, 1, 3, 1))
    assert task.wrong(Answer(second, 1, 3, 1))
    assert task.wrong(Answer(first, None, None, 1))
    assert task.wrong(Answer(first, 1, 5, 1))
