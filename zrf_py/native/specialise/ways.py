"""The paths of a block through its first operations, those that only look at the board, for all starts at once.

`bitboards/sets.py` explores these operations. A path is described by the contents that it requires of some squares,
each a `Map`. Paths that require different contents of a square are dropped, so a block has few paths even if it walks
along a line twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from zrf_py.ir.ops import GO_MARK, HERE, TELLING, Op, Program, Routine, those
from zrf_py.ir.traits import Kind, Operand, Writes
from zrf_py.native.bitboards.graph import Graph, Map, NotSets
from zrf_py.native.bitboards.sets import State, Walk

MOST_PATHS = 40
MOST_OPERATIONS = 4000
"""Limits on the paths of a block, and on the operations along all of them."""
GROUPS = 16
"""Limit on the different distances of one step; on a star-shaped board there are eight."""
_LOOKING = TELLING | those(lambda row: row.kind is Kind.JUMP or (
    row.moves_cursor and not row.writes & Writes.MOVEMENT and row.a is not Operand.POSITION))
CONTENTS = frozenset(("empty", "friend", "enemy"))

Contents = Mapping[int, frozenset[str]]


@dataclass(frozen=True)
class Path:
    """A path through the first operations of a block."""

    contents: Mapping[Map, frozenset[str]]
    """Possible contents of the squares that it tests."""
    valid: int
    """The starts from which it does not leave the board."""
    leave: int
    """Index of the first operation after it."""
    end: Map | None
    """The cursor after it; None if it sets `from`, or sets `to` to another square."""
    sets_to: bool


def beginning_of(code: Sequence[Op]) -> tuple[Op, ...]:
    """Return the operations that decide which paths a block has; equal operations make equal paths. Only jumps, moves
    of the cursor and tests of what is on its square remain; any other operation becomes an `end` with operand 1."""
    cut = next(i for i, op in enumerate(code) if op.name not in _LOOKING)
    beginning = code[: cut + 1] if all(i + op.target <= cut for i, op in enumerate(code[:cut])) else code
    return tuple(replace(op, origin=None) if _looks(op) else Op("end", int(op.name != "end")) for op in beginning)


def _looks(op: Op) -> bool:
    return op.name in _LOOKING and op.where == HERE and (op.name != "go" or op.a <= GO_MARK)


def paths_of(program: Program, beginning: tuple[Op, ...], side: int) -> list[Path]:
    """Return the paths of a block for one side.

    :raises NotSets: if there are too many, or sets can't express one of them.
    """
    graph = Graph(len(program.game.board.places), groups=GROUPS)
    walk = Walk(graph, program, Routine(0, -1, beginning), side, drop=False)
    walk.explore()
    waiting: list[tuple[State, Contents, int]] = [
        (walk.order[-1], {walk.same: frozenset(("friend",))}, walk.valid[walk.same])]
    paths: list[Path] = []
    for _ in range(MOST_OPERATIONS):
        if not waiting:
            return paths
        state, contents, valid = waiting.pop()
        at, cursor, from_, to, mark, *_ = state
        valid &= walk.valid[cursor] & walk.valid[mark]
        if beginning[at] == Op("end", 1) and valid:
            end = walk.maps[cursor] if from_ == walk.same and to in (-1, cursor) else None
            paths.append(Path({walk.maps[n]: held for n, held in contents.items()}, valid, at, end, to >= 0))
        if len(paths) > MOST_PATHS:
            raise NotSets
        waiting += [(after, held, valid) for after, held in _following(walk, state, contents)]
    raise NotSets


def _following(walk: Walk, state: State, contents: Contents) -> Iterator[tuple[State, Contents]]:
    """Yield the states after an operation, each with the contents that the path to it requires."""
    branch = walk.branches[state]
    if branch.test < 0 and branch.yes is not None:
        yield branch.yes, contents
    if branch.test >= 0:
        before, true = contents.get(state[1], CONTENTS), {walk.code[state[0]].name[:-1]}
        for after, held in ((branch.yes, before & true), (branch.no, before - true)):
            if after is not None and held:
                yield after, {**contents, state[1]: held}
