"""The differences that moves make: they match the boards before and after, also in pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import zrf_py
from tests.exporting import Paged, measured_once, paged, plain
from tests.move_diffs import differences
from tests.playing import RULES, SAMPLE, games
from zrf_py.batch.judge.notes import Notes
from zrf_py.library import load_file
from zrf_py.play.foreign import has_moves
from zrf_py.view.describe import legs
from zrf_py.view.scene import last_turn

ODD = """(game (title "Odd moves") (players White Black) (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("3/2/1" (0 48)))
          (directions (n 0 -1) (e 1 0) (s 0 1)))
    (symmetry Black (n s) (s n)))
  (piece (name Man) (moves ({block})))
  (piece (name Rook) (moves (n add)))
  (piece (name Queen) (moves (n add)))
  (board-setup (White (Man a1)) (Black (Man a2 b1)))
  (loss-condition (White Black) stalemated))"""

CASES = [
    # block; start, end, becomes; taken; placed; short notation; marks of the last turn
    ("n (capture) n (change-type Rook) (change-type Queen) add", "a1 a3 Queen", "a2", "", "axa3=Q", "a1-a3"),
    ("n n e (capture s) (capture e) add", "a1 b3 None", "", "", "b3", "a1-b3"),
    ("n n (capture) add", "a1 a3 None", "a1", "", "a3 xa3", "a1-a3"),
    ("n add", "a1 a2 None", "a2", "", "axa2", "a1-a2"),
    ("n n (create Queen) add", "a1 a3 Queen", "a1", "a3", "a3=Q", "a1-a3"),
    ("n (create Queen) add", "a1 a2 Queen", "a2 a1", "a2", "axa2=Q", "a1-a2"),
    ("e (create Rook) n n add", "a1 b3 None", "b1", "b1", "b3", "a1-b3"),
    ("n cascade n add", "a1 a2 None", "", "", "axa2", "a1-a2"),
    ("n n add-copy", "a1 a3 None", "", "a3", "a3", "a1-a3"),
    ("(flip e) n n add", "a1 a3 None", "", "", "a3", "a1-a3"),
    ("n n e (create Rook) (capture) e add", "a1 c3 None", "", "", "c3", "a1-c3"),
    ("n (capture) s add", "a1 a1 None", "a2", "", "xa2", ""),
    ("n change-owner s add", "a1 a1 None", "", "", "a2=White", ""),
]


def odd(block: str) -> zrf_py.Game:
    return zrf_py.loads(ODD.replace("{block}", block))


@pytest.mark.parametrize(("block", "ends", "taken", "placed", "short", "marks"), CASES, ids=[row[0] for row in CASES])
def test_move_diffs_match_the_board(
    block: str, ends: str, taken: str, placed: str, short: str, marks: str,
) -> None:
    start = odd(block).start()
    move = next(move for move in start.moves() if move.start == "a1")
    after = start.play(move)
    places = [place.name for place in start.game.program.game.board.places]
    assert f"{move.start} {move.end} {move.becomes}" == ends
    assert (" ".join(move.captures), " ".join(move.placed), start.short(move)) == (taken, placed, short)
    assert " ".join(f"{places[a]}-{places[b]}" for a, b in last_turn(after)) == marks
    before, now = start.pieces(), after.pieces()
    assert len(now) == len(before) - len(move.captures) + len(move.placed)
    assert not move.becomes or now[move.end][1] == move.becomes  # type: ignore[index]


def test_the_judge_counts_promoted_pieces() -> None:
    start = odd(CASES[0][0]).start()
    move = next(move for move in start.moves() if move.start == "a1")
    notes = Notes(start.game.program, start.state)
    notes.watch(start.state, [leg.raw for leg in start.moves()], move.raw, start.play(move).state)
    assert {start.game.program.game.pieces[kind].name: count for kind, count in notes.made.items()} == {"Queen": 1}


@pytest.mark.slow
def test_odd_moves_have_the_same_effects_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)
    game = odd(") (".join(block for block, *_ in CASES))
    with paged(game, tmp_path) as page:
        assert page("legs") == plain(legs(game.start()))
        count, wrong = differences(game, 300, page=page)
        assert count >= 300 and not wrong


@pytest.mark.parametrize("name", ["chess", "checkers", "othello", "gefangen2-2p", "nine-mens-morris"])
def test_move_diffs_explain_every_changed_square(name: str) -> None:
    count, wrong = differences(zrf_py.load(name), 300)
    assert count >= 300 and not wrong


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in sorted(RULES.rglob("*.zrf")) if path.stem in SAMPLE],
                         ids=lambda path: path.stem)
def test_move_diffs_of_many_titles_match_also_in_pages(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`python -m tests.move_diffs rules` compares the moves of the whole shelf."""
    measured_once(monkeypatch)
    titles = [game for game in games(load_file(path)) if has_moves(game.program)]
    assert titles
    page = Paged(titles, tmp_path)
    try:
        for number, game in enumerate(titles):
            page("open", number)
            count, wrong = differences(game, 60 if number else 300, page=page)
            assert count and not wrong, game.title
    finally:
        page.close()
