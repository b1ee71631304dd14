"""The recipes of the cookbook: files without problems, in the standard style, whose examples hold on both engines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zrf_py.author.draft import Draft
from zrf_py.author.tests import running
from zrf_py.cli.main import main
from zrf_py.data import data_file

COOKBOOK = Path(str(data_file("grammar/cookbook")))
RECIPES = [path.stem for path in sorted(COOKBOOK.glob("*.zrf"))]
MOST_LINES = 70


def test_each_of_twenty_recipes_has_a_page_and_a_row() -> None:
    table = (COOKBOOK / "README.md").read_text("utf-8")
    assert len(RECIPES) >= 20
    assert sorted(re.findall(r"^\| \[[^]]+\]\(([\w-]+)\.md\)", table, re.M)) == RECIPES
    assert {path.stem for path in COOKBOOK.glob("*.md")} == {*RECIPES, "README"}


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_works_and_has_the_standard_style(name: str) -> None:
    path = COOKBOOK / f"{name}.zrf"
    draft = Draft.open(path)
    assert draft.problems == draft.lints == () and draft.formatted().text == draft.text
    assert draft.text.count("\n") <= MOST_LINES
    results = [test.run() for test in running.tests_of(path)]
    assert len(results) >= 2 and not [result for result in results if result.problem]


@pytest.mark.parametrize("name", RECIPES)
def test_each_recipe_uses_the_words_of_its_row(name: str) -> None:
    (row,) = re.findall(rf"\({name}\.md\).*\|(.*)\|$", (COOKBOOK / "README.md").read_text("utf-8"), re.M)
    words = [code or text for code, text in re.findall(r'`([^`]+)`|("[^"]+")', row)]
    assert words and all(word in (COOKBOOK / f"{name}.zrf").read_text("utf-8") for word in words)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_both_engines_agree(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agree", str(COOKBOOK / f"{name}.zrf")]) == 0, capsys.readouterr().out
