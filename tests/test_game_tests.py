"""`zrf test`: tests of games beside them and in their comments, found, run and reported."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.playing import ROOT
from zrf_py.author.tests.running import tests_of as found_in
from zrf_py.cli.main import main

RULES = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
TRUE = {
    "moves": "count: 9\ncan: X Mark b2\ncannot: X Mark d4\nplay: b2\n. . .\n. M .\n. . .\nto move: O",
    "among": "among: " + ", ".join(f"X Mark {file}{rank}" for file in "abcd" for rank in "123"),
    "perft": "perft: 3 504",
    "end": "play: a1, b1, a2, b2, a3\noutcome: X won",
    "games": "at most: X Mark 5\ngames: 5 within 9",
}
FALSE = {
    "moves": "count: 8", "among": "among: X Mark a1", "perft": "perft: 3 505", "end": "play: a1\noutcome: X won",
    "games": "games: 5 within 4", "men": "at most: X Mark 2\ngames: 5 within 9", "nonsense": "perft: many",
    "unknown": "at most: X Cross 9",
    "drawing": "M . .\n. . .\n. . .",
}


def page(name: str, text: str) -> str:
    return f"# {name}\n\n```moves\n{text}\n```\n"


def set_up(folder: Path, text: str, inside: bool) -> Path:
    rules = folder / "toe.zrf"
    comments = "".join(f"; {line}".rstrip() + "\n" for line in text.splitlines()) if inside else ""
    rules.write_text(comments + RULES, "utf-8")
    if not inside:
        (folder / "toe.md").write_text(text, "utf-8")
    return rules


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("name", TRUE)
def test_what_holds_passes(name: str, inside: bool, tmp_path: Path) -> None:
    rules = set_up(tmp_path, page(name, TRUE[name]), inside)
    results = [test.run() for test in found_in(rules)]
    assert [r.problem for r in results] == [""]
    assert results[0].name == name


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_hold_fails(name: str, tmp_path: Path) -> None:
    rules = set_up(tmp_path, page(name, FALSE[name]), False)
    assert [bool(test.run().problem) for test in found_in(rules)] == [True]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = set_up(tmp_path, page("good", TRUE["perft"]) + page("bad", FALSE["perft"]), False)
    report = tmp_path / "report.xml"
    assert main(["test", str(tmp_path), "--junit", str(report)]) == 1
    assert "504 leaves" in capsys.readouterr().out
    suite = ElementTree.parse(report).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    (tmp_path / "toe.md").write_text(page("good", TRUE["perft"]), "utf-8")
    assert main(["test", str(rules)]) == 0
    (tmp_path / "toe.md").unlink()
    assert main(["test", str(rules)]) == 2


def test_a_page_with_rules_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(ROOT / "tests" / "spec" / "notation.md")]) == 0
    assert "0 failed" in capsys.readouterr().out


def test_rules_with_errors_are_told(tmp_path: Path) -> None:
    (tmp_path / "x.zrf").write_text("(game (players A)", "utf-8")
    (tmp_path / "x.md").write_text(page("x", "count: 1"), "utf-8")
    assert "unclosed-form" in found_in(tmp_path / "x.zrf")[0].run().problem
