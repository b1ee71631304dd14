"""The size budget: upper limits for the lines of Python and JavaScript in the package."""

from __future__ import annotations

from tests.playing import ROOT

MAX_PYTHON = 74_451
MAX_JAVASCRIPT = 8_326
"""Numbers of lines, with comments and blank lines. To raise one, explain the reason in the changelog."""


def lines(ending: str) -> int:
    """Count the lines of the package's files with this ending, except `node_modules`, `shipped` and `*.min.js`."""
    paths = [path for path in (ROOT / "zrf_py").rglob(f"*{ending}")
             if not {"node_modules", "shipped"} & set(path.parts) and not path.name.endswith(".min.js")]
    assert len(paths) > 50
    return sum(path.read_text("utf-8").count("\n") for path in paths)


def test_the_package_stays_within_its_budget() -> None:
    assert lines(".py") <= MAX_PYTHON
    assert lines(".js") <= MAX_JAVASCRIPT
