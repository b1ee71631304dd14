"""Blocks that differ only in their motions share one `Template`: the motions are its arguments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zrf_py.ir.ops import Op, Routine, those
from zrf_py.native.layout import Layout

_COLLECTING = those(lambda row: row.collects)
SHORT, LONG = 8, 24
"""Operations up to which a block is copied to where it is run, and from which on it copies nothing itself."""
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
        """Besides, it is always the piece of the block's square that moves."""
        return self.is_simple and not self.uses("from")

    @property
    def suffix(self) -> str:
        """Long blocks call the functions that short ones copy: compiling takes a person's time."""
        return "_apart" if len(self.ops) > LONG else ""

    @property
    def loops(self) -> bool:
        return any(FAR < op.target < 0 for op in self.ops)


def template_of(routine: Routine) -> tuple[Template, tuple[int, ...]]:
    """The template of a block and the motions it is used with."""
    numbers: dict[int, int] = {}
    ops = []
    for op in routine.code:
        a, where = op.a, op.where
        if op.name == "step":
            a = numbers.setdefault(a, len(numbers))
        if where < 0:
            where = -1 - numbers.setdefault(-where - 1, len(numbers))
        ops.append(replace(op, a=a, where=where, origin=None))
    return Template(tuple(ops), len(numbers)), tuple(numbers)


def size_of(layout: Layout) -> int:
    """How many operations would be compiled."""
    return sum(len(template.ops) for template in {template_of(routine)[0] for routine in layout.routines})


def most_loops(layout: Layout) -> int:
    """How many loops the block has that has the most."""
    return max((sum(FAR < op.target < 0 for op in routine.code) for routine in layout.routines), default=0)
