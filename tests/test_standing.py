"""Numbers beside the players: what end conditions count, and the rules' own counters; the same in pages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")
pytest.importorskip("starlette", reason="boards need the extra `board`")

import zrf_py
from tests.exporting import follow, measured_once, paged
from tests.playing import counted
from zrf_py.play.game import Position
from zrf_py.view.describe import describe

PLACED = """(version "zrf+")
(game (title "Placed") (players White Black Nobody) (turn-order White Black) MORE
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d" (40 0)) ("3/2/1" (0 40)))
    (directions (n 0 1) (e 1 0)))
    (zone (name far) (players White Black) (positions a3 b3 c3)))
  (piece (name Man) (drops ((verify (or empty? enemy?)) add)))
  (piece (name King) (moves (e (verify not-friend?) add)))
  (board-setup (White (Man a1 off 5) (King b1)) (Black (Man d1 off 4) (King c1)) (Nobody (Man d3)))
  END)"""
ENDS = {
    "(count-condition (total-piece-count 12))": ("on the board", 0, [2, 2], [3, 2]),
    "(loss-condition (White) (pieces-remaining 0)) (draw-condition (total-piece-count 12))": ("left", 0, [2], [3]),
    "(win-condition (White Black) (equal? (count friend Man far) 3))": ("in the goal", 3, [0, 0], [1, 1]),
    "(score (product 10 (count friend King))) (score-condition (White) (pieces-remaining 9))":
        ("points", 0, [10, 10], [10, 0]),
    "(loss-condition (White Black) (pieces-remaining 0 King))": ("", 0, [], []),
    "(win-condition (White) (absolute-config King (a3)))": ("", 0, [], []),
}
"""End condition → (words, number to reach, numbers at the start, numbers after three moves)."""
OFF = '(option "include off-pieces" true)'


def numbers(position: Position) -> tuple[str, list[int], int]:
    """Return the words without placeholders, the players' numbers in turn, and the number to be reached."""
    rows = describe(position)["scores"]
    assert [name for name, *_ in rows] == list(position.game.players[: len(rows)])
    said = {words.replace("{count} ", "").replace("of {of} ", "") for _, _, words, _ in rows}
    return next(iter(said), ""), [count for _, count, *_ in rows], max((of for *_, of in rows), default=0)


@pytest.mark.parametrize("end", ENDS)
def test_counts_of_end_conditions_are_shown_beside_the_players(end: str) -> None:
    """Men are placed on a3 and b3, then White's king captures Black's. A single king is not counted."""
    position = zrf_py.loads(PLACED.replace("END", end).replace("MORE", "")).start()
    words, most, before, after = ENDS[end]
    assert numbers(position) == (words, before, most)
    for text in ("White Man a3", "Black Man b3", "King b1 x c1"):
        position = position.play(next(move for move in position.moves() if move.text == text))
    assert numbers(position) == (words, after, most)


def test_pieces_off_the_board_count_where_the_end_counts_them() -> None:
    end = "(loss-condition (White Black) (pieces-remaining 2 Man))"
    game = zrf_py.loads(PLACED.replace("END", end).replace("MORE", OFF))
    assert numbers(game.start()) == ("left", [6, 5], 0)
    assert numbers(zrf_py.loads(PLACED.replace("END", end).replace("MORE", "")).start())[1] == []


def test_the_final_score_is_the_disc_count() -> None:
    """Compare the final scores of random games with the discs counted on the board."""
    game, random = zrf_py.load("othello"), Random(5)
    for _ in counted(range(2), 2):
        position = game.start()
        while not (outcome := position.outcome()):
            position = position.play(random.choice(position.moves()))
        discs = [owner for owner, _ in position.pieces().values()]
        assert outcome.scores == (("Black", discs.count("Black")), ("White", discs.count("White")))
        assert str(outcome).endswith(f"; score: Black {discs.count('Black')}, White {discs.count('White')}")


COUNTED = """(version "zrf+")
(define walk ($1 (verify (and empty? (less? (counter steps) 2)))
  (add-to-counter steps 1) (add-to-counter ground-won 3) (set-counter has-walked 1) (next-turn 0) add))
(game (title "Counted") (players White Black) (turn-order White Black)
  (counter steps) (counter ground-won each 5) (counter has-walked each) (counter laps each) (counter told)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d" (40 0)) ("3/2/1" (0 40)))
    (directions (n 0 -1) (s 0 1) (e 1 0) (w -1 0))))
  (piece (name Man) (moves (walk n) (walk s) (walk e) (walk w) ((set-counter steps 0) add)))
  (board-setup (White (Man a1)) (Black (Man d3)))
  (win-condition (White Black) (greater? (counter ground-won) 60)))"""
"""The game has shared counters, counters of each player, a flag, and unchanging counters; a turn has two steps."""


def test_counters_and_the_rest_of_the_turn_are_shown_beside_the_player() -> None:
    position = zrf_py.loads(COUNTED).start()
    own, left = "{name}: {count}", "{name} left in this turn: {count}"
    assert describe(position)["scores"] == [
        ["White", 2, left, 0, "steps"], ["White", 5, own, 0, "ground won"], ["Black", 5, own, 0, "ground won"]]
    for to in ("b1", "c1"):
        position = position.play(next(move for move in position.moves() if f"- {to}" in move.text))
    assert describe(position)["scores"] == [
        ["White", 0, left, 0, "steps"], ["White", 11, own, 0, "ground won"], ["Black", 5, own, 0, "ground won"]]
    position = position.play(position.moves()[0])
    assert describe(position)["scores"][1:] == [
        ["Black", 2, left, 0, "steps"], ["Black", 5, own, 0, "ground won"]]


def test_no_rest_of_the_turn_is_shown_after_the_end() -> None:
    position = zrf_py.loads(COUNTED.replace("ground-won) 60", "ground-won) 7")).start()
    position = position.play(next(move for move in position.moves() if "- b1" in move.text))
    assert position.outcome()
    assert [row[-1] for row in describe(position)["scores"]] == ["ground won", "ground won"]


def test_a_counter_in_the_score_is_not_shown_twice() -> None:
    scored = COUNTED.replace("(win-condition (White Black) (greater? (counter ground-won) 60))",
                             "(score (sum (counter ground-won) 1)) (score-condition (White) (pieces-remaining 0))")
    assert [row[2] for row in describe(zrf_py.loads(scored).start())["scores"]].count("{name}: {count}") == 0


@pytest.mark.slow
def test_a_page_shows_the_same_counters_as_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)
    for limit in ("2", "(counter told)"):
        rules = COUNTED.replace("(counter steps) 2", f"(counter steps) {limit}")
        game = zrf_py.loads(rules.replace("told)\n", "told 2)\n"))
        assert len(describe(game.start())["scores"]) == 3
        with paged(game, tmp_path) as page:
            page("start")
            follow(page, game, 40, 1)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["(count-condition (total-piece-count 12))",
                                 "(loss-condition (White Black) (pieces-remaining 2 Man))",
                                 "(win-condition (White Black) (equal? (count friend Man far) 3))"])
def test_a_page_shows_the_same_numbers_as_the_server(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured_once(monkeypatch)
    game = zrf_py.loads(PLACED.replace("END", end).replace("MORE", OFF))
    with paged(game, tmp_path) as page:
        for seed in range(2):
            page("start")
            follow(page, game, 12, seed)
