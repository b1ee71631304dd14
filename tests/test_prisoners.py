"""Captured pieces: those of others (or of the only player) that left for good, except pieces that encode numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exporting import follow, measured_once, paged
from zrf_py.play.game import Game, load
from zrf_py.play.prisoners import taken

BOWLS = """
(game (title "Bowls") (players South North) (turn-order South)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("1" (0 9))) (directions (e 1 0))))
  (board-setup (South (One a1)) (North (One b1) (Stone d1)))
  (piece (name One) (moves (e (verify not-empty?) (create North Two) (go from) (create South Two) add)))
  (piece (name Two) (moves (e (verify not-empty?) (create North One) (create South One d1) (go from) add)))
  (piece (name Stone) (moves (e (create South Stone) add)))
  (loss-condition (South) (captured Stone)))
"""
"""Bowls as pieces, named by their seeds: the first move changes two of them, the next replaces the stone on d1."""

JUMPS = """
(game (title "Jumps") PLAYERS
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d/e" (9 0)) ("1" (0 9))) (directions (e 1 0))))
  (board-setup SETUP)
  (piece (name Man) (moves (e (verify not-empty?) capture e add)))
  (loss-condition (White) stalemated))
"""
AGAINST = JUMPS.replace("PLAYERS", "(players White Black) (turn-order White White Black)").replace(
    "SETUP", "(White (Man a1 b1)) (Black (Man d1))")
ALONE = JUMPS.replace("PLAYERS", "(players White) (turn-order White)").replace("SETUP", "(White (Man a1 b1 d1))")


def game(folder: Path, text: str) -> Game:
    path = folder / "made.zrf"
    path.write_text(text, "utf-8")
    return load(path)


def told(game: Game, plies: int) -> tuple[int, dict[str, int]]:
    """Play the first legal move `plies` times; return the number of pieces that left the board, and the prisoners
    reported."""
    position, went = game.start(), 0
    for _ in range(plies):
        position = position.play(position.moves()[0])
        went += len(position.state.taken)
    players, pieces = game.program.game.players, game.program.game.pieces
    return went, {f"{players[by].name} took {players[of].name} {pieces[kind].name}": number
                  for (by, of, kind), number in taken(position).items()}


def test_emptying_a_sowing_bowl_captures_no_prisoner(tmp_path: Path) -> None:
    went, found = told(game(tmp_path, BOWLS.replace("(create South Stone) ", "")), 2)
    assert went >= 3 and found == {"South took North Stone": 1}


def test_prisoners_are_not_counted_where_men_can_be_created(tmp_path: Path) -> None:
    went, found = told(game(tmp_path, BOWLS), 2)
    assert went >= 3 and found == {}


def test_captured_men_of_others_and_of_a_single_player_are_prisoners(tmp_path: Path) -> None:
    assert told(game(tmp_path, AGAINST), 2) == (2, {"White took Black Man": 1})
    assert told(game(tmp_path, ALONE), 2) == (2, {"White took White Man": 2})


@pytest.mark.slow
@pytest.mark.parametrize("text", [BOWLS, AGAINST, ALONE], ids=["bowls", "against", "alone"])
def test_pages_show_the_same_prisoners(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite", reason="pages are made by llvmlite")
    measured_once(monkeypatch)
    made = game(tmp_path, text)
    with paged(made, tmp_path) as page:
        page("start")
        follow(page, made, 4, 1)
