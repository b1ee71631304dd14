"""Messages about wrong rules: each file of tests/diagnostics has rules and, below them, their messages.

After a change of wording run `UPDATE_DIAGNOSTICS=1 pytest tests/test_diagnostics.py` and read what `git diff` shows.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from zrf_py.compile import compile_source
from zrf_py.text.codes import CODES
from zrf_py.text.diagnostics import Report
from zrf_py.text.render import render
from zrf_py.text.source import Source

FOLDER = Path(__file__).parent / "diagnostics"
CASES = sorted(FOLDER.glob("*.txt"))
RULE = "\n" + "=" * 80 + "\n"


def messages(rules: str) -> str:
    report = Report()

    def include(name: str, origin: object) -> Source | None:
        path = FOLDER / name
        return Source(name, path.read_text("utf-8")) if path.is_file() else None

    compile_source(Source("hop.zrf", rules), include, report)
    return render(report)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_messages_match_the_file(case: Path) -> None:
    rules, _, expected = case.read_text("utf-8").partition(RULE)
    found = messages(rules)
    if os.environ.get("UPDATE_DIAGNOSTICS"):
        case.write_text(f"{rules.rstrip()}{RULE}{found}\n", "utf-8")
    else:
        assert found == expected.rstrip("\n")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_messages_follow_the_style(case: Path) -> None:
    """They begin in lower case, have no full stop, and fit into 120 columns; none says "illegal", which is a word for
    moves."""
    for line in case.read_text("utf-8").partition(RULE)[2].splitlines():
        if match := re.match(r"(?:error|warning|note)\[([a-z-]+)\]: (.*)", line):
            assert match[1] in CODES
            assert not match[2].endswith(".") and not match[2][0].isupper()
            assert "illegal" not in line
        assert len(line) <= 120
    assert messages(case.read_text("utf-8").partition(RULE)[0]), "nothing wrong here"
