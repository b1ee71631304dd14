"""Limits of rules files, each exact and as documented; numbers; suggestions for misspelt words."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path

import pytest

import zrf_py
from tests.playing import ROOT, counted
from zrf_py.front import board, check, expand, forms, model, nodes, parse
from zrf_py.ir import emitter
from zrf_py.text import diagnostics, suggest
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import LARGEST, is_too_large, number, whole_number
from zrf_py.text.source import Source

GAME = """(define step (name "x" ) )
(game (title "Small") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
                 (directions (n 0 -1) (s 0 1) (e 1 0))))
    (piece (name Man) (attribute royal true) (attribute slow false)
           (moves (n (set-flag up true) (set-flag far false) (verify empty?) add)
                  (s (set-position-flag met true) add)))
    (board-setup (White (Man a1 off 5)) (Black (Man c3))))
"""
WORDS = len(re.findall(r'[()]|"[^"]*"|[^\s()"]+', GAME))


def test_limits_match_the_documentation() -> None:
    text = (ROOT / "grammar" / "README.md").read_text("utf-8").partition("\n## Limits\n")[2].partition("\n## ")[0]
    found = [int(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\d|\d+", text)]
    assert found == [forms.MAX_TEXT, forms.MAX_TOKENS, forms.MAX_FILES, forms.MAX_INCLUDES, nodes.MAX_NESTING,
                     expand.MAX_NODES, parse.MAX_TOKENS, board.MAX_POSITIONS, check.MAX_ATTRIBUTES,
                     expand.MAX_TOKEN >> 10, 200_000, LARGEST, LARGEST, model.MAX_STORE]
    assert emitter.MAX_FLAGS == check.MAX_ATTRIBUTES and expand.MAX_TOKEN % 1024 == 0


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read each text anew, without a cache."""
    monkeypatch.setenv("ZRF_CACHE", os.devnull)


def codes(text: str, folder: Path | None = None) -> set[str]:
    """Return the codes of a text's errors."""
    try:
        zrf_py.loads(text, folder=folder)
    except ZrfError as error:
        return {d.code for d in error.diagnostics if d.severity == "error"}
    return set()


@pytest.mark.parametrize(("module", "name", "needed", "code"), [
    (forms, "MAX_TEXT", len(GAME.rstrip()), "too-large"), (forms, "MAX_TOKENS", WORDS, "too-large"),
    (forms, "MAX_FILES", 1, "too-large"), (board, "MAX_POSITIONS", 9, "board-too-large"),
    (board, "MAX_LINKS", 27, "board-too-large"), (check, "MAX_ATTRIBUTES", 2, "too-many-attributes"),
    (board, "MAX_TABLE", 27, "board-too-large"), (forms, "MAX_NESTING", 6, "too-deep"),
    (emitter, "MAX_FLAGS", 2, "too-many-flags"), (model, "MAX_STORE", 5, "number-too-large"),
])
def test_input_at_the_limit_is_read(
    module: object, name: str, needed: int, code: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    for most in (needed + 1, needed):
        monkeypatch.setattr(module, name, most)
        assert codes(GAME) == set()
    monkeypatch.setattr(module, name, needed - 1)
    assert code in codes(GAME)


@pytest.mark.parametrize(("levels", "at_once", "one_by_one"), [(1, 7, 8), (2, 8, 11), (3, 9, 14), (4, 10, 17)])
def test_macros_may_nest_as_deep_as_the_limit(
    levels: int, at_once: int, one_by_one: int, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Four forms are around the first call. A call counts as one level, its argument as another, and each form of its
    body as one more; a call whose body is only its argument counts once."""
    body = "(if empty? " * levels + "$1" + ")" * levels
    whole = f"(define wrap {body})\n" + GAME.replace("(verify empty?) add", "(wrap add)")
    calls = "(define w0 $1)" + "".join(f"(define w{i} (if empty? (w{i - 1} $1)))" for i in range(1, levels + 1))
    for text, deepest in ((whole, at_once),
                          (calls + GAME.replace("(verify empty?) add", f"(w{levels} add)"), one_by_one)):
        monkeypatch.setattr(expand, "MAX_NESTING", deepest)
        assert codes(text) == set()
        monkeypatch.setattr(expand, "MAX_NESTING", deepest - 1)
        assert "too-deep" in codes(text)


def test_files_may_include_each_other_as_deep_as_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MAX_INCLUDES", 4)
    for depth in counted((2, 3, 4, 5), 4):
        for i in range(2, depth):
            (tmp_path / f"{i}.zrf").write_text(f'(include "{i + 1}.zrf")')
        (tmp_path / f"{depth}.zrf").write_text("; the last one\n")
        assert codes('(include "2.zrf")\n' + GAME, tmp_path) == ({"recursive-include"} if depth > 4 else set())
    monkeypatch.setattr(forms, "MAX_INCLUDES", 32)
    for most in (5, 4):
        monkeypatch.setattr(forms, "MAX_FILES", most)
        assert codes('(include "2.zrf")\n' + GAME, tmp_path) == (set() if most == 5 else {"too-large"})


@pytest.mark.parametrize(("text", "name", "code"), [
    ('(define big (history "0123456789$1"))\n' + GAME.replace("(players", '(big "abcde") (players'), "MAX_TOKEN",
     "expansion-too-large"),
    ('(define big (history "0123456789$1"))\n' + GAME.replace("(players", '(big "abcde") (players'), "MAX_PASTED",
     "expansion-too-large"),
    ("(define twice $1 $1)\n" + GAME.replace("(moves", "(moves (n (twice (twice n)) (verify empty?) add)"), "MAX_SIZE",
     "expansion-too-large"),
    ("(define twice $1 $1)\n" + GAME.replace("(moves", "(moves (n (twice (twice n)) (verify empty?) add)"), "MAX_NODES",
     "expansion-too-large"),
])
def test_expansion_fails_below_one_limit_and_succeeds_from_there(
    text: str, name: str, code: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One number separates the limits at which the text is refused from those at which it is accepted."""
    assert codes(text) == set()

    def is_read(most: int) -> bool:
        monkeypatch.setattr(expand, name, most)
        return code not in codes(text)

    first = bisect_left(range(400), True, key=is_read)
    assert [is_read(most) for most in (first - 1, first, first + 1)] == [False, True, True] and first > 10
    if name in ("MAX_TOKEN", "MAX_PASTED"):
        assert first == len("0123456789abcde")
    if name == "MAX_SIZE":
        report = diagnostics.Report()
        read = forms.read_forms(Source("game.zrf", text), report, lambda name, origin: None)
        found = expand.expand(read, report)
        assert first == size(found.nodes) == found.size


def size(these: Sequence[nodes.Node]) -> int:
    """Return the number of words and forms, also inside forms."""
    return sum(1 + size(node.items) if isinstance(node, nodes.Form) else 1 for node in these)


def test_problems_are_reported_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.zrf"
    path.write_text(GAME.replace("(verify empty?) add)", "(verify empty?) one two three add)"))
    assert len([d for d in zrf_py.check(path) if d.severity == "error"]) == 3
    for most, expected in ((3, 3), (2, 3), (1, 2)):
        monkeypatch.setattr(diagnostics, "MAX_PROBLEMS", most)
        found = [d.code for d in zrf_py.check(path) if d.severity == "error"]
        assert len(found) == expected and (found[-1] == "too-many-problems") == (most < 3)


# -------------------------------------------------------------------------------------------------- numbers and words


@pytest.mark.parametrize(("text", "value"), [
    ("0", 0), ("-0", 0), ("+5", 5), ("-5", -5), ("007", 7), (str(LARGEST), LARGEST), (str(LARGEST + 1), LARGEST + 1),
    (str(LARGEST + 2), LARGEST + 1), ("-" + str(LARGEST + 2), -LARGEST - 1), ("9" * 10, LARGEST + 1),
    ("9" * 400, LARGEST + 1), ("00000000000001", 1), ("1000000000", 10 ** 9), ("99999999999", LARGEST + 1),
])
def test_numbers_of_any_length_are_read(text: str, value: int) -> None:
    assert whole_number(text) == value and is_too_large(text) == (abs(value) > LARGEST)


def test_numbers_and_nouns_agree() -> None:
    assert [number(n, "file") for n in (0, 1, 2, 1234)] == ["0 files", "1 file", "2 files", "1,234 files"]


@pytest.mark.parametrize(("word", "meant", "slip"), [
    ("turn", "turn", True), ("turns", "turn", True), ("trun", "turn", True), ("tunr", "turn", True),
    ("urn", "turn", False),
    ("turnss", "turn", False), ("tarn", "turn", True), ("tarm", "turn", False), ("emty?", "empty?", True),
    ("Board", "board", True), ("board-setup", "board_setup", True), ("x", "y", False), ("abd", "abc", False),
    ("abdc", "abcd", True), ("abxxcd", "abcd", False), ("bcda", "abcd", False), ("empty", "empty?", True),
    ("move-typ", "move-type", True), ("ove-type", "move-type", True), ("omve-type", "move-type", True),
])
def test_slips_are_one_letter_missing_extra_wrong_or_swapped(word: str, meant: str, slip: bool) -> None:
    assert suggest.is_slip(word, meant) == slip


def test_suggestions_prefer_words_that_look_alike() -> None:
    words = ["verify", "empty?", "not-empty?", "Empty-Cell", "enemy?"]
    assert [suggest.suggest(w, words) for w in ("EMPTY", "emptycell", "not_empty?", "verfy", "enmy?", "zzz")] == [
        "empty?", "Empty-Cell", "not-empty?", "verify", "enemy?", None]
    assert suggest.suggest("x" * 100, ["x" * 100]) == "x" * 100 and suggest.suggest("x" * 101, ["x" * 101]) is None
    many = [f"w{i:05}" for i in range(suggest.MAX_CANDIDATES)]
    assert suggest.suggest("target", [*many[:-1], "target"]) == "target"
    assert suggest.suggest("target", [*many, "target"]) is None
    assert suggest.did_you_mean("verfy", words, "else") == "did you mean `verify`?"
    assert suggest.did_you_mean("zzz", words, "else") == "else" and suggest.did_you_mean("zzz", words) == ""


def test_long_lists_of_words_are_shortened() -> None:
    assert suggest.listing("abcdefgh") == ", ".join(f"`{c}`" for c in "abcdefgh")
    assert suggest.listing("abcdefghi") == ", ".join(f"`{c}`" for c in "abcdefgh") + " and 1 more"
    assert suggest.listing(["a", "b", "a"], limit=1) == "`a` and 1 more"
    assert suggest.clipped("x" * 100) == "x" * 100 and suggest.clipped("x" * 101) == "x" * 100 + "…"
    assert [suggest.clipped(text, 4) for text in ("abcd", "abcde")] == ["abcd", "abcd…"]
