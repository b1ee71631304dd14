"""Messages about mistakes: every block of mistakes.md gets exactly the announced messages, with the help below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.playing import ROOT, of_every_kind
from zrf_py.author.editor.balance import placed
from zrf_py.author.lint.linting import lint_file, lint_source
from zrf_py.author.lint.subject import LINTS
from zrf_py.author.tests.pages import EXPECTED, Example, FencedBlock, examples, wrap
from zrf_py.cli.main import main
from zrf_py.library import rules_files
from zrf_py.text.codes import CODES
from zrf_py.text.diagnostics import Diagnostic
from zrf_py.text.source import Source

PAGE = (Path(__file__).parent / "mistakes.md").read_text("utf-8")
UNSAID = {"no-end", "no-description"}
"""Lints about parts of a game that examples leave out."""
BY_WORDS = re.compile(r"^## (.*?)$(.*?)(?=^## |\Z)", re.M | re.S)
HELP = {title: re.findall(r"^> (.*)$", body, re.M) for title, body in BY_WORDS.findall(PAGE)}


def told(example: Example) -> list[tuple[Diagnostic, int]]:
    """Return the messages about an example, each with its line (from 1; 0: without a line)."""
    wrapped = wrap(example)
    source = Source("example.zrf", wrapped.text)
    linted = lint_source(source, Path(__file__))
    found = []
    for diagnostic in (*placed(linted.diagnostics, None), *(linted.lints or ())):
        if diagnostic.code not in UNSAID:
            span = diagnostic.origin.span if diagnostic.origin else None
            inside = span is not None and span.source is source
            found.append((diagnostic, wrapped.line_of(span.start, example.rules.text) if span and inside else 0))
    return found


@pytest.mark.parametrize("example", examples(PAGE), ids=lambda e: e.heading.replace(" ", "-"))
def test_an_example_gets_the_announced_messages(example: Example) -> None:
    announced = [(number, m[1], m[2]) for number, line in enumerate(example.rules.text.splitlines(), 1)
                 for m in EXPECTED.finditer(line)]
    marked = [m[3] for line in example.rules.text.splitlines() for m in EXPECTED.finditer(line) if m[3]]
    found = told(example)
    assert sorted(announced) == sorted((line or 1, d.severity, d.code) for d, line in found)
    texts = [d.origin.span.text for d, _ in found if d.origin]
    assert all(text in texts for text in marked)
    assert announced, "a mistake about which nothing is said"
    assert HELP[example.heading] == [d.help for d, _ in found if d.help]


@pytest.mark.parametrize("path", of_every_kind(rules_files(ROOT / "rules")), ids=lambda p: p.name)
def test_the_bundled_games_have_no_lints(path: Path) -> None:
    assert not [f"{d.code} {d.origin}: {d.message}" for d in lint_file(path).lints or ()]


@pytest.mark.parametrize("code", sorted(LINTS))
def test_lints_are_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code not in CODES
    assert LINTS[code].meaning.endswith(".")
    assert main(["explain", code]) == 0
    for rules, earned in ((LINTS[code].wrong, True), (LINTS[code].right, False)):
        if rules:
            found = {d.code for d, _ in told(Example("", FencedBlock("zrf", "", rules, 1), None))}
            assert (code in found) == earned


def test_allowed_findings_are_suppressed() -> None:
    rules = "(piece (name Man) (moves\n  (n (verify enemy?) add\n  capture)))  ; zrf: allow {}"
    for code, count in (("effect-lost", 0), ("no-add", 1)):
        example = Example("", FencedBlock("zrf", "", rules.format(code), 1), None)
        text = wrap(example).text.replace("capture)))\n", f"capture)))  ; zrf: allow {code}\n")
        found = [d.code for d in lint_source(Source("x", text)).lints or () if d.code not in UNSAID]
        assert len(found) == count
    everywhere = "; zrf: allow effect-lost\n" + wrap(Example("", FencedBlock("zrf", "", rules, 1), None)).text
    assert "effect-lost" not in {d.code for d in lint_source(Source("x", everywhere)).lints or ()}


@pytest.mark.parametrize("moves", [
    "(n (if (empty? n) capture else (capture n) n) (verify enemy?) add)",
    "(n (if enemy? capture add) (verify empty?))",
    "(n capture (if (empty? n) n add))",
    "(take n add) (take s n)",
    "(take n add) (take add n)",
], ids=["on both ways", "on one way", "before two ways", "shared by blocks", "late in one of two blocks"])
def test_effect_used_on_one_path_is_not_lost(moves: str) -> None:
    """An effect is lost only if no path, in any block that contains it, reaches an `add`."""
    rules = f"(define take ($1 capture $2))\n(piece (name Man) (moves {moves}))"
    found = {d.code for d, _ in told(Example("", FencedBlock("zrf", "", rules, 1), None))}
    assert found <= {"no-add", "unused-macro", "test-too-late"}


def test_similar_name_of_an_included_file_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "moves.inc").write_text("(define step ($1 (verify empty?) add))")
    (tmp_path / "moves.txt").write_text("")
    linted = lint_source(Source(str(tmp_path / "x.zrf"), '(include "moves.zrf")'), tmp_path / "x.zrf")
    assert [(d.code, d.help) for d in linted.diagnostics] == [("missing-include", "did you mean `moves.inc`?")]


def test_lint_fails_if_it_finds_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.zrf"
    path.write_text(wrap(examples(PAGE)[-1]).text, "utf-8")
    assert main(["lint", str(path)]) == 1
    assert main(["lint", str(ROOT / "rules" / "tictactoe.zrf")]) == 0
    assert main(["lint", "--json", str(path)]) == 1
    capsys.readouterr()
