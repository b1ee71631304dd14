"""What of the things a block remembers is still asked for: states that differ in something else have one future."""

from collections.abc import Sequence

from zrf_py.ir.ops import BLOCK_END, GO_FROM, GO_MARK, GO_TO, OPS, Op
from zrf_py.ir.traits import Kind

FROM, TO, MARK, MARKED = 1, 2, 4, 8

_FLAG = 4
"""The bit from which on flags, and flags of positions, stand in turn."""
_READS = {"add": FROM | TO, "cascade": FROM | TO, "marked?": MARKED}
_GOES = {GO_FROM: FROM, GO_TO: TO, GO_MARK: MARK}
_WRITES = {"add": FROM | TO, "add-pass": FROM | TO, "cascade": FROM | TO, "from": FROM, "to": TO, "mark": MARK | MARKED}


def live(code: Sequence[Op]) -> list[int]:
    """For each operation what may still be asked for before it is written, in bits: FROM, `flag` …"""
    found = [0] * len(code)
    changed = True
    while changed:
        changed = False
        for at in range(len(code) - 1, -1, -1):
            op = code[at]
            after = 0
            for following in _successors(op, at, len(code)):
                after |= found[following]
            now = after & ~_written(op) | _read(op)
            if now != found[at]:
                found[at], changed = now, True
    return found


def flag(number: int) -> int:
    return 1 << _FLAG + 2 * number


def square_flag(number: int) -> int:
    return 1 << _FLAG + 2 * number + 1


def _read(op: Op) -> int:
    match op.name:
        case "go":
            return _GOES.get(op.a, 0)
        case "flag?":
            return flag(op.a)
        case "position-flag?":
            return square_flag(op.a)
    return _READS.get(op.name, 0)


def _written(op: Op) -> int:
    return flag(op.a) if op.name == "set-flag" else _WRITES.get(op.name, 0)


def _successors(op: Op, at: int, size: int) -> list[int]:
    kind = OPS[op.name].kind
    if kind is Kind.END:
        return []
    ways = [] if kind is Kind.JUMP else [at + 1]
    if kind in (Kind.JUMP, Kind.TEST) and op.target != BLOCK_END:
        ways.append(at + op.target)
    return [way for way in ways if 0 <= way < size]


def reachable(code: Sequence[Op], at: int) -> set[int]:
    """The operations that a block may come to from one of them, itself included."""
    seen = set[int]()
    waiting = [at] if at < len(code) else []
    while waiting:
        here = waiting.pop()
        if here not in seen:
            seen.add(here)
            waiting += _successors(code[here], here, len(code))
    return seen
