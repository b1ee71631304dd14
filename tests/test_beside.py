"""Squares beside the board, and squares stacked on each other."""

from __future__ import annotations

from zrf_py.compile import compile_source
from zrf_py.front.model import Board
from zrf_py.play.beside import parts_beside, stacks_of
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Source

RULES = """
(game (title "t") (players A B) (turn-order A B)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
    (grid (start-rectangle 50 0 59 9) (dimensions ("x1/x2" (0 0))) (directions (more 1)))
    (positions (y 70 0 79 9)))
  (piece (name M) (moves (n add))))
"""


def board() -> Board:
    (program,) = compile_source(Source("t.zrf", RULES), lambda *_: None, Report())
    return program.game.board


def names(squares: frozenset[int]) -> set[str]:
    return {board().places[i].name for i in squares}


def test_parts_without_links_to_the_board_are_beside_it() -> None:
    assert sorted(map(sorted, map(names, parts_beside(board())))) == [["x1", "x2"], ["y"]]


def test_linked_squares_of_one_rectangle_are_a_stack() -> None:
    found, places = stacks_of(board()), board().places
    assert {places[i].name: places[low].name for i, low in found.items()} == {"x1": "x1", "x2": "x1"}
