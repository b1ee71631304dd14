"""Disassembler: the operations of a piece's blocks, one to a line, with names instead of numbers.

    3  step n
    4  empty? else end
    5  add

The number at the left is the operation's index; a test shows where it jumps when it fails.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from zrf_py.front.model import Game
from zrf_py.ir.ops import COPIES, GO, HERE, OPS, PARTIAL, Op, Program, Routine
from zrf_py.ir.traits import Kind, Operand


def show_piece(program: Program, piece: int) -> Iterator[str]:
    """Yield the lines of a piece type's blocks."""
    blank = False
    for word, routines in (("moves", program.moves[piece]), ("drops", program.drops[piece])):
        for number, routine in enumerate(routines, 1):
            if blank:
                yield ""
            blank = True
            yield f"{word} {number}{_conditions(program, routine)}"
            yield from (f"{at:>5}  {show_op(program, op, at)}" for at, op in enumerate(routine.code))


def _conditions(program: Program, routine: Routine) -> str:
    board = program.game.board
    words = [f", type {program.move_types[routine.move_type]}"] if routine.move_type >= 0 else []
    if routine.zone >= 0:
        words.append(f", on {board.zone_names[routine.zone]}")
    if routine.position >= 0:
        words.append(f", on {board.places[routine.position].name}")
    return "".join(words)


def show_op(program: Program, op: Op, at: int) -> str:
    """Format one operation; `at` is its index in the block, the base of relative jumps."""
    words = [op.name, *_operands(program, op)]
    if op.where != HERE:
        words.append(_where(program.game, op.where))
    if OPS[op.name].is_test:
        goal = "end" if at + op.target < 0 else str(at + op.target)
        words = [*(() if op.want else ("not",)), *words, "else", goal]
    elif OPS[op.name].kind is Kind.JUMP:
        words.append("end" if at + op.target < 0 else str(at + op.target))
    return " ".join(words)


def _operands(program: Program, op: Op) -> list[str]:
    """Return the names that operands `a` and `b` stand for."""
    row = OPS[op.name]
    if row.a is Operand.MANNER:
        return _add(program, op)
    named = sorted(((row.a, op.a), (row.b, op.b)), key=lambda operand: operand[0] is not Operand.PLAYER)
    return [_name(program, kind, number) for kind, number in named
            if kind not in (Operand.NONE, Operand.SIDE) and number >= 0]


def _name(program: Program, kind: Operand, number: int) -> str:
    game = program.game
    named: dict[Operand, Sequence[Any]] = {
        Operand.PLAYER: game.players, Operand.PIECE: game.pieces, Operand.COUNTER: game.counters,
        Operand.POSITION: game.board.places}
    if kind in named:
        return str(named[kind][number].name)
    lists: dict[Operand, Sequence[str]] = {
        Operand.ATTRIBUTE: game.attributes, Operand.ZONE: game.board.zone_names, Operand.FLAG: program.flags,
        Operand.MOVE_TYPE: program.move_types, Operand.POSITION_FLAG: program.position_flags, Operand.PLACE: GO,
        Operand.TRUTH: ("false", "true")}
    return _motion(game, number) if kind is Operand.MOTION else lists[kind][number]


def _add(program: Program, op: Op) -> list[str]:
    words = [word for bit, word in ((COPIES, "copy"), (PARTIAL, "partial")) if op.a & bit]
    words += [program.game.pieces[t].name for t in op.types]
    if op.is_partial and op.b >= 0:
        words.append(f"then {program.move_types[op.b]}")
    return words


def _motion(game: Game, motion: int) -> str:
    name = game.board.directions[motion // 2]
    return f"against {name}" if motion % 2 else name


def _where(game: Game, operand: int) -> str:
    if operand > 0:
        return f"at {game.board.places[operand - 1].name}"
    return f"at neighbour {_motion(game, -operand - 1)}"
