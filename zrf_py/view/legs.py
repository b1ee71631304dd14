"""Legal legs → what a page needs to let people choose among them: where they begin and end, what they change."""

from typing import Any

from zrf_py.play.game import Move, Position

MAX_LEGS = 20_000
"""Legal moves that are told; more no board can show."""


def legs(position: Position) -> list[list[Any]]:
    """[text, from, to, type, short, becomes, taken, placed] of each legal leg that is written differently.

    `from` and `to` are place indexes, `type` what is taken from the store and `becomes` what the man becomes, both as
    types; -1 for none. `short` is the move as people write it. `taken` and `placed` are places beside `from` and `to`
    where men go or come.
    """
    found: dict[str, list[Any]] = {}
    for move in position.moves()[:MAX_LEGS]:
        if move.text not in found:
            found[move.text] = _leg(position, move)
    return list(found.values())


def _leg(position: Position, move: Move) -> list[Any]:
    diff = move.diff
    kind = diff.piece if move.is_drop else -1
    taken = [square for square in diff.taken if square not in (diff.start, diff.end)]
    placed = [square for square, origin, *_ in diff.men if square not in (origin, diff.end)]
    return [move.text, diff.start, diff.end, kind, position.short(move), diff.becomes, taken, placed]
