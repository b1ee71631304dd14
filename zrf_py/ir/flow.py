"""Control flow of operations."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from zrf_py.ir.ops import BLOCK_END, OPS, Op
from zrf_py.ir.traits import Kind


@lru_cache(maxsize=1 << 14)
def ways_on(name: str, target: int) -> tuple[int, ...]:
    """Return the distances from an operation to its possible successors."""
    kind = OPS[name].kind
    onward = () if kind in (Kind.JUMP, Kind.END) else (1,)
    return (*onward, target) if kind in (Kind.JUMP, Kind.TEST) and target != BLOCK_END else onward


def backward(code: Sequence[Op], fact: Callable[[int, list[int]], int], start: int = 0) -> list[int]:
    """Solve a backward data-flow problem: return the fixed point of the facts before each operation, all `start` at
    first. `fact(index, facts before the successors)` returns the new fact before an operation."""
    facts = [start] * len(code)
    order = [(at, [at + by for by in ways_on(op.name, op.target)]) for at, op in enumerate(code)][::-1]
    changed = True
    while changed:
        changed = False
        for at, successors in order:
            new = fact(at, [facts[successor] for successor in successors])
            if new != facts[at]:
                facts[at], changed = new, True
    return facts
