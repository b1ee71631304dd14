"""Legal legs → what a page needs to let people choose among them: where they begin and end, what they change."""

from typing import Any

from zrf_py.play.game import Move, Position
from zrf_py.run.position import DROP, KEEP

MAX_LEGS = 20_000
"""Legal moves that are told; more no board can show."""


def legs(position: Position) -> list[list[Any]]:
    """[text, from, to, type, short, becomes, taken, placed] of each legal leg that is written differently.

    `from` and `to` are place indexes, `type` what is taken from the store and `becomes` what the man becomes, both as
    types; -1 for none. `short` is the move as people write it. `taken` and `placed` are places beside `to` where men
    go or come.
    """
    found: dict[str, list[Any]] = {}
    for move in position.moves()[:MAX_LEGS]:
        if move.text not in found:
            found[move.text] = _leg(position, move)
    return list(found.values())


def _leg(position: Position, move: Move) -> list[Any]:
    raw = move.raw
    short = position.short(move)
    if raw.is_pass:
        return [move.text, -1, -1, -1, short, -1, [], []]
    start, end = raw.key
    kind = becomes = -1
    if raw.movements:
        how, _, _, new = raw.movements[0]
        if how == DROP:
            start, kind = -1, new
        elif new != KEEP:
            becomes = new
    elif start < 0 and end < 0:
        end = _first_square(move)
    becomes = next((a for name, s, a, _ in raw.effects if name == "change-type" and s == end), becomes)
    if not raw.movements:
        becomes = next((a for name, s, a, _ in raw.effects if name == "create" and s == end), becomes)
    taken = [s for s in raw.captures if s != end]
    placed = [s for name, s, *_ in raw.effects if name == "create" and s != end]
    placed += [e for _, s, e, _ in raw.movements[1:] if s != e]
    return [move.text, start, end, kind, short, becomes, taken, placed]


def _first_square(move: Move) -> int:
    """Where a move that moves nothing does something, -1 if that is nowhere on the board."""
    for name, square, _, _ in move.raw.effects:
        if not name.endswith("-counter") and name != "next-turn":
            return square
    return move.raw.captures[0] if move.raw.captures else -1
