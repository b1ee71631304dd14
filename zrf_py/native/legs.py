"""What decides about the legs of a turn: how many were made, where the last one went, or the board alone."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from zrf_py.front import model
from zrf_py.ir.ops import BLOCK_END, GO_LAST_FROM, HERE, Op, Program, Routine, those
from zrf_py.ir.traits import Reads
from zrf_py.native.kernel import reached
from zrf_py.native.specialise.flags import leaks_flags
from zrf_py.run import goals

REACH_ROOM = 1 << 13
MOST_PLACES = 1 << 20
"""Numbers of the table of squares that a piece has been to within a turn."""

_LAST = those(lambda row: row.reads & Reads.LAST)
_LEGS_AND_NONE = model.Number("legs-made"), model.Number("number")
_SIMPLE = {"step", "add", "end"} | those(lambda row: row.is_test and row.where)


@lru_cache(maxsize=16)
def asks_last(program: Program) -> bool:
    """Whether some block asks where the last move went."""
    return program.uses(*_LAST, suits=lambda op: op.name != "go" or op.a >= GO_LAST_FROM)


def legs_matter(program: Program) -> bool:
    """Whether moves within a turn may depend on how many legs were made, except on whether there were any."""
    return any(
        any(map(_counts_legs, op.numbers)) and not (op.name in ("greater?", "equal?") and op.numbers == _LEGS_AND_NONE)
        for op in program.ops
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


@lru_cache(maxsize=4)
def last_decides(program: Program) -> bool:
    """Whether it may matter for where a piece can get to which way it came to a square.

    It does not where blocks only forbid the leg that takes the last one back: where that leads the piece has been
    already. Only back at the start, in the middle of a chain, might it do what it could not at first; so there must be
    a block that begins turns, asks nothing then, and is the same otherwise. It may be the block itself, if it asks of
    the second leg on.
    """
    if not asks_last(program):
        return False
    beginning = {turn.move_type for turn in program.game.turns}
    if len(beginning) > 1 or (-1 in beginning and program.game.priorities):
        return True
    return any(_decides(routines, *beginning) for routines in program.moves)


def _decides(routines: Sequence[Routine], beginning: int) -> bool:
    """The same for the blocks of one type, where turns begin with a move type."""
    first = []
    for routine in routines:
        if beginning in (-1, routine.move_type):
            if _asks_first(routine):
                return True
            first.append(_plain(routine))
    return any(_asks(r) and not (_plain(r) and _plain(r) in first) for r in routines)


def _asks(routine: Routine) -> bool:
    return any(map(_is_about_last, routine.code))


def _asks_first(routine: Routine) -> bool:
    """Whether a block may ask where the last leg went while none was made, so that it is another player's."""
    code = routine.code
    return any(_is_about_last(op) and not (i and _tells_first(code[i - 1])) for i, op in enumerate(code))


def _is_about_last(op: Op) -> bool:
    return op.name in _LAST and (op.name != "go" or op.a >= GO_LAST_FROM)


def _plain(routine: Routine) -> tuple[Op, ...]:
    """The operations of a block without the test that its end is not where the last leg came from; nothing of a block
    that is more than steps, tests and one `add`, or asks for the last leg otherwise."""
    code = _unguarded(routine)
    names = [op.name for op in code]
    if names.count("add") != 1 or not _SIMPLE.issuperset(names) or any(op.target not in (0, BLOCK_END) for op in code):
        return ()
    steps = max((i for i, name in enumerate(names) if name == "step"), default=0)
    return tuple(replace(op, origin=None) for i, op in enumerate(code) if i < steps or not _forbids_back(op))


def _unguarded(routine: Routine) -> list[Op]:
    """The operations without the tests that have nobody asked on the first leg of a turn where that one came from."""
    code = routine.code
    return [op for i, op in enumerate(code)
            if not (_tells_first(op) and i + 1 < len(code) and _forbids_back(code[i + 1]))]


def _forbids_back(op: Op) -> bool:
    return (op.name, op.where, op.want, op.target) == ("last-from?", HERE, False, BLOCK_END)


def _tells_first(op: Op) -> bool:
    """Whether it skips the next operation on the first leg, and only then."""
    return op.numbers == _LEGS_AND_NONE and op.target == 2 and (op.name, op.want) in (
        ("equal?", False), ("greater?", True))


def _places(program: Program) -> int:
    """How many ways there are to be on a square: where what follows depends on it, each with where one comes from."""
    squares = len(program.game.board.places)
    return squares * squares if last_decides(program) else squares


def reach_sizes(program: Program, used: int) -> dict[str, int]:
    """The memory of `reaches.py`; none for other games."""
    squares = len(program.game.board.places)
    return {
        reached.reach_met.name: _places(program) if used else 1, reached.reach_ended.name: squares if used else 1,
        reached.reach_node.name: REACH_ROOM * reached.ReachNode.size if used else reached.ReachNode.size,
        reached.reach_turn.name: REACH_ROOM * reached.ReachTurn.size if used else reached.ReachTurn.size,
    }
