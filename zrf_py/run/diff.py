"""Find what a move does to the board, by applying it and comparing the boards before and after."""

from dataclasses import replace
from typing import NamedTuple

from zrf_py.ir.ops import Program
from zrf_py.run.position import DROP, KEEP, MOVE, NEW, NOBODY, Move, MutableBoard, Overlay, Position

Man = tuple[int, int, int, int]
"""(square, square before the move or NEW, player, type) of a piece after the move."""


class MoveDiff(NamedTuple):
    """Difference that a move or leg makes on the board, in square, player and type numbers; -1 always means none.

    The main piece is that of the first movement. For a move without movements, `start` and `end` are the squares that
    a player clicks: those where its block began and ended, or else the first square that changes (as `end`).
    """

    start: int
    """The main piece's square before the move."""
    end: int
    """The square where the main piece arrives."""
    piece: int
    """The main piece's type before the move, or the type that is dropped."""
    becomes: int
    """The type on `end` after the move, if it differs from `piece`."""
    taken: tuple[int, ...]
    """Squares, before the move, of the pieces that it removes, in the order of removal."""
    men: tuple[Man, ...]
    """Pieces that arrived, appeared, or were given an owner or a type (even the same one), in the order of writing."""

    @property
    def moved(self) -> list[tuple[int, int]]:
        """(from, to) of pieces whose square changed."""
        return [(origin, square) for square, origin, _, _ in self.men if origin not in (NEW, square)]

    @property
    def placed(self) -> list[Man]:
        """Pieces that were not on the board before: drops, copies, creations."""
        return [man for man in self.men if man[1] == NEW]


def move_diff(program: Program, before: Position, move: Move) -> MoveDiff:
    """Return the difference that `move` makes to the position `before`."""
    return _plain(before, move) or _applied(program, before, move)


def _plain(before: Position, move: Move) -> MoveDiff | None:
    """Return the difference of a move of one piece that changes nothing else but attributes; None for other moves."""
    effects = move.effects
    if len(move.movements) != 1 or move.captures or (effects and any(e[0] != "set-attribute" for e in effects)):
        return None
    ((operation, start, end, kind),) = move.movements
    owner, piece = before.owner, before.piece
    captured = (end,) if owner[end] != NOBODY else ()
    if operation == DROP:
        return MoveDiff(-1, end, kind, -1, captured, ((end, NEW, move.side, kind),))
    if operation != MOVE or start == end or owner[start] == NOBODY:
        return None
    old = piece[start]
    new = old if kind in (KEEP, old) else kind
    return MoveDiff(start, end, old, -1 if new == old else new, captured, ((end, start, owner[start], new),))


def _applied(program: Program, before: Position, move: Move) -> MoveDiff:
    """Apply the move to a copy of the board, and compare."""
    board = MutableBoard(program, before, move.side, Overlay)
    numbers = [effect for effect in move.effects if effect[0].endswith("-counter")]
    # Counters are left out: their overflow is a fault when the move is played, but does not concern the board.
    board.apply(replace(move, effects=tuple(e for e in move.effects if e not in numbers)) if numbers else move)
    owner, piece = board.owner, board.piece
    men = tuple([(square, origin, owner[square], piece[square]) for square, origin in board.origin.items()
                 if owner[square] != NOBODY])
    captured = tuple([origin for origin in board.gone if origin != NEW])
    start, end = move.key
    if start == end == -1 and not move.is_pass:
        end = next(iter((*board.origin, *captured)), -1)
    kind = before.piece[start] if start >= 0 and before.owner[start] != NOBODY else -1
    if move.movements and move.movements[0][0] == DROP:
        kind = move.movements[0][3]
    new = piece[end] if end in board.origin and owner[end] != NOBODY else -1
    return MoveDiff(start, end, kind, new if new != kind else -1, captured, men)
