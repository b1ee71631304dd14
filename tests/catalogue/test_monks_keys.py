"""The book of 1889 proves the rules: its eight keys to Solitaire II are played on the rules file.

Source: instruction book "Halma", copyright G. H. Monks 1885 and The Halma Co. 1889, Solitaire II, keys under the
diagrams A to D, as printed. A Roman numeral is the row from the near edge, an Arabic one the square from the left.
"""

from __future__ import annotations

import re

import pytest

from tests.catalogue.legs import turn_by
from zrf_py.play.game import Game, load

pytestmark = pytest.mark.slow

KEYS = {
    ("A", "out"): """
        II5 III6, III4 IV5, IV3 V4, V2 VI3, III2 VII4,
        II3 IV7, III1 VII5, I3 V7, V1 VII2, I5 III7,
        I1 V5, IV1 VIII3, I4 III8, IV2 V3, II4 III5,
        II1 VI5, I2 V6, II2 VI6, III3 IV4""",
    ("A", "in"): """
        IV4 III3, VI6 II2, V6 I2, VI5 II1, III5 II4,
        V3 IV2, III8 I4, VIII3 IV1, V5 I1, III7 I5,
        VII3 V1, V7 I3, VII5 III1, IV7 II3, VII4 III2,
        VI3 V2, V4 IV3, IV5 III4, III6 II5""",
    ("B", "out"): """
        III4 IV5, IV3 V4, V1 VI2, I5 II6, IV1 VI3,
        I4 III6, III1 VII3, I3 III7, V2 VII4, II5 IV7,
        I1 V5, II2 VI6, I2 VII6, II1 VI7, II3 VIII7,
        III2 VII8, IV2 V3, III3 IV4, II4 III5""",
    ("B", "in"): """
        III5 II4, IV4 III3, V3 IV2, VII8 III2, VIII7 II3,
        VI7 II1, VII6 I2, VI6 II2, V5 I1, IV7 II5,
        VII4 V2, III7 I3, VII3 III1, III6 I4, VI3 IV1,
        II6 I5, VI2 V1, V4 IV3, IV5 III4""",
    ("C", "out"): """
        III4 IV5, IV3 V4, I4 V6, IV1 VI5, I5 VII5,
        V1 V7, I3 V5, I1 III5, I2 III6, III1 V3,
        II1 VI3, II2 VI6, II5 VI7, V2 VII6, III2 VII4,
        II3 IV7, II4 IV6, IV2 VI4, III3 IV4""",
    ("C", "in"): """
        IV4 III3, VI4 IV2, IV6 II4, IV7 II3, VII4 III2,
        VII6 V2, VI7 II5, VI6 II2, VI3 II1, V3 III1,
        III6 I2, III5 I1, V5 I3, V7 V1, VII5 I5,
        VI5 IV1, V6 I4, V4 IV3, IV5 III4""",
    ("D", "out"): """
        II3 IV5, III2 V4, III4 V6, IV3 VI5, II5 II6,
        V2 VI2, IV1 VI3, I4 III6, V1 VII5, I5 V7,
        III1 V3, I3 V5, I1 III5, I2 VII6, II1 VI7,
        II2 VI6, III3 IV4, IV2 VI4, II4 IV6""",
    ("D", "in"): """
        IV6 II4, VI4 IV2, IV4 III3, VI6 II2, VI7 II1,
        VII6 I2, III5 I1, V5 I3, V3 III1, V7 I5,
        VII5 V1, III6 I4, VI3 IV1, VI2 V2, II6 II5,
        VI5 IV3, V6 III4, V4 III2, IV5 II3""",
}
MISPRINT = ("V1", "VII2")
CORRECTION = ("V1", "VII3")
"""The only misprint, in the ninth move of the key that brings out figure A: the reverse key has VII3 to V1."""

FIGURES = {
    "A": "III5 III6 III7 III8 IV4 IV5 IV7 V3 V4 V5 V6 V7 VI3 VI5 VI6 VII3 VII4 VII5 VIII3",
    "B": "II6 III5 III6 III7 IV4 IV5 IV7 V3 V4 V5 VI2 VI3 VI6 VI7 VII3 VII4 VII6 VII8 VIII7",
    "C": "III5 III6 IV4 IV5 IV6 IV7 V3 V4 V5 V6 V7 VI3 VI4 VI5 VI6 VI7 VII4 VII5 VII6",
    "D": "II6 III5 III6 IV4 IV5 IV6 V3 V4 V5 V6 V7 VI2 VI3 VI4 VI5 VI6 VI7 VII5 VII6",
}
"""B and D come from the book's diagrams, A and C from its keys: A's diagram is lost in our copy, and C's is garbled."""

LEGS = {"A": (7, 12, 33), "B": (7, 12, 25), "C": (3, 16, 31), "D": (3, 16, 33)}
"""Steps, hops and least number of jumps of each key for bringing out, counted by another program."""

ROWS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII"]


def square(name: str) -> str:
    """Return a square by its name in the book: `e3` for `III5`."""
    row, column = re.fullmatch(r"([IV]+)(\d+)", name).groups()  # type: ignore[union-attr]
    return f"{chr(ord('a') + int(column) - 1)}{ROWS.index(row) + 1}"


def key_of(figure: str, way: str) -> list[tuple[str, str]]:
    """Return the moves of a key, with the misprint corrected."""
    moves = [tuple(move.split()) for move in KEYS[figure, way].split(",")]
    return [CORRECTION if move == MISPRINT and (figure, way) == ("A", "out") else move for move in moves]


def game_of(figure: str, way: str) -> Game:
    return load("monks-solitaire-2", f"Solitaire II, Figure {figure}: {way.title()}")


@pytest.mark.parametrize(("figure", "way"), KEYS)
def test_key_solves_the_problem(figure: str, way: str) -> None:
    """Nineteen legal moves, one for each man; only the last one solves the problem."""
    position = game_of(figure, way).start()
    yard = set(position.pieces()) if way == "out" else None
    moves = key_of(figure, way)
    assert len(moves) == len({start for start, _ in moves}) == len({end for _, end in moves}) == 19
    legs = []
    for start, end in moves:
        assert position.outcome() is None
        turn = turn_by(position, square(start), square(end))
        assert turn is not None, f"{start} to {end} is not legal"
        legs.append((square(start), *turn[0]))
        position = turn[1]
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",), outcome
    if yard is not None:
        assert set(position.pieces()) == {square(name) for name in FIGURES[figure].split()}
        assert not yard & set(position.pieces())
        assert count_legs(legs) == LEGS[figure]


def count_legs(ways: list[tuple[str, ...]]) -> tuple[int, int, int]:
    """Count the steps, hops and jumps of paths over squares."""
    steps = sum(is_step(*way[:2]) for way in ways)
    return steps, len(ways) - steps, sum(len(way) - 1 for way in ways) - steps


def is_step(start: str, end: str) -> bool:
    return abs(ord(start[0]) - ord(end[0])) < 2 and abs(int(start[1:]) - int(end[1:])) < 2


@pytest.mark.parametrize("figure", FIGURES)
def test_yarding_is_bringing_out_reversed(figure: str) -> None:
    """The book says: "the two solutions are exactly the reverse of each other"."""
    assert key_of(figure, "in") == [(end, start) for start, end in reversed(key_of(figure, "out"))]


@pytest.mark.parametrize("figure", FIGURES)
def test_figure_is_symmetrical(figure: str) -> None:
    """Each figure is symmetric about the diagonal from the near left corner; the title for any figure accepts it."""
    men = {square(name) for name in FIGURES[figure].split()}
    assert men == {f"{chr(ord('a') + int(s[1:]) - 1)}{ord(s[0]) - ord('a') + 1}" for s in men}
    position = load("monks-solitaire-2", "Solitaire II").start()
    for start, end in key_of(figure, "out"):
        turn = turn_by(position, square(start), square(end))
        assert turn is not None
        position = turn[1]
    outcome = position.outcome()
    assert outcome is not None and outcome.winners == ("Solver",)


def test_misprint_is_not_a_legal_move() -> None:
    """The ninth move of A as printed is neither a step nor a hop; the man on V,1 has exactly these seven hops."""
    position = game_of("A", "out").start()
    for start, end in key_of("A", "out")[:8]:
        position = turn_by(position, square(start), square(end))[1]  # type: ignore[index]
    targets = [f"{row}{column}" for row in ROWS for column in range(1, 9)]
    reached = {t for t in targets if t != "V1" and turn_by(position, "a5", square(t))}
    hops = {t for t in reached if not is_step("a5", square(t))}
    assert hops == {"I3", "III1", "III5", "III7", "V3", "V5", "VII3"}
    assert MISPRINT[1] not in reached and CORRECTION[1] in reached


def test_another_nineteenth_move_loses() -> None:
    """The last man of A may step elsewhere, but then nineteen moves are made without a solution."""
    position = load("monks-solitaire-2", "Solitaire II").start()
    for start, end in key_of("A", "out")[:-1]:
        position = turn_by(position, square(start), square(end))[1]  # type: ignore[index]
    turn = turn_by(position, "c3", "c4")
    assert turn is not None
    outcome = turn[1].outcome()
    assert outcome is not None and outcome.losers == ("Solver",)
