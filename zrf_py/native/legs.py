"""What decides about the legs of a turn: how many were made, where the last one went, or the board alone."""

from dataclasses import replace
from functools import lru_cache

from zrf_py.front import model
from zrf_py.ir.ops import BLOCK_END, GO_LAST_FROM, HERE, Op, Program, Routine, those
from zrf_py.ir.traits import Reads
from zrf_py.native.kernel import reached
from zrf_py.native.specialise.analysis import leaks_flags
from zrf_py.run import goals

REACH_ROOM = 1 << 13
MOST_PLACES = 1 << 20
"""Numbers of the table of squares that a piece has been to within a turn."""

_LAST = those(lambda row: row.reads & Reads.LAST)
_SIMPLE = {"step", "add", "end"} | those(lambda row: row.is_test and row.where)


@lru_cache(maxsize=16)
def asks_last(program: Program) -> bool:
    """Whether some block asks where the last move went."""
    return program.uses(*_LAST, suits=lambda op: op.name != "go" or op.a >= GO_LAST_FROM)


def legs_matter(program: Program) -> bool:
    """Whether moves within a turn may depend on how many legs were made, except on whether there were any."""
    harmless = (model.Number("legs-made"), model.Number("number"))
    return any(
        any(map(_counts_legs, op.numbers)) and not (op.name in ("greater?", "equal?") and op.numbers == harmless)
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
    already. Only back at the start, in the middle of a chain, might it do what it could not at first; so each such
    block must be one that begins turns, but for that test.
    """
    if not asks_last(program):
        return False
    following = {op.b for op in program.ops if op.name == "add" and op.a & 2}
    beginning = {turn.move_type for turn in program.game.turns}
    if -1 in following or len(beginning) > 1 or beginning & {-1, *following}:
        return True
    for routines in program.moves:
        first = [_plain(r) for r in routines if r.move_type in beginning and not _asks(r)]
        if any(_asks(r) and not (_plain(r) and _plain(r) in first) for r in routines):
            return True
    return False


def _asks(routine: Routine) -> bool:
    return any(op.name in _LAST and (op.name != "go" or op.a >= GO_LAST_FROM) for op in routine.code)


def _plain(routine: Routine) -> tuple[Op, ...]:
    """The operations of a block without the test that its end is not where the last leg came from; nothing of a block
    that is more than steps, tests and one `add`, or asks for the last leg otherwise."""
    names = [op.name for op in routine.code]
    if names.count("add") != 1 or not _SIMPLE.issuperset(names) or any(
            op.target not in (0, BLOCK_END) for op in routine.code):
        return ()
    code = [replace(op, origin=None) for op in routine.code]
    steps = max((i for i, name in enumerate(names) if name == "step"), default=0)
    back = Op("last-from?", where=HERE, want=False, target=BLOCK_END)
    return tuple(op for i, op in enumerate(code) if i < steps or op != back)


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
