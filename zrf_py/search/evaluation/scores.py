"""Program → what the score that ends a game is worth in estimates: by squares, or else as a whole.

A score that counts men of some type, or in a zone, is worth so much where they stand, and men who may get there have a
part of it, the more the sooner. Any other score is worked out where a position is judged.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.search.evaluation.mobility import Reach, expected_turns

POINT = 100
"""What a point is worth."""
BEGINNING = 0.5
"""The share of it that a man has who has the whole way before him; 0.8 won one dice game (16 to 8) and lost another (13
to 22)."""
LOST = 0.1
"""The share of it that a man has who will never make one; he may be in the way."""


@dataclass(frozen=True)
class Points:
    """`board[type][square]` and `hand[type]`: the points that a piece of the player makes there."""

    board: list[list[int]]
    hand: list[int]


def decides(program: Program) -> bool:
    """Whether the score says who wins."""
    return program.game.score is not None and any(end.result == "score" for end in program.game.ends)


def points_of(program: Program, player: int) -> Points | None:
    """Where pieces make points for a player; None if the score can't be told by that."""
    game = program.game
    size = len(game.board.places)
    found = Points([[0] * size for _ in game.pieces], [0] * len(game.pieces))
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
                found.hand[kind] += times
            else:
                for square in range(size) if number.c < 0 else game.board.zones[number.c][player]:
                    found.board[kind][square] += times
    return found


def _terms(number: model.Number, times: int) -> Iterator[tuple[int, model.Number]]:
    """The numbers that a sum is made of, and how often."""
    match number.kind:
        case "sum" | "difference":
            for i, part in enumerate(number.parts):
                yield from _terms(part, -times if i and number.kind == "difference" else times)
        case _:
            yield times, number


def share_of_points(found: Reach, points: Points) -> list[list[float]]:
    """[type][square]: the points that a piece has or may make, in the worth of `POINT`."""
    most = max(max(row) for row in points.board)
    targets = {(k, s) for k, row in enumerate(points.board) for s, number in enumerate(row) if number == most > 0}
    turns = expected_turns(found, targets)
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
