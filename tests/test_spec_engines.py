"""The examples of the language once more, by every engine but the interpreter."""

from __future__ import annotations

import pytest
from test_spec import CASES

from tests.engines import OTHERS, Make, one_game, played
from zrf_py.author.tests.pages import Example
from zrf_py.author.tests.session import run

PLAYED = [(page, e) for page, e in CASES if e.moves]


@pytest.mark.parametrize("make", OTHERS)
@pytest.mark.parametrize(("page", "example"), PLAYED, ids=[f"{page}-{e}" for page, e in PLAYED])
def test_example_by_another_engine(page: str, example: Example, make: Make) -> None:
    engine = run(example, make, counts=make is one_game)
    assert engine is not None and played(engine), "the interpreter was compared with itself"


def test_there_are_examples() -> None:
    assert len(PLAYED) > 250
