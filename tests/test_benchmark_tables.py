"""The tables of tests/benchmarks/README.md name the commit in which their figures were recorded, and are not old."""

import re
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.benchmarks import show_help
from tests.playing import HANG, counted

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "tests" / "benchmarks" / "README.md").read_text("utf-8")
OLDEST = timedelta(days=30)
"""Time by which a table may be older than the newest change of the kernel."""
WITHOUT_FIGURES = ("`python -m tests.benchmarks", "what | shares", "tried | result")
RECORDED = re.compile(r"\n\nRecorded in commit ([0-9a-f]{7})\.\n")


def tables() -> list[tuple[str, str]]:
    """Return (head, commit) for each table with figures; the commit is "" if none follows."""
    found = []
    for table in re.finditer(r"^\|.*\n\|---.*\n(?:\|.*\n)+", PAGE, re.M):
        head = table.group().split("\n")[0]
        if not any(words in head for words in WITHOUT_FIGURES):
            recorded = RECORDED.match(PAGE, table.end() - 1)
            found.append((head, recorded[1] if recorded else ""))
    return found


def date_of(*arguments: str) -> datetime | None:
    """Return the date of the newest commit that `git log` finds; None without git, or in a shallow clone."""
    try:
        text = subprocess.run(["git", "log", "-1", "--format=%cI", *arguments], cwd=ROOT, capture_output=True,
                              text=True, timeout=HANG, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return datetime.fromisoformat(text) if text else None


def test_tables_name_their_commit() -> None:
    assert len(tables()) > 12
    assert not [head for head, commit in tables() if not commit]


def test_tables_are_not_older_than_the_kernel() -> None:
    kernel = date_of("--", "zrf_py/native", "zrf_py/jit")
    dates = {head: date_of(commit) for head, commit in tables()}
    if kernel is None or None in dates.values():
        pytest.skip("git, or a part of its history, is missing")
    for head, date in counted(dates.items()):
        assert date is not None and kernel - date < OLDEST, f"measure again: {head}"


def test_every_benchmark_has_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each benchmark that is a command prints its docstring or the help of `argparse`."""
    for path in counted(sorted((ROOT / "tests" / "benchmarks").glob("*.py")), 10):
        text = path.read_text("utf-8")
        if "__main__" in text:
            end = text.partition("__main__")[2]
            assert "show_help(__doc__)" in end or "ArgumentParser" in text, path
    monkeypatch.setattr("sys.argv", ["x", "--help"])
    with pytest.raises(SystemExit):
        show_help("It measures.")
    assert capsys.readouterr().out == "It measures.\n"
