"""Data flow of flags between blocks."""

from collections.abc import Sequence
from functools import lru_cache, reduce
from operator import or_

from zrf_py.ir.flow import backward
from zrf_py.ir.ops import OPS, Op, Program
from zrf_py.ir.traits import Reads, Writes


@lru_cache(maxsize=4)
def leaks_flags(program: Program) -> bool:
    """Return whether some block may test a flag that it has not set itself."""
    return any(any(OPS[op.name].reads & Reads.FLAGS for op in code) and _leaks(code) for code in program.codes())


def _leaks(code: Sequence[Op]) -> bool:
    """Return whether a flag is live at the start of a block: a path tests it before it is set."""

    def live(at: int, after: list[int]) -> int:
        op, flags = code[at], reduce(or_, after, 0)
        if OPS[op.name].writes & Writes.FLAGS:
            return flags & ~(1 << op.a)
        return flags | 1 << op.a if OPS[op.name].reads & Reads.FLAGS else flags

    return backward(code, live)[0] > 0
