"""`zrf test` finds, runs and reports tests of games, on pages beside rules files and in comments of rules files."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.playing import ROOT
from tests.tutorial import do, fits, steps
from zrf_py.author.tests.pages import KEYS
from zrf_py.author.tests.running import tests_of as found_in
from zrf_py.author.trials.trying import remembered
from zrf_py.cli.main import main
from zrf_py.play.game import load

RULES = (ROOT / "rules" / "tictactoe.zrf").read_text("utf-8")
TRUE = {
    "moves": "count: 9\ncan: X Mark b2\ncannot: O Mark c3\nplay: b2\n. . .\n. M .\n. . .\nto move: O",
    "among": "among: " + ", ".join(f"X Mark {file}{rank}" for file in "abc" for rank in "123"),
    "perft": "perft: 3 504",
    "end": "play: a1, b1, a2, b2, a3\noutcome: X won",
    "games": "at most: X Mark 5\ngames: 5 within 9",
    "loser": "play: a1, b1, a2, b2, a3\noutcome: O lost",
    "nothing": "play: a1\nhas: a1 X Mark\nhas: b1 nothing",
}
FALSE = {
    "moves": "count: 8", "among": "among: X Mark a1", "perft": "perft: 3 505", "end": "play: a1\noutcome: X won",
    "games": "games: 5 within 4", "men": "at most: X Mark 2\ngames: 5 within 9", "nonsense": "perft: many",
    "unknown": "at most: X Cross 9",
    "loser": "play: a1, b1, a2, b2, a3\noutcome: X lost", "nothing": "play: a1\nhas: a1 nothing",
    "no end": "play: a1, b1, a2, b2, a3\noutcome: none", "drawing": "count: 9\nM . .\n. . .\n. . .",
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
def test_true_statements_pass(name: str, inside: bool, tmp_path: Path) -> None:
    rules = set_up(tmp_path, page(name, TRUE[name]), inside)
    results = [test.run() for test in found_in(rules)]
    assert [r.problem for r in results] == [""]
    assert results[0].name == name


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_fail(name: str, tmp_path: Path) -> None:
    rules = set_up(tmp_path, page(name, FALSE[name]), False)
    assert [bool(test.run().problem) for test in found_in(rules)] == [True]


def test_the_exit_code_of_zrf_test_reports_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_test_page_may_contain_its_own_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(ROOT / "tests" / "spec" / "notation.md")]) == 0
    assert "0 failed" in capsys.readouterr().out


def test_pages_in_archives_are_found_as_in_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pages beside rules, pages with their own rules, and pages of an archive within an archive are found; pages
    without tests are ignored."""
    own = (ROOT / "tests" / "spec" / "notation.md").read_text("utf-8")
    inner = tmp_path / "inner"
    inner.mkdir()
    set_up(inner, page("good", TRUE["perft"]), False)
    files = {"own.md": own, "read.md": "# Nothing to run\n", "wrong/Own.MD": own.replace("\ncan: ", "\ncannot: ", 1),
             **{f"in/{path.name}": path.read_text("utf-8") for path in inner.iterdir()}}
    folder = tmp_path / "folder"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")

    def packed(name: str, more: tuple[str, ...] = ()) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for file, text in files.items():
                archive.writestr(file, text)
            for file in more:
                archive.write(tmp_path / file, f"deep/{file}")
        return tmp_path / name

    monkeypatch.chdir(tmp_path)
    said = []
    for place in ("folder", str(packed("flat.zip")), str(packed("outer.zip", ("flat.zip",)))):
        assert main(["test", "-v", place]) == 1
        lines = capsys.readouterr().out.splitlines()
        said.append([line.partition(" (")[0].replace(place, "") for line in lines
                     if line.startswith(("passed", "FAILED"))])
    assert len(said[0]) > 6 and sum(line.startswith("FAILED") for line in said[0]) == 1
    assert [sorted(rows) for rows in said[:2]] == [sorted(said[0])] * 2
    assert sorted(said[2]) == sorted([*said[0], *(line.replace(" /", " /deep/flat.zip/", 1) for line in said[0])])


def test_rules_with_errors_are_reported(tmp_path: Path) -> None:
    (tmp_path / "x.zrf").write_text("(game (players A)", "utf-8")
    (tmp_path / "x.md").write_text(page("x", "count: 1"), "utf-8")
    assert "unclosed-form" in found_in(tmp_path / "x.zrf")[0].run().problem


HEXAGONS = """(game (title "Hex") (players White Black) (turn-order White Black)
  (board (positions (top 24 0 72 48) (left 0 40 48 88) (right 48 40 96 88) (foot 24 80 72 128))
    (links down (top left) (right foot)))
  (piece (name Man) (moves (down (verify empty?) add)))
  (board-setup (White (Man top)) (Black (Man foot))))"""
WIDE = """(game (title "Wide") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("COLUMNS" (48 0)) ("2/1" (0 48))) (directions (e 1 0))))
  (piece (name Man) (moves (e (verify empty?) add)))
  (board-setup (White (Man f1-2)) (Black (Man f1-1))))"""


def problems_of(text: str, tests: str, folder: Path) -> list[str]:
    (folder / "own.zrf").write_text(text, "utf-8")
    (folder / "own.md").write_text(tests, "utf-8")
    return [test.run().problem for test in found_in(folder / "own.zrf")]


@pytest.mark.parametrize(("line", "problem"), [
    ("cuont: 1", "cuont: 1\ncan't be read: `cuont: 1` is neither a line of a test nor a move\n"
     "  = help: did you mean `count:`?"),
    ("has: top White Mann", "has: top White Mann\ncan't be read: there is no `Mann` in this game\n"
     "  = help: did you mean `Man`?"),
])
def test_a_line_that_cannot_be_read_is_reported_with_help(line: str, problem: str, tmp_path: Path) -> None:
    assert problems_of(HEXAGONS, f"```moves\n{line}\n```\n", tmp_path) == [problem]


def test_a_block_that_cannot_be_read_is_reported_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "own.zrf").write_text(HEXAGONS, "utf-8")
    (tmp_path / "own.md").write_text("# Own\n\n```move\ncount: 1\n```\n\n```moves\n\ncount: 99\n```\n", "utf-8")
    results = [test.run() for test in found_in(tmp_path / "own.zrf")]
    assert [(result.place.rpartition(":")[2], bool(result.problem)) for result in results] == [("3", True), ("9", True)]


def test_drawings_follow_the_places_of_the_squares(tmp_path: Path) -> None:
    """Each sign means the square at its place, also if rows are offset or files are counted from the right."""
    hexagons = ("```moves Black to move\n.\nM m\n.\nhas: left White Man\nhas: right Black Man\nto move: Black\n"
                "play: right foot\n.\nM .\nm\n```\n```moves\n- . -\nM - m\n- . -\nhas: left White Man\n```\n")
    assert problems_of(HEXAGONS, hexagons, tmp_path) == ["", ""]
    assert "does not match the board" in problems_of(HEXAGONS, hexagons.replace("- . -\nM", "- - .\nM"), tmp_path)[1]
    shogi = "```moves\n" + "\n".join([*[". . . . . . . . ."] * 3, "k . . . . . . . .", *[". . . . . . . . ."] * 4,
                                      ". . . . . . . . K"]) + "\nhas: 9d Gote King\nhas: 1i Sente King\ncan: K1h\n```\n"
    assert problems_of('(include "shogi.zrf")', shogi, tmp_path) == [""]


def test_a_board_of_more_than_26_columns_is_drawn(tmp_path: Path) -> None:
    columns = "/".join(f"f{number}-" for number in range(1, 31))
    row = " ".join(["."] * 29)
    tests = f"```moves\n{row} M\nm {row}\nhas: f30-2 White Man\nhas: f1-1 Black Man\n```"
    assert problems_of(WIDE.replace("COLUMNS", columns), tests, tmp_path) == [""]


def test_a_position_line_sets_the_whole_position(tmp_path: Path) -> None:
    """The line includes the side to move and the hands, and is read like the text of `Game.read`."""
    tests = ("```moves\nposition: Sente King 9i; Gote King 9a | turn Gote | store Gote Pawn 2\nto move: Gote\n"
             "can: P*5e\ncan: Gote Pawn 5e\ncannot: P*5i\nplay: P*5e; K8h\nstore: Gote Pawn 1\n```\n")
    assert problems_of('(include "shogi.zrf")', tests, tmp_path) == [""]


def test_a_failure_has_a_line_and_the_expected_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = set_up(tmp_path, page("bad", "play: a1\ncan: b2\ncan: a1\ncan: c3"), False)
    assert main(["test", str(rules)]) == 1
    said = capsys.readouterr().out
    assert f"{rules.with_suffix('.md')}:6 bad" in said
    assert "can: a1\n    expected: a legal move\n    found: not legal; O to move" in said
    rules = set_up(tmp_path, page("end", "play: a1\noutcome: X won"), False)
    assert main(["test", str(rules)]) == 1
    assert "expected: X won\n    found: none; O to move" in capsys.readouterr().out


# -------------------------------------------------------------------------------- the page that explains tests of games


PAGE = (ROOT / "grammar" / "tests.md").read_text("utf-8")
ROWS = {key: line.replace("\\|", "|") for line, key in re.findall(r"^\| `(([\w ]+): [^`]+)` \|", PAGE, re.M)}
"""Key → the line that the page's table shows for it."""
UNLIKE_HOP = {"variant", "squares", "fault"}
"""Keys of lines that can't hold in the game of the page."""


def test_commands_on_the_page_about_tests_print_its_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed = [(command, said, found) for step in steps(PAGE) for command, said, found in do(step)]
    assert len(printed) >= 6 and not [(command, found) for command, said, found in printed if not fits(said, found)]
    game = load("hop.zrf")
    for last in (False, True):
        assert remembered(game, ["Man a1 - a2"], last) in PAGE


def test_the_page_about_tests_documents_every_key() -> None:
    assert ROWS.keys() == KEYS.keys()


@pytest.mark.parametrize("key", sorted(ROWS.keys() - UNLIKE_HOP))
def test_example_lines_on_the_page_pass_in_its_game(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "hop.zrf", "--kind", "men"]) == 0
    more = "games: 1 within 100" if key == "at most" else "outcome: none"
    Path("hop.md").write_text(f"```moves\n{ROWS[key]}\n{more}\n```\n", "utf-8")
    assert [test.run().problem for test in found_in(Path("hop.zrf"))] == [""]
