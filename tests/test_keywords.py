"""The table of keywords: complete, and consistent with the language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zrf_py.data import data_file
from zrf_py.front.check import OPTIONS
from zrf_py.front.forms import read_forms
from zrf_py.front.keywords import CONDITIONS, KEYWORDS
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

NOT_IN_THE_GRAMMAR = {
    *("define", "include", "$n", ";"),  # replaced before the grammar is applied
    *("repeat", "off", "forced", "captor", "none"),  # names in the grammar; check.py distinguishes them
}


def test_every_word_of_the_grammar_has_an_entry() -> None:
    grammar = re.sub(r"//.*", "", data_file("grammar/zrf.lark").read_text("utf-8"))
    words = set(re.findall(r'"([^"]+)"', grammar)) - {"(", ")"}
    assert words == set(KEYWORDS) - NOT_IN_THE_GRAMMAR


@pytest.mark.parametrize("word", KEYWORDS)
def test_an_entry_is_complete_and_its_example_parses(word: str) -> None:
    row = KEYWORDS[word]
    assert row.meaning and row.where and row.form
    assert not row.meaning.endswith(".") and "\n" not in row.meaning
    assert word in row.form or word == "$n"
    report = Report()
    read_forms(Source("example.zrf", row.example), report, lambda name, origin: Source(name, ""))
    assert word in row.example or word == "$n"
    assert not [d for d in report.errors if d.code != "empty-file"]


def test_only_conditions_are_listed_as_conditions() -> None:
    assert {"empty?", "not-empty?", "and", "true", "position-flag?"} <= set(CONDITIONS)
    assert not {"add", "n", "captured"} & set(CONDITIONS)


README = Path(str(data_file("grammar/README.md")))
BEGIN, END = "<!-- keywords -->\n", "<!-- end of keywords -->\n"


def table() -> str:
    """Return the keyword table as Markdown, with a section for each place where keywords may stand."""
    places: dict[str, list[str]] = {}
    for row in KEYWORDS.values():
        places.setdefault(row.where, [])
    for word, row in KEYWORDS.items():
        form, meaning = (text.replace("|", "\\|") for text in (row.form, row.meaning))
        kept = " *(kept, not needed for play)*" if row.ignored else ""
        places[row.where].append(f"| `{word}` | `{form}` | {meaning}{kept} |")
    return "".join(
        f"\n### {where[0].upper()}{where[1:]}\n\n| word | form | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"
        for where, rows in places.items()
    ) + "\n"


def test_the_table_in_the_reference_is_current() -> None:
    text = README.read_text("utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0] == table(), "run python tests/test_keywords.py"


def section(heading: str) -> str:
    return README.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def test_every_option_is_in_the_reference() -> None:
    assert set(OPTIONS) <= set(re.findall(r'"([a-z?. -]+)"', section("Options")))


def test_every_goal_is_in_the_section_on_the_end() -> None:
    goals = [word for word, row in KEYWORDS.items()
             if row.where == "goal" or (word.endswith("-condition") and "ZRF+" not in row.where)]
    assert len(goals) > 10 and not [word for word in goals if word not in section("The end")]


def test_every_section_of_the_reference_is_linked_from_its_top() -> None:
    """The table at the top links every section, and every link has a target."""
    text = README.read_text("utf-8")
    top, _, below = text.partition("\n## ")
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
               for heading in re.findall(r"^## (.*)$", "## " + below, re.M)}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) == set(re.findall(r"\]\(#([^)]+)\)", top)) == anchors
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (README.parent / target).exists(), target
    pages = {page.name for page in (README.parent.parent / "tests" / "spec").glob("*.md")} - {"README.md"}
    assert not {page for page in pages if page not in text} - {"adding.md", "boards.md", "conditions.md", "goals.md",
                                                               "notation.md", "old-forms.md", "steps.md"}


if __name__ == "__main__":
    text = README.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    README.write_text(before + BEGIN + table() + END + rest.partition(END)[2], "utf-8")
