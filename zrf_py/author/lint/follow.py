"""Follow a block: the facts known of the cursor's square at each operation, on every path."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from zrf_py.front.model import steps_from
from zrf_py.ir.ops import GO_TO, HERE, OPS, WRITING, Op, those
from zrf_py.ir.traits import Answer, Kind, Writes

Facts = frozenset[tuple[str, int, bool]]
"""Tests of the cursor's square with their answers: name, operand, answer."""
MOVES_CURSOR = those(lambda row: row.writes & Writes.CURSOR)
OWN: Facts = frozenset({("friend?", 0, True)})
"""The facts at the start of a block of moves: it starts on a piece of the mover."""
_TAKING = {*WRITING, "to", "cascade", "create", "capture"}
"""Operations that may capture the piece under the cursor."""
_MOST = 8
"""Maximum number of states kept apart at an operation; beyond it only their common facts are kept."""


def _occupants(name: str, answer: bool) -> int:
    """Return the squares on which a test may have an answer, as bits: 1 an empty one, 2 one with a piece of the mover,
    4 one with another piece."""
    row, bar = OPS[name].says, Answer.NO if answer else Answer.YES
    return sum(bit for bit, it in ((1, row.empty), (2, row.friend), (4, row.other)) if it is not bar) if row else 7


_OCCUPANTS = {(name, answer): _occupants(name, answer) for name in OPS for answer in (True, False)}


def occupants(facts: Facts) -> int:
    """Return the possible occupants of the cursor's square, as the bits of `_occupants`; 0 if facts exclude each
    other."""
    possible = 7
    for name, _, answer in facts:
        possible &= _OCCUPANTS[name, answer]
    return possible


class FollowedBlock:
    """Follows a block on all paths. A state is a set of facts; paths that know more than others are left out.

    A macro starts without facts: it is written for other places, too, and may repeat tests that are decided here.
    `visited`: operations that are reached; `passed`: tests that can fall through; `before_add`: operations after which
    a move may be written; `ends`: the `to`s that are read, by an `add`, `cascade` or `(go to)`; `writes`, `takes`:
    whether the block ever writes a move, and may capture.
    """

    def __init__(self, code: tuple[Op, ...], start: Facts) -> None:
        self.code = code
        self.passed: set[int] = set()
        edges: dict[int, set[int]] = defaultdict(set)
        todo = [(0, frozenset() if code[0].origin and code[0].origin.via else start)]
        states = {0: [todo[0][1]]}
        while todo:
            at, facts = todo.pop()
            for target, after in self._steps(at, facts):
                edges[target].add(at)
                others = states.setdefault(target, [])
                for other in others:
                    if other <= after:
                        break
                else:
                    if len(others) == _MOST:
                        after = after.intersection(*others)
                        others.clear()
                    others.append(after)
                    todo.append((target, after))
        self.visited = states.keys()
        self.takes = any(occupants(facts) & ~1 for at in self.visited if code[at].name in _TAKING
                         for facts in states[at])
        moves = [at for at in self.visited if code[at].name in WRITING]
        self.writes = bool(moves)
        self.before_add = _before(list(moves), edges)
        readers = [at for at in self.visited if code[at].name == "cascade"
                   or (code[at].name == "go" and code[at].a == GO_TO)]
        starts = frozenset(at for at, op in enumerate(code) if op.name in ("to", "from"))
        self.ends = _before(moves + readers, edges, starts)

    def _steps(self, at: int, facts: Facts) -> Iterator[tuple[int, Facts]]:
        """Yield the operations that may follow, each with the facts known there."""
        op = self.code[at]
        kind = OPS[op.name].kind
        if kind is Kind.TEST:
            for answer in (True, False):
                after = _after(op.name, op.a, answer, facts) if op.where == HERE else facts
                target = at + (1 if answer == op.want else op.target)
                if after is not None and answer == op.want:
                    self.passed.add(at)
                if after is not None and 0 <= target < len(self.code):
                    yield target, self._entering(at, target, after)
            return
        after = frozenset() if op.name in MOVES_CURSOR else facts
        target = at + (op.target if kind is Kind.JUMP else 1)
        if kind is not Kind.END and target >= 0:
            yield target, self._entering(at, target, after)

    def _entering(self, at: int, target: int, facts: Facts) -> Facts:
        """Return `facts`, or none if `target` is in a call of a macro that doesn't contain `at`."""
        before, after = self.code[at].origin, self.code[target].origin
        if not facts or after is None or after.via is None or (before and before.via is after.via):
            return facts
        via = before.via if before else None
        while via and via.call != after.via.call:
            via = via.parent
        return facts if via else frozenset()


@lru_cache(maxsize=1 << 12)
def _after(name: str, operand: int, answer: bool, facts: Facts) -> Facts | None:
    """Return the facts after this answer of a test of the cursor's square; None if they exclude it."""
    after = facts | {(name, operand, answer)} if OPS[name].says else facts
    return after if occupants(after) else None


def _before(todo: list[int], edges: dict[int, set[int]], stops: frozenset[int] = frozenset()) -> set[int]:
    """Return operations that can reach one of `todo` without passing one of `stops`; `edges` lead backwards."""
    last = (earlier for op in todo for earlier in edges[op])
    return {*steps_from(last, lambda op: () if op in stops else edges[op])}
