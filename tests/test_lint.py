"""Lints told apart from working idioms: each pair is a mistake, and the same text as people mean it."""

from __future__ import annotations

from pathlib import Path

import pytest

from zrf_py.author.lint.linting import lint_source
from zrf_py.author.tests.pages import Block, Example, wrap
from zrf_py.text.source import Source

UNSAID = {"no-end", "no-description"}


def lints(rules: str) -> list[str]:
    """The codes of the lints of some rules; what a game still needs is added."""
    text = wrap(Example("", Block("zrf", "", rules, 1), None)).text
    linted = lint_source(Source("x.zrf", text), Path(__file__))
    assert not linted.report.errors
    return [d.code for d in linted.lints if d.code not in UNSAID]


PAIRS = {
    "a flag for the next block": (
        "no-add", "(piece (name Man) (moves ((set-flag shut (not-empty? n)) (verify (flag? shut))) (n add)))",
        "(piece (name Man) (moves ((set-flag shut (not-empty? n))) ((verify (not-flag? shut)) n add)))"),
    "a block that is switched off": (
        "unreachable", "(piece (name Man) (moves (n (verify empty?) add (verify false) n add)))",
        "(piece (name Wall) (moves ((verify false) n add)))"),
}


@pytest.mark.parametrize(("code", "mistake", "idiom"), PAIRS.values(), ids=PAIRS)
def test_a_mistake_and_not_the_idiom_beside_it(code: str, mistake: str, idiom: str) -> None:
    assert lints(mistake) == [code]
    assert lints(idiom) == []


@pytest.mark.parametrize("moves", [
    "(n (verify empty?) add add)", "(n (verify empty?) add) (n (verify empty?) add)",
], ids=["added twice", "one block twice"])
def test_moves_may_be_written_twice(moves: str) -> None:
    """Authors did so to make the original value a piece more."""
    assert lints(f"(piece (name Man) (moves {moves}))") == []


@pytest.mark.slow
def test_a_block_of_many_situations_is_judged() -> None:
    """A mistake behind thousands of conditions is found like one behind none."""
    loops = "(while (not-in-zone? home) (if (enemy? n) n else e) (if (friend? s) w else s))" * 800
    rules = f"(zone (name home) (players White) (positions a1))\n(piece (name Man) (moves ({loops} add capture)))"
    assert lints(rules) == ["effect-lost"]
