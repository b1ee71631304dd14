"""What decides about the legs of a turn: how many were made, where the last one went, or the board alone."""

from __future__ import annotations

from zrf_py.front import model
from zrf_py.ir.ops import GO_LAST_FROM, Program, those
from zrf_py.ir.traits import Reads
from zrf_py.native.kernel import memory as m
from zrf_py.native.specialise.analysis import leaks_flags
from zrf_py.run import goals

REACH_ROOM = 1 << 13
MOST_PLACES = 1 << 20
"""Numbers of the table of squares that a piece has been to within a turn."""

_LAST = those(lambda row: row.reads & Reads.LAST)


def asks_last(program: Program) -> bool:
    """Whether some block asks where the last move went."""
    return program.uses(*_LAST, suits=lambda op: op.name != "go" or op.a >= GO_LAST_FROM)


def legs_matter(program: Program) -> bool:
    """Whether moves within a turn may depend on how many legs were made, except on whether there were any."""
    harmless = (model.Number("legs-made"), model.Number("number"))
    return any(
        any(map(_counts_legs, op.numbers)) and not (op.name in ("greater?", "equal?") and op.numbers == harmless)
        for code in program.codes() for op in code
    )


def _counts_legs(number: model.Number) -> bool:
    return number.kind == "legs-made" or any(map(_counts_legs, number.parts))


def one_piece_turns(program: Program) -> bool:
    """Whether what is possible within a turn may depend on nothing but the board and where the one piece stands."""
    game = program.game
    return (
        program.uses("add", suits=lambda op: op.a & 2 > 0) and not game.options.maximal_captures
        and all(end.remove < 0 for end in game.ends) and not any(program.drops)
        and not any(goals.royals(program)) and not game.attributes
        and not leaks_flags(program) and not legs_matter(program) and _places(program) <= MOST_PLACES
    )


def _places(program: Program) -> int:
    """How many ways there are to be on a square: where what follows depends on it, each with where one comes from."""
    squares = len(program.game.board.places)
    return squares * squares if asks_last(program) else squares


def reach_sizes(program: Program, used: int) -> dict[str, int]:
    """The memory of `reaches.py`; none for other games."""
    squares = len(program.game.board.places)
    return {
        m.reach_met.name: _places(program) if used else 1, m.reach_ended.name: squares if used else 1,
        m.reach_node.name: REACH_ROOM * m.ReachNode.size if used else m.ReachNode.size,
        m.reach_turn.name: REACH_ROOM * m.ReachTurn.size if used else m.ReachTurn.size,
    }
