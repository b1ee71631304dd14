"""`-` as the name of a file: the standard input or output, alike in all commands, or a clear error."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as tree
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.playing import HANG, RULES
from zrf_py.cli.main import main
from zrf_py.library import load_text
from zrf_py.play.zsg import read_game

Zrf = Callable[..., tuple[int, str, str]]
FEW = ("--games", "4", "--workers", "1")
PUZZLE = ("peg-solitaire", "--variant", "Latin Cross")


@pytest.fixture
def zrf(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Zrf:
    """A function that runs the command in an empty folder, in which no file may appear, and returns exit code, standard
    output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        try:
            code = main(words)
        finally:
            assert not list(Path().iterdir())
        return code, *capfd.readouterr()

    return run


def piped(*words: str, given: bytes, folder: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "zrf_py", *words], input=given, capture_output=True, cwd=folder,
                          timeout=HANG)


def test_a_report_can_be_written_to_standard_output(zrf: Zrf) -> None:
    code, out, err = zrf("judge", "tictactoe", *FEW, "--html", "-")
    assert code == 0 and out.lower().startswith("<!doctype html>") and out.rstrip().endswith("</html>")
    assert "random games" in err


def test_a_solution_can_be_written_to_standard_output(zrf: Zrf) -> None:
    code, out, err = zrf("solve", *PUZZLE, "--save", "-")
    saved = read_game(out)
    assert code == 0 and saved.variant == "Latin Cross" and len(saved.entries) > 3
    assert f"solved in {len(saved.entries)} turns" in err and "saved as" not in err


def test_test_results_can_be_written_to_standard_output(zrf: Zrf) -> None:
    code, out, err = zrf("test", "tictactoe", "--junit", "-")
    suite = next(tree.fromstring(out).iter("testsuite"))
    assert code == 0 and err == f"{suite.get('tests')} passed, 0 failed\n"


def test_games_can_be_written_to_standard_output(zrf: Zrf) -> None:
    code, out, err = zrf("selfplay", "tictactoe", *FEW, "-o", "-")
    games = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and len(games) == 4 and all(game["move"] for game in games) and "4 games" in err


def test_a_new_game_can_be_written_to_standard_output(zrf: Zrf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    code, out, err = zrf("new", "-", "--kind", "row")
    assert (code, err) == (0, "")
    assert [program.game.title for program in load_text(out).programs] == ["My Game"]


@pytest.mark.parametrize("words", [
    ("match", "random", "greedy", "--game", "tictactoe", *FEW, "--save", "-"),
    ("match", "random", "greedy", "--game", "tictactoe", *FEW, "--results", "-"),
    ("port", str(RULES / "monks"), "-o", "-"), ("export", "--site", str(RULES / "monks"), "-o", "-"),
    ("serve", "tictactoe", "--state", "-"), ("show", "tictactoe", "--svg", "-", "--png", "-"),
    ("judge", "tictactoe", *FEW, "--html", "-", "--json"), ("solve", *PUZZLE, "--save", "-", "--json")],
    ids=lambda words: " ".join(words[:1] + words[-2:]))
def test_output_that_needs_a_file_is_refused_before_work_begins(zrf: Zrf, words: tuple[str, ...]) -> None:
    code, out, err = zrf(*words)
    assert (code, out) == (1, "") and err.startswith("error[usage]: ")
    assert "standard output" in err and len(err.splitlines()) == 2
    assert re.search("= help: (type the path of a |write one of them to a file)", err)


RULED = (RULES / "tictactoe.zrf").read_bytes()


def test_rules_from_standard_input_become_a_page_on_standard_output(zrf: Zrf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RULED)))
    code, out, _ = zrf("export", "-")
    assert code == 0 and out.startswith("<!doctype html>")


def test_fix_filters_standard_input(tmp_path: Path) -> None:
    wrong = RULED.replace(b"(players", b"(palyers", 1)
    assert wrong != RULED
    shown = piped("fix", "-", given=wrong, folder=tmp_path)
    assert shown.returncode == 1 and b"+" in shown.stdout and b"--write" in shown.stdout
    mended = piped("fix", "-", "--write", given=wrong, folder=tmp_path)
    assert (mended.returncode, mended.stdout) == (0, RULED), mended.stderr
    assert b"fixed: 1" in mended.stderr and not list(tmp_path.iterdir())


def test_file_called_dash_is_read_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("(game"))
    Path("-").write_bytes(RULED)
    for words in (("check", "./-"), ("moves", "./-"), ("lint", "./-")):
        assert main(words) == 0
