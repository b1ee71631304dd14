"""Dependencies of a turn's legs: on the number of legs made, on the last leg's squares, or on the board alone."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from zrf_py.front import model
from zrf_py.ir.ops import BLOCK_END, GO_LAST_FROM, HERE, OPS, Op, Program, Routine, those
from zrf_py.ir.traits import Reads
from zrf_py.native.kernel import reached
from zrf_py.native.specialise.flags import leaks_flags
from zrf_py.run import goals

REACH_ROOM = 1 << 13
MOST_PLACES = 1 << 20
"""Limit on the entries of the table of squares that a piece has visited within a turn."""
MOST_GATED = 512
"""Limit on the squares of a board with gates (see `specialise/gates.py`)."""
_LAST = those(lambda row: row.reads & Reads.LAST)
_LEGS_AND_NONE = model.Number("legs-made"), model.Number("number")
_SIMPLE = {"step", "add", "end"} | those(lambda row: row.is_test and row.where)


@lru_cache(maxsize=16)
def asks_last(program: Program) -> bool:
    """Return whether some block tests a square of the last move, or goes there."""
    return any(map(_is_about_last, program.ops))


def legs_matter(program: Program) -> bool:
    """Return whether moves may depend on the number of legs made, beyond whether there were any."""
    return any(
        any(map(_counts_legs, op.numbers)) and not (op.name in ("greater?", "equal?") and op.numbers == _LEGS_AND_NONE)
        for op in program.ops
    )


def _counts_legs(number: model.Number) -> bool:
    return number.kind == "legs-made" or any(map(_counts_legs, number.parts))


def one_piece_turns(program: Program) -> bool:
    """Return whether `reaches.py` may find the turns: legs depend only on the board and the squares of the last leg."""
    game = program.game
    return (
        program.has_legs and not game.options.maximal_captures
        and _removes_others(program) and not any(program.drops)
        and not any(program.aims.royals) and not game.attributes
        and not leaks_flags(program) and not legs_matter(program) and _places(program) <= MOST_PLACES
    )


@lru_cache(maxsize=4)
def last_decides(program: Program) -> bool:
    """Return whether the squares within a piece's reach may depend on its path to a square.

    They don't if the only test of the last leg forbids going straight back: that square has been visited. But a piece
    that is back at its start could make legs that it could not begin with. So each block with the test needs a
    counterpart without it among the blocks that begin turns; a block that tests only later legs is its own counterpart.
    """
    if not asks_last(program):
        return False
    beginning = {turn.move_type for turn in program.game.turns}
    if len(beginning) > 1 or (-1 in beginning and program.game.priorities):
        return True
    return any(_decides(routines, *beginning) for routines in program.moves)


def _decides(routines: Sequence[Routine], beginning: int) -> bool:
    """Like `last_decides`, for the blocks of one piece type; `beginning` is the move type of first legs (-1: any)."""
    first = []
    for routine in routines:
        if beginning in (-1, routine.move_type):
            if _asks_first(routine):
                return True
            first.append(_plain(routine))
    return any(any(map(_is_about_last, r.code)) and not (_plain(r) and _plain(r) in first) for r in routines)


def _asks_first(routine: Routine) -> bool:
    """Return whether a block may test the last leg before the turn has one: it would see another player's leg."""
    code = routine.code
    return any(_is_about_last(op) and not (i and _tells_first(code[i - 1])) for i, op in enumerate(code))


def _is_about_last(op: Op) -> bool:
    return op.name in _LAST and (OPS[op.name].is_test or op.a >= GO_LAST_FROM)


def _plain(routine: Routine) -> tuple[Op, ...]:
    """Return the operations of a block without the test that forbids the leg straight back; () if the block has more
    than steps, tests and one `add`, or tests the last leg in another way."""
    code = _unguarded(routine)
    names = [op.name for op in code]
    if names.count("add") != 1 or not _SIMPLE.issuperset(names) or any(op.target not in (0, BLOCK_END) for op in code):
        return ()
    steps = max((i for i, name in enumerate(names) if name == "step"), default=0)
    return tuple(replace(op, origin=None) for i, op in enumerate(code) if i < steps or not _forbids_back(op))


def _unguarded(routine: Routine) -> list[Op]:
    """Return the operations except the guards by which a first leg skips the test against going straight back."""
    code = routine.code
    return [op for i, op in enumerate(code)
            if not (_tells_first(op) and i + 1 < len(code) and _forbids_back(code[i + 1]))]


def _forbids_back(op: Op) -> bool:
    return (op.name, op.where, op.want, op.target) == ("last-from?", HERE, False, BLOCK_END)


def _tells_first(op: Op) -> bool:
    """Return whether an operation skips the next one on the first leg, and only then."""
    return op.numbers == _LEGS_AND_NONE and op.target == 2 and (op.name, op.want) in (
        ("equal?", False), ("greater?", True))


def single_leg_turns(program: Program) -> bool:
    """Return whether every turn has one leg, and no mover drops out at the end of it and loses pieces."""
    return not program.has_legs and _removes_others(program)


def removes_pieces(program: Program) -> bool:
    """Return whether players who drop out may lose pieces."""
    return any(end.remove >= 0 for end in program.game.ends)


def _removes_others(program: Program) -> bool:
    """Return whether no mover can drop out at the end of the turn and lose pieces. This holds if players who drop out
    keep their pieces, or if only players without a move lose theirs and everybody has exactly one turn a round: then
    the mover could drop out only after all others, when the game is over."""
    game = program.game
    movers = [turn.mover for turn in game.turns]
    return not removes_pieces(program) or (
        len(set(movers)) == len(movers) and game.repeat == 0 and all(turn.mover == turn.side for turn in game.turns)
        and all(end.remove < 0 or goals.asks_state(end.goal) for end in game.ends)
        and not program.uses("next-turn") and not any(turn.guards for turn in game.turns))


def _places(program: Program) -> int:
    """Count the states of a piece within a turn: its square and, if it matters, the square it came from."""
    squares = len(program.game.board.places)
    return squares * squares if last_decides(program) else squares


def reach_sizes(program: Program, used: int) -> dict[str, int]:
    """Return the sizes of the arrays of `reaches.py`; minimal for games that do not use them."""
    squares = len(program.game.board.places)
    gated = used and squares <= MOST_GATED
    rows = reached.gate_rows(sum(map(len, program.moves)))
    return {
        reached.reach_gates.name: rows * ((squares + 63) // 64) if gated else 1,
        reached.reach_met.name: _places(program) if used else 1,
        reached.reach_ended.name: squares if used or single_leg_turns(program) else 1,
        reached.reach_node.name: REACH_ROOM * reached.ReachNode.size if used else reached.ReachNode.size,
        reached.reach_turn.name: REACH_ROOM * reached.ReachTurn.size if used else reached.ReachTurn.size,
    }
