"""The memory of complete turns that move one piece; see `reaches.py`."""

from zrf_py.jit.language import Array, Record, Rows, name_all


class ReachNode(Record):
    """A square that a piece has come to within a turn, where from, after how many legs, and how."""

    square: int
    before: int
    depth: int
    way: int
    """2 * (what may follow, as `partial` of its record) + whether it must go on."""


class ReachTurn(Record):
    """A turn that moves one piece; `before` is where its last leg comes from."""

    start: int
    end: int
    before: int


reach_node = Rows(ReachNode)
reach_turn = Rows(ReachTurn)
reach_met = Array(64)
"""[square] or [square][before]: stamp << 20 | the way in which a piece has been there in the search of that stamp."""
reach_ended = Array(64)
"""[square]: the stamp of the last search in which a turn could end there."""

REACHED = name_all(globals())
