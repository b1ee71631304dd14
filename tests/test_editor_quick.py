"""Incremental compilation of a text reports the same problems as compiling it anew."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.playing import RULES, slow
from tests.test_editor_edits import edited
from zrf_py.author.editor.analysis import analyse
from zrf_py.author.editor.quick import Quick
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Source

FILES = ["tictactoe", "checkers", "monks/monks-halma", "booklet/tippy"]


def told(messages: tuple[Diagnostic, ...]) -> list[tuple[object, ...]]:
    """Return messages with their places, but without their macro calls, whose order may differ."""
    return [(d.code, d.severity, d.message, d.origin and (d.origin.span.start, d.origin.span.end, d.origin.span.text))
            for d in messages]


def same(quick: Quick, path: Path, text: str) -> bool | None:
    """Check that incremental and full compilation find equal problems; return True, or None if the former gives up."""
    source = Source(str(path), text)
    found = quick.problems(source)
    if found is None:
        quick.problems(Source(str(path), path.read_text("utf-8")))
        return None
    assert told(found) == told(analyse(source, path).diagnostics)
    return True


@pytest.mark.parametrize("name", [*FILES[:2], *slow(FILES[2:])])
def test_incremental_and_full_problems_agree_after_single_edits(name: str) -> None:
    """Words are misspelt, corrected, redefined or moved: each problem is reported, with its place in the current
    text."""
    path = RULES / f"{name}.zrf"
    text = path.read_text("utf-8")
    quick = Quick(path)
    told_quickly = [same(quick, path, text)]
    for old, new in (("(verify", "(verfy"), ("(piece", "\n\n(piece"), ("empty?", "emty?"), ("(define ", "(define x"),
                     ("(players", "; a comment\n(players"), ("(game", "(define new (n add))\n(game"),
                     ("(title", "(titel")):
        if old in text:
            told_quickly += [same(quick, path, text.replace(old, new, 1)), same(quick, path, text)]
    assert told_quickly.count(True) > 3


def test_problems_of_unchanged_forms_are_repeated() -> None:
    """A mistake in one form is still reported while another form is edited, and its place moves with the text before
    it."""
    path = RULES / "tictactoe.zrf"
    text = path.read_text("utf-8").replace("(verify", "(verfy", 1)
    quick = Quick(path)
    for number in range(4):
        assert same(quick, path, f"(define unused{number} (n add))\n" * (number % 3) + text + "\n" * number)


def test_a_comment_may_swallow_the_next_form() -> None:
    path = RULES / "tictactoe.zrf"
    text = path.read_text("utf-8")
    quick = Quick(path)
    same(quick, path, text)
    at = text.index("(game")
    for changed in (text[:at] + "; " + text[at:], text[:at] + ";\n" + text[at:], text[:at] + '"' + text[at:]):
        assert same(quick, path, changed) is not False


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_incremental_and_full_problems_agree_after_random_edits(name: str) -> None:
    path = RULES / f"{name}.zrf"
    whole = path.read_text("utf-8")
    chance, quick, text = random.Random(name), Quick(path), whole
    same(quick, path, whole)
    for number in range(60):
        text = whole if number % 4 == 3 else edited(text, chance)
        same(quick, path, text)
