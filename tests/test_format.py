"""The formatter: it is idempotent, keeps all words, and changes nothing on the shelf."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.playing import ROOT, of_every_kind
from tests.same import same_rules
from zrf_py import compile
from zrf_py.author.format import tree
from zrf_py.author.format.files import encoded, format_text, rewrite_bytes, rewrite_file, rules_files
from zrf_py.author.format.layout import comments, formatted, words
from zrf_py.author.format.tree import Item, pieces, read
from zrf_py.cli.main import main
from zrf_py.front.decode import decode
from zrf_py.front.forms import tokens

SHELF = sorted(rules_files([ROOT / "rules"]))
CORPUS = sorted(rules_files([os.environ["ZRF_CORPUS"]])) if os.environ.get("ZRF_CORPUS") else []

CASES = {
    "a lone parenthesis joins what it closes": ("(game\n  (players A)\n)\n", "(game\n  (players A))\n"),
    "unless it has a comment of its own": ("(game\n (a)\n) ; game\n", "(game\n  (a)\n)  ; game\n"),
    "a comment before the end stays inside": ("(a\n ;x\n)", "(a\n  ;x\n)\n"),
    "a parenthesis goes before the comment of its line": ("(a\n b ; why\n)", "(a\n  b)  ; why\n"),
    "`else` hangs": ("(if c\n a\n   else\n b)", "(if c\n  a\n else\n  b)\n"),
    "a list in a list": ("((a)\nb)", "((a)\n b)\n"),
    "many empty lines are one": ("(a)\n\n\n\n(b)", "(a)\n\n(b)\n"),
    "blanks": ("( a   b\t(c)d)", "(a b (c) d)\n"),
    "strings are kept": ('(a "x  y\n   z")', '(a "x  y\n   z")\n'),
    "rectangles are a table": ("(positions\n(a1 1 2 3 4)\n(b10 10 20 30 40))",
                               "(positions\n  (a1   1  2  3  4)\n  (b10 10 20 30 40))\n"),
    "columns the author made": ("(define a  (b))\n(define long (c))", "(define a    (b))\n(define long (c))\n"),
    "a drawing of words": ("(dummy\n  a   b\n    c\n  d   e)", "(dummy\n  a   b\n    c\n  d   e)\n"),
    "comments in a column": ("(a) ; x\n(long) ; y", "(a)     ; x\n(long)  ; y\n"),
    "a comment that goes on": ("(a) ; x\n    ; y\n(b)", "(a)  ; x\n     ; y\n(b)\n"),
    "line ends of Windows": ("(a\r\n b\r\n)\r\n", "(a\r\n  b)\r\n"),
    "an old end mark": ("(a )\x1a", "(a)\n\x1a"),
    "an open string is left": ('(a   "b)', '(a   "b)'),
    "nothing but comments is left": ("; a\r; b", "; a\r; b"),
}


@pytest.mark.parametrize("case", CASES)
def test_rules_are_formatted_in_the_standard_style(case: str) -> None:
    before, after = CASES[case]
    assert formatted(before) == after
    assert formatted(after) == after


def test_long_lines_are_broken() -> None:
    text = "(game (piece (name Man) " + "(moves " + "(slide north east) " * 12 + ")))"
    assert max(map(len, formatted(text).splitlines())) <= 100
    assert words(formatted(text)) == words(text)


parts = st.sampled_from(["(", ")", "(if", "else", " ", "  ", "\n", "\n\n", "\t", "; c", ";\n", '"s"', '"a\nb"', "12",
                         "n", "(positions", "(define", "\r\n", "é", "$1", "a-long-word-" * 9])


@settings(max_examples=300, deadline=None)
@example(["(if", "\n", "else", "\t", "else", "\n", '"s"'])
@given(st.lists(parts, max_size=60))
def test_formatting_any_text_keeps_its_words_and_is_idempotent(pieces: list[str]) -> None:
    text = "".join(pieces)
    once = formatted(text)
    assert words(once) == words(text)
    assert sorted(comments(once)) == sorted(comments(text))
    assert formatted(once) == once


@pytest.mark.parametrize("path", of_every_kind(SHELF), ids=lambda p: p.name)
def test_the_shelf_has_the_standard_style(path: Path) -> None:
    assert not rewrite_file(format_text, path, write=False).changed


@pytest.mark.slow
@pytest.mark.parametrize("path", CORPUS, ids=lambda p: p.name)
def test_formatting_changes_no_game(path: Path) -> None:
    """`format_text` itself compares words and comments, and reports differences; here the programs are compared,
    too."""
    result = rewrite_file(format_text, path, write=False)
    assert not result.changed or same_rules(str(path), result.before, result.after, path)
    assert not [d for d in result.problems if d.code == "internal"]
    assert result.problems or formatted(result.after) == result.after  # a form without its end is left as it is
    assert len(comments(result.after)) == len(comments(decode(path.read_bytes())))


def test_formatting_splits_each_text_once_and_compiles_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the texts before and after formatting are split into words. Compiling a long file takes ten times as long as
    formatting it."""
    split: list[str] = []
    monkeypatch.setattr(tree, "tokens", lambda text: split.append(text) or tokens(text))
    monkeypatch.setattr(compile, "compile_stages", None)
    before = "(define split-once ( n\n add\n)\n)\n" * 20
    result = format_text("x.zrf", before)
    assert result.changed and sorted(split) == sorted([before, result.after])


def test_encoding_is_kept() -> None:
    for data in ("; ü\n(a )".encode("cp1252"), "; ü\n(a )".encode(), b"\xef\xbb\xbf" + "; ü\n(a )".encode(),
                 b"; \x81\x9d\n(a )"):
        _, after = rewrite_bytes(format_text, "x", data)
        assert after == data.replace(b"(a )", b"(a)\n")
    assert encoded("\x80 €", b"\x80").decode() == "\x80 €"  # Windows-1252 can't encode U+0080


def test_unbalanced_files_are_left_unchanged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.zrf"
    path.write_text("(game\n   (players A)", "utf-8")
    assert main(["fmt", str(path)]) == 1
    assert "unclosed-form" in capsys.readouterr().err
    assert path.read_text("utf-8") == "(game\n   (players A)"


def test_fmt_checks_shows_or_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.zrf"
    path.write_text("(define a )", "utf-8")
    path.chmod(0o640)
    assert main(["fmt", "--check", str(tmp_path)]) == 1
    assert main(["fmt", "--diff", str(path)]) == 0
    assert "+(define a)" in capsys.readouterr().out
    assert main(["fmt", str(tmp_path)]) == 0
    assert path.read_text("utf-8") == "(define a)\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert main(["fmt", "--check", str(path)]) == 0
    assert main(["fmt", str(tmp_path / "none")]) == 1


def test_very_deep_nesting_is_left_unchanged() -> None:
    assert not read("(" * 5000 + ")" * 5000).clean


def columns(items: list[Item]) -> Iterator[int]:
    for item in items:
        yield item.column
        yield from columns(item.items or [])


@given(st.text(alphabet='ab\t\n ("";c)', max_size=60))
def test_columns_are_counted_within_the_line(text: str) -> None:
    found = read(text)
    if found.clean and found.balanced:
        told = [text[text.rfind("\n", 0, at) + 1 : at] for kind, at, _ in pieces(text) if kind != "CLOSE"]
        assert list(columns(found.items)) == [len(line.expandtabs(8)) for line in told]


@pytest.mark.parametrize("depth", [1, 4, 9])
def test_closing_parentheses_fit_into_the_line(depth: int) -> None:
    """However many words come before the parentheses, no line exceeds 100 characters."""
    texts = ["(define x " + "(and " * depth + "word " * count + ")" * depth + ")" for count in range(10, 30)]
    longest = [max(map(len, formatted(text).splitlines())) for text in texts]
    assert 90 < max(longest) <= 100
