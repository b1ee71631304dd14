"""The language, page by page: every example of tests/spec/*.md and grammar/README.md is run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zrf_py.author.tests.pages import Example, examples
from zrf_py.author.tests.running import run
from zrf_py.data import data_file
from zrf_py.front.check import OPTIONS
from zrf_py.front.keywords import KEYWORDS

SPEC = Path(__file__).parent / "spec"
PAGES = {page.stem: page for page in sorted(SPEC.glob("*.md"))} | {"grammar": Path(str(data_file("grammar/README.md")))}
CASES = [(name, e) for name, page in PAGES.items() for e in examples(page.read_text("utf-8"))]
SHOWN_ONLY = {
    *("animate captures", "animate drops", "highlight goals", "prevent flipping", "progressive levels"),
    *("selection screen", "show moves list", "silent ? moves", "smart moves"),
}


@pytest.mark.parametrize(("page", "example"), CASES, ids=[f"{page}-{e}" for page, e in CASES])
def test_an_example_holds(page: str, example: Example) -> None:
    run(example)


def rules_of_the_pages() -> str:
    return "\n".join(e.rules.text for page, e in CASES if page != "grammar")


@pytest.mark.parametrize("word", [w for w, k in KEYWORDS.items() if not k.ignored and w != "$n"])
def test_every_keyword_has_an_example(word: str) -> None:
    assert re.search(rf"(?<![\w?-]){re.escape(word)}(?![\w?-])", rules_of_the_pages())


@pytest.mark.parametrize("name", [o for o in OPTIONS if o not in SHOWN_ONLY])
def test_every_option_has_an_example(name: str) -> None:
    assert f'(option "{name}"' in rules_of_the_pages()
