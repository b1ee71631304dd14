"""Progress of long commands, shown on a terminal; standard output is the same with and without a terminal."""

from __future__ import annotations

import io
import itertools
import re
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("rich")

from zrf_py.cli.main import main

SHORT = """(game (title "Short") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1" (0 9))) (directions (e 1 0))))
  (piece (name Man) (moves (e (verify empty?) add))) (board-setup (White (Man a1))))"""
ALONE = SHORT.replace("White Black", "White").replace(
    "(board-setup", "(win-condition (White) (absolute-config Man (c1))) (board-setup")
COLOUR, PLACE = re.compile(r"\x1b\[[\d;]*m|[\u2800-\u28ff]"), re.compile(r"\x1b\[[\d;?]*[a-zA-Z]|[\r\n]")


class Terminal(io.StringIO):
    """A standard error stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True

    @property
    def lines(self) -> list[str]:
        """Return the lines shown, without the codes that place and colour them."""
        return [line.strip() for line in PLACE.split(COLOUR.sub("", self.getvalue())) if line.strip()]


def shown(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> tuple[str, list[str]]:
    """Return the output of a command, which is the same with and without a terminal, and the lines shown on the
    terminal."""
    out = []
    for error in (io.StringIO(), Terminal()):
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stderr", error)
            for name, value in {"TERM": "xterm", "COLUMNS": "120"}.items():
                patched.setenv(name, value)
            assert main(words) == 0
        out.append(re.sub(r" *\d+\.\d+ +|[\d,]+ a second", "", capsys.readouterr().out))
        if not error.isatty():
            assert "\x1b" not in error.getvalue()
    assert out[0] == out[1]
    assert isinstance(error, Terminal)
    return out[0], error.lines


class Updates(list[str]):
    """A status line that only collects its texts; the one of `rich` draws them at times of its own choosing."""

    def __call__(self, text: str, console: object) -> Updates:
        return self

    def update(self, text: str) -> None:
        self.append(text)

    def start(self) -> None:
        pass

    stop = start


def test_leaves_are_counted_during_perft(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Their number and the average rate are shown after one second, and then at most five times a second."""
    ticks, texts = itertools.count(100, 0.4), Updates()
    clock = SimpleNamespace(monotonic=lambda: next(ticks), perf_counter=time.perf_counter)
    monkeypatch.setattr("zrf_py.cli.perft.time", clock)
    monkeypatch.setattr("rich.status.Status", texts)
    out, _ = shown(["perft", "tictactoe", "4", "--engine", "interpret"], monkeypatch, capsys)
    counts = [tuple(int(n.replace(",", "")) for n in re.findall(r"[\d,]+(?= leaves| a second)", text))
              for text in texts]
    assert "3024" in out and len(counts) > 100
    for leaves, speed in counts:
        assert 1.0 < leaves / 15 <= 3024 / 15 and speed == 15, "six leaves at a time, each time after 0.4 seconds"
    assert counts == sorted(counts)


def test_lines_of_an_analysis_are_shown_during_the_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    _, lines = shown(["analyse", "connect-four", "--nodes", "60000"], monkeypatch, capsys)
    lines = [line for line in lines if line != "searching"]  # shown first, if the search takes long to begin
    rows = [re.fullmatch(r"([\d,]+) positions, \d+\.\d s", line) for line in lines]
    nodes = [int(row[1].replace(",", "")) for row in rows if row]
    assert nodes and nodes == sorted(nodes) and nodes[-1] <= 60_000
    shape = re.compile(r"[-+]\d+\.\d\d +\d+ % +\d+  [a-g]\d.*")
    assert all(row or shape.fullmatch(line) for row, line in zip(rows, lines, strict=True)), lines
    assert len(lines) == 4 * len(nodes)


def test_the_best_solution_so_far_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "alone.zrf").write_text(ALONE, "utf-8")
    out, lines = shown(["solve", str(tmp_path / "alone.zrf")], monkeypatch, capsys)
    assert out.splitlines()[1].split() == ["2.", "Man", "b1", "-", "c1"]
    states = [line for line in lines if line.endswith(" s") and "positions" in line]
    assert states and states[-1].startswith("best: solved in 2 turns")
    assert all(re.fullmatch(r"([^;]+; )*\d+ positions, \d+ s", line) for line in states)


def test_finished_games_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "short.zrf").write_text(SHORT, "utf-8")
    words = ["match", "random", "random", "--game", str(tmp_path / "short.zrf"), "--games", "4", "--workers", "1"]
    _, lines = shown(words, monkeypatch, capsys)
    assert any("4/4" in line for line in lines) and any(line.endswith("random against random") for line in lines), lines
    assert any(re.search(r"/4 +0:00:\d\d +[-\d]+:[-\d]+ ", line) for line in lines), "times elapsed and left"


def test_checked_files_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "short.zrf").write_text(SHORT, "utf-8")
    _, lines = shown(["port", str(tmp_path / "rules"), "--workers", "1", "--fresh"], monkeypatch, capsys)
    assert any("1/1" in line and "short.zrf" in line for line in lines), lines


def test_finished_tests_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "short.zrf").write_text(SHORT, "utf-8")
    page = "".join(f"## {name}\n\n```moves\nMan a1 - b1\n```\n" for name in ("One", "Two"))
    (tmp_path / "short.md").write_text(page, "utf-8")
    out, lines = shown(["test", str(tmp_path / "short.zrf")], monkeypatch, capsys)
    assert out.startswith("2 passed") and lines == ["1/2", "2/2"]
