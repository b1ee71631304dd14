"""Types and style: `mypy --strict` on the package, `ruff` on everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("command", [
    pytest.param(["mypy"], id="mypy", marks=pytest.mark.slow), pytest.param(["ruff", "check", "."], id="ruff")])
def test_the_checker_reports_nothing(command: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
