"""Solved puzzles: every saved solution can be played, wins, and takes as many turns as `solutions/README.md` says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zrf_py.cli.replay import open_saved
from zrf_py.play.formats.record_files import load_record
from zrf_py.play.replay import replay

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).resolve().parent / "solutions"
SAID = dict(re.findall(r"^\| `([\w-]+\.zsg)` \|[^|]*\| (\d+) \|", (FOLDER / "README.md").read_text("utf-8"), re.M))


def test_every_solution_is_in_the_table() -> None:
    assert sorted(SAID) == sorted(path.name for path in FOLDER.glob("*.zsg"))


@pytest.mark.parametrize("name", sorted(SAID))
def test_each_solution_wins(name: str) -> None:
    path = FOLDER / name
    saved = load_record(path)
    game = open_saved(saved, str(path), engine="auto")
    result = replay(game, saved)
    assert result.stop is None
    outcome = result.position.outcome()
    assert outcome is not None and outcome.winners
    players = game.program.game.players
    solver = next(i for i, player in enumerate(players) if player.kind == "player")
    assert result.position.state.made[solver] == int(SAID[name])
    for _, score in outcome.scores:
        assert score >= int(SAID[name])
