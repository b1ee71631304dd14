"""Blocks that differ only in their motions share one `Template`: the motions are its arguments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zrf_py.front.model import Number
from zrf_py.ir.ops import BLOCK_END, HERE, OPS, WRITING, Op, Routine, those
from zrf_py.ir.traits import Reads, Writes
from zrf_py.native.layout import Layout

_COLLECTING = those(lambda row: row.collects)
_MOVING = those(lambda row: row.writes & Writes.MOVEMENT)
_FIXED = those(lambda row: row.is_test and row.where and row.reads == Reads.FIXED)
SHORT, LONG = 8, 24
"""Operations up to which a block is copied to where it is run, and from which on it copies nothing itself."""
FEW_LOOPS = 4
"""Loops of one block up to which the compiler may see how much fuel they spend."""
FAR = -100_000_000
"""A jump below this ends the block."""


@dataclass(frozen=True)
class Template:
    """Operations with the motions replaced by the numbers of arguments."""

    ops: tuple[Op, ...]
    motions: int

    def uses(self, *names: str) -> bool:
        return any(op.name in names for op in self.ops)

    @property
    def is_plain(self) -> bool:
        """Nothing is ever collected: each `add` writes one movement."""
        return not self.uses(*_COLLECTING)

    @property
    def is_simple(self) -> bool:
        """Besides, no `add` needs the general way of writing."""
        return self.is_plain and not any(op.name == "add" and (op.types or op.a & 1) for op in self.ops)

    @property
    def is_direct(self) -> bool:
        """It is always the piece of the block's square that moves, in one movement that changes nothing of it."""
        others = any(op.name == "add" and (op.types or op.a & 1) for op in self.ops)
        return not others and not self.uses("from", *_MOVING)

    @property
    def suffix(self) -> str:
        """Long blocks call the functions that short ones copy: compiling takes a person's time."""
        return "_apart" if len(self.ops) > LONG else ""

    @property
    def loops(self) -> int:
        """How many jumps lead back."""
        return sum(FAR < op.target < 0 for op in self.ops)


Made = dict[tuple[int, int, int], Op]
"""Operations of templates by the operation they were made of, its `a` and its `where`: blocks share operations."""


def template_of(routine: Routine, made: Made | None = None) -> tuple[Template, tuple[int, ...]]:
    """The template of a block and the motions it is used with; `made` is what was made for others of the program."""
    made = {} if made is None else made
    numbers: dict[int, int] = {}
    ops = []
    for op in routine.code:
        a, where = op.a, op.where
        if op.name == "step":
            a = numbers.setdefault(a, len(numbers))
        if where < 0:
            where = -1 - numbers.setdefault(-where - 1, len(numbers))
        key = id(op), a, where
        new = made.get(key)
        if new is None:
            new = made[key] = replace(op, a=a, where=where, origin=None)
        ops.append(new)
    return Template(tuple(ops), len(numbers)), tuple(numbers)


def demands_of(routine: Routine) -> tuple[tuple[Op, ...], Routine]:
    """The tests that a block must pass before it writes anything, wherever it leads: tests of the square where it
    begins, and of numbers that are the same everywhere; and the block without them.

    Nothing before them can be a fault, a loop without end for one, so whoever asks them first may leave the block alone
    if they fail.
    """
    code = routine.code
    found: list[Op] = []
    left: list[Op] = []
    end_of_sure = min((i + op.target for i, op in enumerate(code) if FAR < op.target < 0), default=len(code))
    ahead = i = 0
    moved = False
    while i < end_of_sure and code[i].name not in WRITING and _is_sure(code[i]):
        end = _demand(code, i, moved) if ahead <= i else i
        if end > i:
            found += code[i:end]
            i = end
            continue
        moved = moved or bool(OPS[code[i].name].writes & Writes.CURSOR)
        if code[i].target > 0:
            ahead = max(ahead, i + code[i].target)
        left.append(code[i])
        i += 1
    if not found:
        return (), routine
    return tuple(replace(op, origin=None) for op in found), replace(routine, code=(*left, *code[i:]))


def _demand(code: Sequence[Op], begin: int, moved: bool) -> int:
    """Where tests end, one or several of which one alone must hold, that the block can't go on without; where they
    begin if there are none."""
    end, at = begin + 1, begin
    while at < end:
        op = code[at]
        of_start = not moved and op.name in _FIXED and op.where == HERE
        if not (of_start or _is_about_position(op)) or (op.target < 0 and op.target != BLOCK_END):
            return begin
        end = max(end, at + op.target)
        at += 1
    return end


def _is_sure(op: Op) -> bool:
    """Whether an operation is never a fault."""
    return all(map(_is_plain_number, op.numbers))


def _is_about_position(op: Op) -> bool:
    """Whether it is a test of numbers that are the same on all squares."""
    return bool(op.numbers) and OPS[op.name].is_test and all(map(_is_of_position, op.numbers))


def _is_of_position(number: Number) -> bool:
    """Whether a number is the same on all squares and never too large."""
    return number.kind in ("number", "count", "counter", "legs-made", "turns-made", "store")


def _is_plain_number(number: Number) -> bool:
    """Whether a number is never too large."""
    return number.kind == "at" or _is_of_position(number)


def size_of(layout: Layout) -> int:
    """How many operations would be compiled."""
    made: Made = {}
    return sum(len(template.ops) for template in {template_of(routine, made)[0] for routine in layout.routines})


def most_loops(layout: Layout) -> int:
    """How many loops the block has that has the most."""
    return max((sum(FAR < op.target < 0 for op in routine.code) for routine in layout.routines), default=0)
