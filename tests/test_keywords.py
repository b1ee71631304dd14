"""The table of keywords: complete, and what it says about itself is true."""

from __future__ import annotations

import re

import pytest

from zrf_py.data import data_file
from zrf_py.front.forms import read_forms
from zrf_py.front.keywords import CONDITIONS, KEYWORDS
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

NOT_IN_THE_GRAMMAR = {
    *("define", "include", "$n", ";"),  # gone before the grammar reads
    *("repeat", "off", "forced"),  # names to the grammar; check.py tells them apart
}


def test_every_word_of_the_grammar_has_a_row() -> None:
    grammar = re.sub(r"//.*", "", data_file("grammar/zrf.lark").read_text("utf-8"))
    words = set(re.findall(r'"([^"]+)"', grammar)) - {"(", ")"}
    assert words == set(KEYWORDS) - NOT_IN_THE_GRAMMAR


@pytest.mark.parametrize("word", KEYWORDS)
def test_row(word: str) -> None:
    row = KEYWORDS[word]
    assert row.meaning and row.where and row.form
    assert not row.meaning.endswith(".") and "\n" not in row.meaning
    assert word in row.form or word == "$n"
    report = Report()
    read_forms(Source("example.zrf", row.example), report, lambda name, origin: Source(name, ""))
    assert word in row.example or word == "$n"
    assert not [d for d in report.errors if d.code != "empty-file"]


def test_conditions_are_words_for_conditions() -> None:
    assert {"empty?", "not-empty?", "and", "true", "position-flag?"} <= set(CONDITIONS)
    assert not {"add", "n", "captured"} & set(CONDITIONS)
