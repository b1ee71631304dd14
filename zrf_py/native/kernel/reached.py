"""Memory for complete turns that move one piece; see `reaches.py`."""

from zrf_py.jit.language import Array, Record, Rows, name_all


MOST_ROUTES = 64
"""Limit on the paths of blocks that are tested together."""
MOST_SETS = 256
"""Limit on the masks that `Gates.asking` returns for the paths that are tested together."""


class ReachNode(Record):
    """A square that a piece has reached within a turn: previous square, number of legs, kind of the last leg."""

    square: int
    before: int
    depth: int
    way: int
    """2 * (`partial` of the record that led here + 2), plus 1 if the piece must continue."""


class ReachTurn(Record):
    """A turn that moves one piece; `before` is the square where its last leg starts."""

    start: int
    end: int
    before: int


reach_node = Rows(ReachNode)
reach_turn = Rows(ReachTurn)
reach_met = Array(64)
"""[square] or [square][before]: stamp of a search << 20 | `way` in which the piece got there."""
reach_ended = Array(64)
"""[square]: stamp of the last search in which a turn could end there."""
reach_gates = Array(64)
"""[gate][word]: squares from which blocks may move; see `specialise/gates.py`."""

REACHED = name_all(globals())


def gate_rows(blocks: int) -> int:
    """Return the number of sets of squares that `reach_gates` has room for, in a game with this many blocks."""
    return 4 * blocks + 4 * MOST_ROUTES
