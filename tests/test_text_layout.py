"""The layout of boards for a terminal: columns in proportion, gaps, and labels taken from the names of squares."""

from __future__ import annotations

from itertools import pairwise

import pytest

import zrf_py
from zrf_py.front.model import Board
from zrf_py.view.layout import Layout, make_layout


def board(places: dict[str, tuple[int, int]], size: int = 10) -> Board:
    """Return a board of squares of this size, with their upper left corners at the given points."""
    text = " ".join(f"({name} {x} {y} {x + size} {y + size})" for name, (x, y) in places.items())
    game = zrf_py.loads(f"""(game (title "Board") (players A) (turn-order A) (board (positions {text}))
        (piece (name P)))""")
    return game.program.game.board


def grid(columns: str, lines: str, name: str = "{c}{l}", x: int = 10, y: int = 10) -> dict[str, tuple[int, int]]:
    return {name.format(c=c, l=line): (x * i, y * j) for i, c in enumerate(columns.split()) for j, line in
            enumerate(lines.split())}


def labels(plan: Layout) -> tuple[str, str]:
    return " ".join(label or "." for label in plan.column_labels), " ".join(label or "." for label in plan.line_labels)


@pytest.mark.parametrize("name", ["{c}{l}", "{l}{c}"])
@pytest.mark.parametrize(("columns", "lines"), [
    ("a b c", "3 2 1"), ("a b", "2 1"), ("aa b c", "10 9 8"), ("1 2 3", "a b"),
])
def test_names_of_a_column_and_a_line_are_labels(name: str, columns: str, lines: str) -> None:
    plan = make_layout(board(grid(columns, lines, name)), 1)
    assert labels(plan) == (columns, lines) and plan.is_labelled
    assert len(plan.squares) == len(plan.cells) == len(columns.split()) * len(lines.split())
    assert plan.label_end == len(columns.split()) - 1
    assert sorted(plan.cells.values()) == sorted(plan.squares)


@pytest.mark.parametrize(("changed", "is_labelled"), [
    ({}, True), ({"a3": "x"}, True), ({"a3": "x", "b2": "y"}, False),
])
def test_a_few_irregular_names_are_tolerated(changed: dict[str, str], is_labelled: bool) -> None:
    """Of sixteen names, one may be irregular, but not two."""
    places = grid("a b c d", "4 3 2 1")
    plan = make_layout(board({changed.get(name, name): at for name, at in places.items()}), 1)
    assert plan.is_labelled == is_labelled
    assert labels(plan) == (("a b c d", "4 3 2 1") if is_labelled else (". . . .", ". . . ."))


@pytest.mark.parametrize("places", [
    grid("a a a", "3 2 1", "{c}{l}x{c}"), {"one": (0, 0), "two": (10, 0), "three": (0, 10), "four": (10, 10)},
    grid("a b c", "1"), {"a1": (0, 0), "b1": (10, 0), "a2": (10, 10), "b2": (0, 10), "c3": (20, 20)},
])
def test_irregular_names_give_no_labels(places: dict[str, tuple[int, int]]) -> None:
    plan = make_layout(board(places), 1)
    assert set("".join(labels(plan))) == {".", " "} and plan.label_end == -1 and not plan.is_labelled


def test_places_beside_the_labelled_board_have_no_labels() -> None:
    plan = make_layout(board(grid("a b c d", "4 3 2 1") | {"hand": (80, 0), "pool": (80, 30)}), 1)
    assert labels(plan) == ("a b c d .", "4 3 2 1") and plan.label_end == 3
    assert plan.squares == {(line, column) for line in range(4) for column in range(4)}
    assert plan.cells[16] == (0, 4) and plan.cells[17] == (3, 4)


def test_column_distances_are_in_proportion_if_there_is_room() -> None:
    """A gap twice as wide takes twice as many characters; if that is too wide, cells are packed."""
    places = {"p": (0, 0), "q": (10, 0), "r": (30, 0), "s": (40, 0), "t": (0, 10), "u": (10, 10), "v": (30, 10),
              "w": (40, 10)}
    wide = make_layout(board(places), 1)
    steps = [b - a for a, b in pairwise(wide.xs)]
    assert steps[0] == steps[2] == wide.step and steps[1] == 2 * steps[0] and wide.xs[0] == 0
    for room in range(4, 30):
        plan = make_layout(board(places), 1, room)
        assert plan.xs[-1] + 1 <= max(room, 7) and plan.step >= 2
        assert all(b - a >= plan.step for a, b in pairwise(plan.xs))
    assert make_layout(board(places), 1, 4).xs == [0, 2, 4, 6] and make_layout(board(places), 3, 4).xs == [0, 4, 8, 12]


def test_rows_of_hexagons_are_half_a_cell_apart() -> None:
    places = {f"p{i}{j}": (20 * i + 10 * j, 17 * j) for i in range(3) for j in range(3)}
    plan = make_layout(board(places), 1)
    by_line = [sorted(plan.xs[c] for line, c in plan.cells.values() if line == number) for number in range(3)]
    steps = {b - a for row in by_line for a, b in pairwise(row)}
    assert len(steps) == 1 and [row[0] for row in by_line] == [0, steps.copy().pop() // 2, steps.copy().pop()]


@pytest.mark.parametrize(("rows", "gaps"), [
    ((0, 10, 20, 30), [0, 0, 0, 0]), ((0, 10, 20, 40), [0, 0, 0, 1]), ((0, 10, 26, 36), [0, 0, 0, 0]),
    ((0, 18, 28, 38), [0, 1, 0, 0]), ((5,), [0]),
])
def test_a_line_far_from_the_one_above_has_an_empty_line_before_it(rows: tuple[int, ...], gaps: list[int]) -> None:
    plan = make_layout(board({f"n{i}x{j}": (10 * i, y) for i in range(3) for j, y in enumerate(rows)}), 1)
    assert list(plan.gaps) == gaps


def test_centres_that_are_almost_in_line_share_a_line() -> None:
    """A difference of three tenths of a square is small enough; a larger one starts another line."""
    for off, lines in ((0, 1), (3, 1), (4, 2)):
        plan = make_layout(board({"p": (0, 0), "q": (10, off), "r": (20, 0), "s": (30, 0)}), 1)
        assert len(plan.gaps) == lines
        plan = make_layout(board({"p": (0, 0), "q": (off, 10), "r": (0, 20), "s": (0, 30)}), 1)
        assert len(plan.xs) == lines
