"""Slides: loops that walk over empty squares in one direction. They end at the first piece on a ray, which a table of
rays and a bit scan find without walking.

A ray is the set of squares from a square on along a motion, itself included. The scan needs squares whose numbers rise
or fall along each ray, as on boards of rows; on other boards, the loops walk.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from zrf_py.ir.ops import CHANGING, GO_FROM, GO_MARK, HERE, Op, Program
from zrf_py.jit.translate import WORD, Kernel
from zrf_py.native.bitboards.graph import words_of
from zrf_py.native.kernel import memory as m
from zrf_py.native.specialise.templates import FAR

LARGEST = 1 << 17
"""Limit on the bytes of a game's rays."""
MOST_STEPS = 10_000
"""Limit on a ray's squares times a block's operations; it is far below the limit on the operations of a run."""
_BYTE, _ROW_END = ir.IntType(8), 2


@dataclass(frozen=True)
class Slide:
    """A loop over empty squares: what it writes on each, and where it exits."""

    motion: int
    """Argument number of its motion."""
    records: int
    """Records written on each square, by a block of a piece on the board."""
    leave: int
    """Index of the operation after the loop."""


def slides_of(ops: Sequence[Op]) -> dict[int, Slide]:
    """Return the slides of a block by the index of their first operation; none if it has other loops."""
    slides = {i: slide for i, op in enumerate(ops) if op.name == "empty?" and (slide := _slide(ops, i))}
    return slides if len(slides) == sum(FAR < op.target < 0 for op in ops) else {}


def _slide(ops: Sequence[Op], i: int) -> Slide | None:
    leave = i + ops[i].target
    if ops[i].where != HERE or not ops[i].want or ops[i].target < 3 or ops[leave - 1].name != "goto":
        return None
    *body, step, goto = ops[i + 1 : leave]
    if goto.target != i + 1 - leave or step.name != "step":
        return None
    marks = any(op.name == "mark" for op in body)
    if (marks and ops[leave].name != "end") or any(op.name in ("from", "to", *CHANGING) for op in ops[:i]):
        return None
    records = _records(body)
    return None if records is None else Slide(step.a, records, leave)


def _records(body: Sequence[Op]) -> int | None:
    """Count the records of one round of a loop; None if that depends on more than the square."""
    at_square, marked, effect, records = True, False, False, 0
    for op in body:
        if op.name == "add" and not op.types and not op.is_copy:
            records += at_square or effect
            effect = False
        elif op.name == "mark" and op.where == HERE and at_square:
            marked = True
        elif op.name == "go" and op.a == GO_FROM:
            at_square = False
        elif op.name == "go" and op.a == GO_MARK and marked:
            at_square = True
        elif op.name in CHANGING and op.where == HERE and at_square:
            effect = True
        else:
            return None
    return records if at_square and not effect else None


class Rays:
    """Rays of a game's board as tables of its module; `fits` is False if there are none."""

    def __init__(self, kernel: Kernel, program: Program) -> None:
        self.kernel = kernel
        self.squares = len(program.game.board.places)
        self.words = (self.squares + 63) // 64
        self.kind = ir.IntType(64 * self.words)
        self.motions = len(program.steps[0])
        alike = all(steps == program.steps[0] for steps in program.steps)
        self.sides = program.steps[:1] if alike else program.steps
        self.rows = 64 * self.words + _ROW_END
        """Row length of `rays.ahead`, indexed by square + 1: the scan of an empty set gives numbers off the board."""
        size = len(self.sides) * self.motions * (self.squares * self.words * 8 + self.rows)
        self.lengths = [_lengths(step) for side in self.sides for step in side] if size <= LARGEST else []
        self.fits = bool(self.lengths) and all(lengths is not None for lengths in self.lengths)
        self.longest = max((max(lengths) for lengths in self.lengths if lengths), default=0)

    def slides(self, ops: Sequence[Op]) -> dict[int, Slide]:
        """Return the slides of a block that this board's rays can replace."""
        return slides_of(ops) if self.fits and self.longest * len(ops) <= MOST_STEPS else {}

    def scan(
        self, builder: ir.IRBuilder, side: ir.Value, motion: ir.Value, square: ir.Value,
    ) -> tuple[ir.Value, ir.Value]:
        """Emit the number of empty squares from `square` on along a motion, and the first piece's square (-1: none)."""
        b = builder
        row = b.add(b.mul(side, WORD(self.motions)), motion) if len(self.sides) > 1 else motion
        at = b.add(b.mul(row, WORD(self.squares)), square)
        address = b.gep(self._masks(), [b.mul(at, WORD(self.words))], inbounds=True, source_etype=WORD)
        ray = b.load(address, typ=self.kind, align=8)
        empty = b.load(self.kernel.memory.element(b, m.occupied, WORD(0)), typ=self.kind, align=8)
        pieces = b.and_(ray, b.not_(empty))
        no, top = ir.Constant(ir.IntType(1), 0), ir.Constant(self.kind, 64 * self.words - 1)
        low = b.cttz(pieces, no)
        high = b.sub(top, b.ctlz(pieces, no))
        falls = b.load(b.gep(self._falls(), [row], inbounds=True, source_etype=_BYTE), typ=_BYTE)
        first = b.select(b.icmp_signed("!=", falls, _BYTE(0)), high, low)
        if self.words > 1:
            first = b.trunc(first, WORD)
        lengths = b.mul(row, WORD(self.rows))
        free = b.sub(self._ahead(b, lengths, square), self._ahead(b, lengths, first))
        none = b.icmp_signed("==", pieces, ir.Constant(self.kind, 0))
        return free, b.select(none, WORD(-1), first)

    def _ahead(self, b: ir.IRBuilder, row: ir.Value, square: ir.Value) -> ir.Value:
        index = b.add(b.add(row, square), WORD(1))
        return b.zext(b.load(b.gep(self._steps(), [index], inbounds=True, source_etype=_BYTE), typ=_BYTE), WORD)

    def _masks(self) -> ir.Value:
        return self.kernel.memory.table("rays.masks", WORD, lambda: [
            word for step in self._motions() for ray in _masks(step) for word in words_of(ray, self.words)])

    def _steps(self) -> ir.Value:
        return self.kernel.memory.table("rays.ahead", _BYTE, lambda: [
            n for lengths in self.lengths for n in (0, *(lengths or ()), *[0] * (self.rows - 1 - self.squares))])

    def _falls(self) -> ir.Value:
        return self.kernel.memory.table("rays.falls", _BYTE, lambda: [
            int(any(0 <= to < square for square, to in enumerate(step))) for step in self._motions()])

    def _motions(self) -> list[Sequence[int]]:
        return [step for side in self.sides for step in side]


def _lengths(step: Sequence[int]) -> list[int] | None:
    """Return the length of the ray from each square; None if one is too long or squares neither rise nor fall."""
    signs = {to > square for square, to in enumerate(step) if to >= 0}
    if len(signs) > 1 or any(to == square for square, to in enumerate(step)):
        return None
    lengths = [0] * len(step)
    order = range(len(step)) if signs == {False} else range(len(step) - 1, -1, -1)
    for square in order:
        lengths[square] = 1 + (lengths[step[square]] if step[square] >= 0 else 0)
    return lengths if max(lengths) < 128 else None


def _masks(step: Sequence[int]) -> list[int]:
    masks = [0] * len(step)
    falls = any(0 <= to < square for square, to in enumerate(step))
    for square in range(len(step)) if falls else range(len(step) - 1, -1, -1):
        masks[square] = 1 << square | (masks[step[square]] if step[square] >= 0 else 0)
    return masks
