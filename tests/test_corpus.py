"""Other people's rules files: all but a few pass `check`, their titles play, and most recorded games replay.

`ZRF_CORPUS` names a folder of them. A random game has at most `ZRF_CORPUS_PLIES` plies (20) and `ZRF_CORPUS_SECONDS`
seconds of processor time (60); `ZRF_CORPUS_ENGINE` plays it (native). Without such a folder the tests are
skipped.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.playing import fault_in_random_game, games, time_limit
from zrf_py.library import load_file
from zrf_py.play.engines import make_engine
from zrf_py.play.formats.record_files import load_record
from zrf_py.play.game import load
from zrf_py.play.replay import replay
from zrf_py.play.zsg import find_rules
from zrf_py.text.diagnostics import ZrfError

FOLDER = os.environ.get("ZRF_CORPUS", "")
PLIES = int(os.environ.get("ZRF_CORPUS_PLIES", "20"))
SECONDS = float(os.environ.get("ZRF_CORPUS_SECONDS", "60"))
ENGINE = os.environ.get("ZRF_CORPUS_ENGINE", "native")
LOAD_SECONDS = 30.0
LEAST_REPLAYED = 65
"""Minimum number of the known saved games that follow today's rules files to their end."""
MOST_BROKEN = 2
"""Maximum number of files with errors: two of the known ones lack a parenthesis."""


def rules_files() -> list[Path]:
    """Return the rules files, without duplicates."""
    found: dict[bytes, Path] = {}
    for path in sorted(Path(FOLDER).rglob("*")) if FOLDER else ():
        if path.suffix.lower() == ".zrf" and path.is_file():
            found.setdefault(path.read_bytes(), path)
    return list(found.values())


FILES = rules_files()

pytestmark = pytest.mark.skipif(not FILES, reason="ZRF_CORPUS names no folder with rules files")


@pytest.mark.slow
def test_corpus_has_no_errors() -> None:
    """The exceptions are two files that no interpretation of the language accepts."""
    wrong = []
    for path in FILES:
        with time_limit(LOAD_SECONDS):
            report = load_file(path).report
        if report.errors:
            wrong.append(f"{path}: {report.errors[0].code}: {report.errors[0].message}")
    print(*wrong, sep="\n")
    assert len(wrong) <= MOST_BROKEN, "\n".join(wrong)
    assert all(": unclosed-form:" in line for line in wrong), "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES or [Path("none")], ids=lambda path: path.stem)
def test_titles_of_the_corpus_can_be_played(path: Path) -> None:
    with time_limit(LOAD_SECONDS):
        file = load_file(path)
    if file.report.errors:
        pytest.skip(f"wrong: {file.report.errors[0].message}")
    titles = games(file)
    for game in titles:
        game.engine = make_engine(game.program, ENGINE)
    faults = [fault_in_random_game(game, PLIES, number, SECONDS) for number, game in enumerate(titles)]
    assert not any(faults), "\n".join(filter(None, faults))


def names_an_engine(path: Path) -> bool:
    """Return whether a rules file leaves its moves to an engine."""
    return bool(re.search(rb"^\s*\(engine\b", path.read_bytes(), re.M))


@pytest.mark.slow
def test_recorded_games_can_be_replayed() -> None:
    """Games that the original program recorded are outside evidence for the language's rules (`-s` prints figures)."""
    whole, stopped = [], []
    for path in sorted(Path(FOLDER).rglob("*")):
        if path.suffix.lower() != ".zsg":
            continue
        saved = load_record(path)
        try:
            rules = find_rules(saved, path.parent)
            if names_an_engine(rules):
                continue
            game = load(rules, saved.variant or None)
            game.engine = make_engine(game.program, ENGINE)
            result = replay(game, saved)
        except ZrfError as error:
            stopped.append(f"{path.name}: {error.summary()}")
            continue
        if result.stop:
            stopped.append(f"{path.name}: {result.plies} of {saved.plies}: {result.stop.reason}")
        else:
            whole.append((path.name, result.plies))
    plies = sum(plies for _, plies in whole)
    print(f"\n{len(whole)} games, {plies:,} plies, replay to the end; not these:", *stopped, sep="\n")
    assert len(whole) >= LEAST_REPLAYED or not stopped, "\n".join(stopped)
