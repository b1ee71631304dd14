"""Other people's rules files: each passes `check`, and each title plays.

`ZRF_CORPUS` names a folder of them, `ZRF_CORPUS_PLIES` how long each random game is (20 plies), and
`ZRF_CORPUS_SECONDS` how much processor time it gets (60). Skipped where there is no such folder.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.playing import fault_in_random_game, games, time_limit
from zrf_py.library import load_file

FOLDER = os.environ.get("ZRF_CORPUS", "")
PLIES = int(os.environ.get("ZRF_CORPUS_PLIES", "20"))
SECONDS = float(os.environ.get("ZRF_CORPUS_SECONDS", "60"))
LOAD_SECONDS = 30.0
MOST_BROKEN = 2
"""So many files may be wrong: two of the known ones lack a parenthesis."""


def rules_files() -> list[Path]:
    """One of each content."""
    found: dict[bytes, Path] = {}
    for path in sorted(Path(FOLDER).rglob("*")) if FOLDER else ():
        if path.suffix.lower() == ".zrf" and path.is_file():
            found.setdefault(path.read_bytes(), path)
    return list(found.values())


FILES = rules_files()

pytestmark = pytest.mark.skipif(not FILES, reason="ZRF_CORPUS names no folder with rules files")


def test_checks_without_error() -> None:
    """All but the two that are broken by everybody's reading."""
    wrong = []
    for path in FILES:
        with time_limit(LOAD_SECONDS):
            report = load_file(path).report
        if report.errors:
            wrong.append(f"{path}: {report.errors[0].code}: {report.errors[0].message}")
    print(*wrong, sep="\n")
    assert len(wrong) <= MOST_BROKEN, "\n".join(wrong)
    assert all(": unclosed-form:" in line for line in wrong), "\n".join(wrong)


@pytest.mark.parametrize("path", FILES or [Path("none")], ids=lambda path: path.stem)
def test_titles_play(path: Path) -> None:
    with time_limit(LOAD_SECONDS):
        file = load_file(path)
    if file.report.errors:
        pytest.skip(f"wrong: {file.report.errors[0].message}")
    faults = [fault_in_random_game(game, PLIES, number, SECONDS) for number, game in enumerate(games(file))]
    assert not any(faults), "\n".join(filter(None, faults))
