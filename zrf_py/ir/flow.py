"""Control flow of operations."""

from functools import lru_cache

from zrf_py.ir.ops import BLOCK_END, OPS
from zrf_py.ir.traits import Kind


@lru_cache(maxsize=1 << 14)
def ways_on(name: str, target: int) -> tuple[int, ...]:
    """Return the distances from an operation to its possible successors."""
    kind = OPS[name].kind
    onward = () if kind in (Kind.JUMP, Kind.END) else (1,)
    return (*onward, target) if kind in (Kind.JUMP, Kind.TEST) and target != BLOCK_END else onward
