"""Rows through the square of the last move, found by arithmetic on two machine words, are those of other engines."""

from __future__ import annotations

import random

import pytest

from zrf_py.ir.ops import Program
from zrf_py.library import load_text

pytest.importorskip("llvmlite", reason="machine code needs llvmlite")

from tests.engines import any_game
from tests.playing import some_of
from tests.test_own_code import plays_as_defined, unoptimised
from zrf_py.front.goals import leaves
from zrf_py.native import Native, code
from zrf_py.native.specialise.lines import WINDOW, edges, lines_of

ROWS = ("n n n n", "e e", "s e e", "ne", "nw nw nw", "nn")


def placing(width: int, height: int, rows: tuple[str, ...], more: str = "") -> Program:
    """Return a game of placing men: whoever makes a row wins. A row is given by the directions from man to man; `more`
    comes before its first man."""
    goals = " ".join(f"(relative-config {more}Man {' '.join(f'{way} Man' for way in row.split())})" for row in rows)
    files = "/".join(f"c{i}" for i in range(width))
    ranks = "/".join(f"-{i}" for i in range(height))
    return load_text(f"""(version "2.0") (game (title "Rows") (players A B) (turn-order A B)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("{files}" (9 0)) ("{ranks}" (0 9)))
        (directions (n 0 -1) (e 1 0) (s 0 1) (ne 1 -1) (nw -1 -1) (nn 0 -2))))
      (piece (name Man) (drops ((verify empty?) add)))
      (board-setup (A (Man off 200)) (B (Man off 200)))
      (win-condition (A B) (or {goals})) (draw-condition (A B) stalemated))""").programs[0]


@pytest.fixture(autouse=True)
def quick_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "game_code", unoptimised)


@pytest.mark.parametrize("width, height, rows", some_of([
    (9, 9, ("n n n n", "e e e e", "ne ne ne ne", "nw nw nw nw")),
    (15, 5, ("e e e", "nn nn")),
    (8, 9, ("ne ne ne", "nw nw nw", "s s s s s s")),
    (5, 14, ("e", "ne ne ne ne")),
    (16, 8, ("n n n n", "ne ne", "e")),
    (20, 4, ("n n n", "e e e e")),
], 1))
def test_random_games_end_like_those_of_the_generic_kernel(width: int, height: int, rows: tuple[str, ...]) -> None:
    program = placing(width, height, rows)
    for player in range(2):
        goal = program.game.ends[0].goal
        assert len(lines_of(program, tuple(leaves(goal)), player)) == len(rows)
    plays_as_defined(program, 5, 12, 40)
    own, other = Native(program, compiled=True), any_game(program)
    for seed in range(4):
        assert own.playouts(150, seed, 500) == other.playouts(150, seed, 500)


@pytest.mark.parametrize("rows, more", [
    (("s e e",), ""),  # a corner
    (("n n", "e e"), "n "),  # a step before the first man
    (("e e e e",), ""),  # four times twenty squares do not fit into the window
    (("n n", "nn"), ""),  # both test the square two steps away
])
def test_patterns_that_are_not_lines_play_like_the_generic_kernel(rows: tuple[str, ...], more: str) -> None:
    program = placing(6, 20, rows, more)
    assert not lines_of(program, tuple(leaves(program.game.ends[0].goal)), 0)
    own, other = Native(program, compiled=True), any_game(program)
    assert own.playouts(100, 3, 500) == other.playouts(100, 3, 500)


def test_edge_masks_of_a_square_match_its_distances_from_the_edge() -> None:
    program = placing(9, 9, ("n n n n", "e e e e", "ne ne ne ne", "nw nw nw nw"))
    lines = lines_of(program, tuple(leaves(program.game.ends[0].goal)), 0)
    before, after = edges(lines)
    choose = random.Random(1)
    for _ in range(200):
        x, y, dx, dy = choose.randrange(9), choose.randrange(9), *choose.choice([(1, 0), (0, 1), (1, 1), (1, -1)])
        for far in range(1, 5):
            for sign, word in ((1, after), (-1, before)):
                column, row = x + sign * far * dx, y + sign * far * dy
                place = far * (9 * dx + dy) - 1
                bit = place if sign > 0 else WINDOW - 1 - place
                assert word[9 * x + y] >> bit & 1 == (column in range(9) and row in range(9))
