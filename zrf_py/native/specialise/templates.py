"""Blocks that differ only in their motions share one `Template`: the motions are its arguments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zrf_py.front.model import Number
from zrf_py.ir.ops import BLOCK_END, CASCADING, FIXED, GO_MARK, HERE, OPS, WRITING, Op, Routine, those
from zrf_py.ir.traits import Changes, Kind, Operand, Writes
from zrf_py.native.layout import Layout

_COLLECTING = those(lambda row: row.collects)
SHORT, LONG = 8, 24
"""Maximum size, in operations, of a block that is inlined, and of one into which kernel functions are inlined."""
MANY = 256
"""Number of blocks of a game above which none is inlined: LLVM would take long for the resulting function."""
FEW_LOOPS = 4
"""Maximum number of loops in a block for LLVM to see its count of operations; see `Writer.burn`."""
FAR = -100_000_000
"""A jump below this ends the block."""


@dataclass(frozen=True)
class Template:
    """A block's operations, with motions replaced by argument numbers."""

    ops: tuple[Op, ...]
    motions: int

    def uses(self, *names: str) -> bool:
        return any(op.name in names for op in self.ops)

    @property
    def is_plain(self) -> bool:
        """True if nothing is ever collected: each record of an `add` is a single movement."""
        return not self.uses(*_COLLECTING)

    @property
    def is_simple(self) -> bool:
        """True if it is plain and no `add` copies the piece or has types."""
        return self.is_plain and not any(op.types or op.is_copy for op in self.ops)

    @property
    def is_direct(self) -> bool:
        """True if the movement of each move, if any, is that of the piece on the block's square, without a new type."""
        others = any(op.types or op.is_copy for op in self.ops)
        return not others and not self.uses("from", *CASCADING)

    @property
    def is_quiet(self) -> bool:
        """True if each move is one movement of the piece on the block's square that changes nothing but the attributes
        of that piece, or nothing but its type."""
        effects = [op for op in self.ops if OPS[op.name].kind is Kind.EFFECT]
        typed = any(op.types for op in self.ops)
        return (
            not self.uses("from", "to", "go", "add-pass", "must-continue", *CASCADING)
            and all(OPS[op.name].changes is Changes.ATTRIBUTES and op.where == HERE for op in effects)
            and not any(op.is_copy or op.is_partial for op in self.ops)
            and not (typed and (effects or len(self.ops) > SHORT)))

    @property
    def suffix(self) -> str:
        """Suffix of kernel functions: long blocks call those that short ones inline, to save compile time."""
        return "_apart" if len(self.ops) > LONG else ""

    @property
    def loops(self) -> int:
        """Number of backward jumps."""
        return sum(FAR < op.target < 0 for op in self.ops)


Made = dict[tuple[int, int, int], Op]
"""Cache of template operations, by (identity of the original, its new `a`, its new `where`)."""


def template_of(routine: Routine, cache: Made | None = None) -> tuple[Template, tuple[int, ...]]:
    """Return a block's template and its motions; `cache` is the cache shared by the blocks of a program."""
    cache = {} if cache is None else cache
    numbers: dict[int, int] = {}
    ops = []
    for op in routine.code:
        a, operand = op.a, op.where
        if OPS[op.name].a is Operand.MOTION:
            a = numbers.setdefault(a, len(numbers))
        if operand < 0:
            operand = -1 - numbers.setdefault(-operand - 1, len(numbers))
        key = id(op), a, operand
        new = cache.get(key)
        if new is None:
            new = cache[key] = replace(op, a=a, where=operand, origin=None)
        ops.append(new)
    return Template(tuple(ops), len(numbers)), tuple(numbers)


def demands_of(routine: Routine) -> tuple[tuple[Op, ...], Routine]:
    """Return a block's guards and the block without them. Guards are tests that it must pass on every path before it
    writes anything: tests of its start square, and of numbers that are the same on all squares.

    No operation before them can fault (e.g. loop without end), so that a caller may test them first and skip the block
    if they fail.
    """
    code = routine.code
    guards: list[Op] = []
    rest: list[Op] = []
    end_of_sure = min((i + op.target for i, op in enumerate(code) if FAR < op.target < 0), default=len(code))
    ahead = i = 0
    moved = False
    while i < end_of_sure and code[i].name not in WRITING and all(
            number.kind == "at" or _is_of_position(number) for number in code[i].numbers):  # can't overflow
        end = _demand(code, i, moved) if ahead <= i else i
        if end > i:
            guards += code[i:end]
            i = end
            continue
        moved = moved or bool(OPS[code[i].name].writes & Writes.CURSOR)
        if code[i].target > 0:
            ahead = max(ahead, i + code[i].target)
        rest.append(code[i])
        i += 1
    if not guards:
        return (), routine
    return tuple(replace(op, origin=None) for op in guards), replace(routine, code=(*rest, *code[i:]))


def rest_of(routine: Routine, begin: int, keeps_to: bool) -> Routine | None:
    """Return the rest of a block from operation `begin` on, as a block that starts on the cursor's square, with `to`
    equal to it (`keeps_to`) or unset; None if the rest depends on other state of the first part."""
    code = routine.code[begin:]
    if any(FAR < i + op.target < 0 or op.name == "marked?" or (op.name == "go" and op.a == GO_MARK)
           or (keeps_to and OPS[op.name].writes & Writes.CURSOR) for i, op in enumerate(code)):
        return None
    return replace(routine, code=code)


def _demand(code: Sequence[Op], begin: int, moved: bool) -> int:
    """Return the index past the guard at `begin`: one test, or several joined by `or`; `begin` if there is none."""
    end, at = begin + 1, begin
    while at < end:
        op = code[at]
        of_start = not moved and op.name in FIXED and op.where == HERE
        of_position = op.numbers and OPS[op.name].is_test and all(map(_is_of_position, op.numbers))
        if not (of_start or of_position) or (op.target < 0 and op.target != BLOCK_END):
            return begin
        end = max(end, at + op.target)
        at += 1
    return end


def _is_of_position(number: Number) -> bool:
    """Return whether a number is the same on all squares and can never overflow."""
    return number.kind in ("number", "count", "counter", "legs-made", "turns-made", "store")


def size_of(layout: Layout) -> int:
    """Count the operations to compile: those of distinct templates."""
    cache: Made = {}
    return sum(len(template.ops) for template in {template_of(routine, cache)[0] for routine in layout.routines})


def most_loops(layout: Layout) -> int:
    """Return the largest number of loops in one block."""
    return max((sum(FAR < op.target < 0 for op in routine.code) for routine in layout.routines), default=0)
