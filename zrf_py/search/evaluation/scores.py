"""Evaluation of a final score: by squares where possible, else as a whole.

A score that counts pieces of some type, or in a zone, becomes a value of squares; pieces that may get there have a part
of it, which grows as they get nearer. Any other score is computed in each position evaluated.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.search.evaluation.mobility import Reach, expected_turns

POINT = 100
"""Value of a point."""
BEGINNING = 0.5
"""Share of its points for a piece with the whole way ahead; 0.8 won one dice game (16 to 8), lost one (13 to 22)."""
LOST = 0.1
"""Share of its points for a piece that will never make any, and may be in the way."""


@dataclass(frozen=True)
class Points:
    """Points that a player's pieces make: `board[type][square]`, `hand[type]`."""

    board: list[list[int]]
    hand: list[int]


def decides(program: Program) -> bool:
    """Return whether the score decides who wins."""
    return program.game.score is not None and any(end.result == "score" for end in program.game.ends)


def points_of(program: Program, player: int) -> Points | None:
    """Return the points that a player's pieces make; None if the score can't be expressed so."""
    game = program.game
    size = len(game.board.places)
    points = Points([[0] * size for _ in game.pieces], [0] * len(game.pieces))
    if game.score is None:
        return None
    for times, number in _terms(game.score, -1 if game.lowest_wins else 1):
        kinds = range(len(game.pieces)) if number.b < 0 else (number.b,)
        if number.kind == "number":
            continue
        if number.kind not in ("count", "store") or number.a not in (player, model.SIDE, model.FRIEND):
            return None
        for kind in kinds:
            if number.kind == "store":
                points.hand[kind] += times
            else:
                for square in range(size) if number.c < 0 else game.board.zones[number.c][player]:
                    points.board[kind][square] += times
    return points


def _terms(number: model.Number, times: int) -> Iterator[tuple[int, model.Number]]:
    """Iterate over the terms of a sum: (factor, number)."""
    match number.kind:
        case "sum" | "difference":
            for i, part in enumerate(number.parts):
                yield from _terms(part, -times if i and number.kind == "difference" else times)
        case _:
            yield times, number


def share_of_points(reach: Reach, points: Points) -> list[list[float]]:
    """Return the value of the points that a piece makes or may make, [type][square]."""
    most = max(max(row) for row in points.board)
    targets = {(k, s) for k, row in enumerate(points.board) for s, number in enumerate(row) if number == most > 0}
    turns = expected_turns(reach, targets)
    longest = max(turns.values(), default=0.0) or 1.0
    board = []
    for kind, row in enumerate(points.board):
        board.append([POINT * float(number) for number in row])
        for square, number in enumerate(row):
            if number == 0 < most:
                far = turns.get((kind, square))
                share = LOST if far is None else 1 - (1 - BEGINNING) * far / longest
                board[-1][square] = POINT * most * share
    return board
