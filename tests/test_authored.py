"""Games written from the documentation alone: files without problems, whose tests hold; help for their author."""

from __future__ import annotations

from pathlib import Path

import pytest

from zrf_py.author.draft import Draft
from zrf_py.author.tests import running

FOLDER = Path(__file__).with_name("authored")
GAMES = sorted(FOLDER.glob("*.zrf"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_an_authored_game_has_no_problems_and_passes_its_tests(path: Path) -> None:
    draft = Draft.open(path)
    assert draft.problems == draft.lints == ()
    results = [test.run() for test in running.tests_of(path)]
    assert len(results) >= 2 and not [result.problem for result in results if result.problem]


def test_there_are_four_authored_games() -> None:
    assert [path.stem for path in GAMES] == ["captors", "die-race", "hex-hunt", "ice"]


@pytest.mark.parametrize(("line", "help"), [
    ("position: White King a1; Black King e5 | store White Pawn 1; Black Pawn 1", "write `store PLAYER PIECE N`"),
    ("can: P*c4, P*c3", "write one move"),
])
def test_an_authors_mistakes_get_helpful_messages(line: str, help: str) -> None:
    (result,) = Draft.open(FOLDER / "captors.zrf").test(f"```moves\n{line}\n```")
    assert help in result.problem
