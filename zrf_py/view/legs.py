"""Data that a page needs for choosing among legal legs: where they begin and end, what they change."""

from typing import Any

from zrf_py.play.game import Move, Position

MAX_LEGS = 20_000
"""Most legal moves returned, more than a board can show."""


def legs(position: Position) -> list[list[Any]]:
    """Return [text, from, to, type, short, becomes, taken, placed] for each legal leg with a distinct text.

    `from` and `to` are place indexes, `type` is the dropped type and `becomes` the new type of the piece; -1: none.
    `short` is the move as people write it. `taken` and `placed` are the other places where pieces are removed or put.
    """
    by_text: dict[str, list[Any]] = {}
    for move in position.moves()[:MAX_LEGS]:
        if move.text not in by_text:
            by_text[move.text] = _leg(position, move)
    return list(by_text.values())


def _leg(position: Position, move: Move) -> list[Any]:
    diff = move.diff
    kind = diff.piece if move.is_drop else -1
    captured = [square for square in diff.taken if square not in (diff.start, diff.end)]
    placed = [square for square, origin, *_ in diff.men if square not in (origin, diff.end)]
    return [move.text, diff.start, diff.end, kind, position.short(move), diff.becomes, captured, placed]
