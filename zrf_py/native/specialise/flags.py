"""Data flow of flags between blocks."""

from collections.abc import Sequence
from functools import lru_cache

from zrf_py.ir.flow import ways_on
from zrf_py.ir.ops import Op, Program


@lru_cache(maxsize=4)
def leaks_flags(program: Program) -> bool:
    """Return whether some block may test a flag that it has not set itself."""
    return program.uses("flag?") and any(
        any(op.name == "flag?" for op in code) and _leaks(code) for code in program.codes())


def _leaks(code: Sequence[Op]) -> bool:
    """Return whether a test reads a flag that is not set on every path to it (forward data flow)."""
    flags_at: list[int | None] = [None] * len(code)
    flags_at[0] = 0
    again = True
    while again:
        again = False
        for at, op in enumerate(code):
            flags = flags_at[at]
            if flags is None:
                continue
            if op.name == "set-flag":
                flags |= 1 << op.a
            elif op.name == "flag?" and not flags >> op.a & 1:
                return True
            for step in ways_on(op.name, op.target):
                before = flags_at[at + step]
                merged = flags if before is None else before & flags
                if merged != before:
                    flags_at[at + step] = merged
                    again |= step <= 0
    return False
