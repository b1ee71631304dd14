"""Data-flow analysis: the (start, end) pairs that legs of a block may connect.

A relation is a bit set in one large integer: bit `square * squares + index` is set if `square` is related to `index`.
In the analysis of a block the index is its starting square, so one bitwise operation serves all starts at once. Only
the static board counts: both branches of each test of the position are followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple

from zrf_py.ir.flow import backward
from zrf_py.ir.ops import CHANGING, FIXED, GO_FROM, GO_MARK, GO_TO, HERE, PASSING, RETYPING, WRITING, Op, Program, those
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.grouping import by_key

MAX_WORK = 1 << 35
"""Maximum number of steps of the analysis for one side of a game: about a minute."""
MOST_VISITS = 300
"""Maximum number of changes of the state at an operation before it is widened; loops over a whole board exceed it."""
_FOLLOWED = FIXED | CHANGING | WRITING | those(lambda row: row.moves_cursor)
"""Operations that matter to the analysis."""


class AbstractState(NamedTuple):
    """Abstract state before an operation: relations of the cursor (`here`), `from`, `to`, `mark`, and changed squares.

    `unset` holds the starts (one bit each) for which `to` may be unset. `cascades` relates the ends of the first stored
    movement to their starts; `none` holds the starts for which there may be no stored movement.
    """

    here: int
    from_: int
    to: int
    unset: int
    mark: int
    touched: int
    cascades: int
    none: int

    def joined(self, other: AbstractState) -> AbstractState:
        """Return the union of two states; parts that don't grow stay the same objects, which are quick to compare."""
        return AbstractState(*(part if part is more or (union := part | more) == part else union
                               for part, more in zip(self, other, strict=True)))

    def widened(self, before: AbstractState, top: AbstractState) -> AbstractState:
        """Return the state with all parts that have grown since `before` replaced by those of `top`."""
        return AbstractState(*(part if part is old else most
                               for part, old, most in zip(self, before, top, strict=True)))


class WriteSite(NamedTuple):
    """Legs that one operation may write, as relations of ends to starts: `moved` with a movement, `still` without."""

    moved: int
    still: int


class Squares:
    """Relational algebra on the squares of a board, for one side."""

    def __init__(self, program: Program, side: int) -> None:
        self.program, self.side = program, side
        self.size = size = len(program.game.board.places)
        self.words = size * size // 64 + 1
        self.row = (1 << size) - 1
        self.column = sum(1 << square * size for square in range(size))
        self.identity = sum(1 << square * size + square for square in range(size))
        self.all = every = self.row * self.column
        self.top = AbstractState(every, every, every, self.row, every, every, every, self.row)
        self.rows = lru_cache(maxsize=None)(self._rows)
        self.motion = lru_cache(maxsize=None)(self._motion)
        self.answering = lru_cache(maxsize=None)(self._answering)
        self.composed = lru_cache(maxsize=64)(self._composed)
        self._work = 0

    def spend(self, steps: int) -> None:
        """Count steps of the analysis; each handles one 64-bit word.

        :raises ZrfError: after `MAX_WORK` of them.
        """
        self._work += steps
        if self._work > MAX_WORK:
            raise ZrfError(f"`{self.program.game.title}`: its blocks have too many paths for its legs to be numbered",
                           "too-many-actions", help="it would take over a minute; use `zrf play` or `zrf match`")

    def _rows(self, squares: frozenset[int]) -> int:
        """Return the relation of the given squares to every index."""
        return sum(self.row << square * self.size for square in squares)

    def _motion(self, number: int) -> list[tuple[int, int]]:
        """Split a motion into shifts: (bits to shift by, rows of the squares to shift)."""
        steps = by_key((end - square, square) for square, end in enumerate(self.program.steps[self.side][number])
                       if end >= 0)
        return [(distance * self.size, self._rows(frozenset(squares))) for distance, squares in steps.items()]

    def moved(self, relation: int, motion: int) -> int:
        """Return a relation with each square replaced by the next one along a motion."""
        result = 0
        self.spend(len(self.motion(motion)) * self.words)
        for distance, rows in self.motion(motion):
            if part := relation & rows:
                result |= part << distance if distance >= 0 else part >> -distance
        return result

    def indices(self, relation: int) -> int:
        """Return the indices related to at least one square, one bit each."""
        size, width = self.size, self.size
        while width > 1:
            half = (width + 1) // 2
            relation |= relation >> half * size
            relation &= (1 << half * size) - 1
            width = half
        return relation & self.row

    def of(self, relation: int, indices: int) -> int:
        """Return the relation restricted to some indices."""
        return relation & indices * self.column

    def where(self, relation: int, op: Op) -> int:
        """Return the relation of the squares that an operation acts on; `relation` is that of the cursor."""
        if op.where == HERE:
            return relation
        if op.where > 0:
            return self.indices(relation) << (op.where - 1) * self.size
        return self.moved(relation, -op.where - 1)

    def _answering(self, test: str, operand: int, place: int) -> int:
        """Return the rows of cursor squares for which a test of the static board is true; `place` is its `Op.where`."""
        if test == "position?":
            members = frozenset({operand})
        elif test == "in-zone?":
            members = frozenset(self.program.zone_sets[operand][self.side])
        else:
            members = frozenset(self.program.goal_positions if test == "goal-position?" else range(self.size))
        if place == HERE:
            return self.rows(members)
        if place > 0:
            return self.all if place - 1 in members else 0
        steps = self.program.steps[self.side][-place - 1]
        return self.rows(frozenset(square for square, end in enumerate(steps) if end in members))

    def _composed(self, starts: int, ends: int) -> int:
        """Relate each square of `ends` to the squares of `starts` that share an index with it."""
        if starts & ~self.identity == 0:
            return self.of(ends, self.indices(starts))
        common, result = self.indices(starts) & self.indices(ends), 0
        self.spend(self.words * common.bit_count())
        for square in range(self.size):
            if own := starts >> square * self.size & common:
                related, width = self.of(ends, own), 1
                while width < self.size:  # collect each row in its first bit
                    related |= related >> min(width, self.size - width)
                    width *= 2
                result |= (related & self.column) << square
        return result


class Paths:
    """Control-flow graph of the operations that matter to the analysis (`_FOLLOWED`); all others are skipped.
    `after[i]` holds the operations of the graph that may run first from operation `i` onwards, one bit each."""

    def __init__(self, code: Sequence[Op]) -> None:
        self.code = code
        self.shape = tuple(_shape(op) for op in code)
        """Key that is equal for blocks whose analysis is the same."""
        own = [1 << at if op.name in _FOLLOWED else 0 for at, op in enumerate(code)]
        self.after = backward(code, lambda at, after: own[at] or reduce(or_, after, 0))

    def beyond(self, at: int) -> Iterator[int]:
        """Iterate over the operations of the graph that may run first from `at` onwards, if any."""
        return bits(self.after[at]) if 0 <= at < len(self.after) else iter(())


def _shape(op: Op) -> tuple[object, ...]:
    """Return the fields of an operation that decide which legs there are and where they go."""
    if op.name not in _FOLLOWED:
        return op.name, op.target
    if op.name in CHANGING:
        return op.where, op.a if op.name in RETYPING else -1
    return op.meaning


class Flow:
    """Fixed-point analysis of one block. `home` relates starting squares to indices (`identity`: each to its own)."""

    def __init__(self, squares: Squares, paths: Paths, drops: bool, discards: bool, home: int) -> None:
        self.squares, self.paths, self.drops, self.discards = squares, paths, drops, discards
        self.home = home
        self.counts = home == squares.identity
        """True if the analysis computes legs; if False, only which operations may be reached, with which cursor."""
        self.sites: dict[int, WriteSite] = {}
        self.widened = False
        """True if a state was widened, so that the legs are a superset."""

    def run(self, at: int, first: AbstractState) -> dict[int, AbstractState]:
        """Run the worklist algorithm from an operation; return the state before each operation it may reach."""
        states: dict[int, AbstractState] = dict.fromkeys(self.paths.beyond(at), first)
        waiting, visits = set(states), Counter[int]()
        while waiting:
            at = min(waiting)
            waiting.remove(at)
            self.squares.spend(8 * self.squares.words)
            for by, state in self._after(at, self.paths.code[at], states[at]):
                for following in self.paths.beyond(at + by):
                    old = states.get(following)
                    joined = old.joined(state) if old else state
                    if joined != old:
                        visits[following] += 1
                        if old and visits[following] > MOST_VISITS:
                            joined, self.widened = joined.widened(old, self.squares.top), True
                        states[following] = joined
                        waiting.add(following)
        return states

    def start(self, starts: int) -> AbstractState:
        """Return the initial state of a block that begins on the given squares."""
        home = self.squares.of(self.home, starts)
        return AbstractState(self.squares.of(self.squares.identity, starts), home, 0, starts, home, 0, 0, starts)

    def _after(self, at: int, op: Op, state: AbstractState) -> Iterator[tuple[int, AbstractState]]:
        """Iterate over the successors of an operation, each as the distance to it and the state before it."""
        squares = self.squares
        if op.name in FIXED:
            yes = state.here & squares.answering(op.name, op.a, op.where)
            for answer, cells in ((True, yes), (False, state.here ^ yes)):
                if cells:
                    yield 1 if answer == op.want else op.target, state._replace(here=cells)
        elif (after := self._after_effect(at, op, state)).here:
            yield 1, after

    def _after_effect(self, at: int, op: Op, state: AbstractState) -> AbstractState:
        """Return the state after an operation other than a test."""
        squares, cells = self.squares, state.here
        match op.name:
            case "step":
                return state._replace(here=squares.moved(cells, op.a))
            case "jump":
                return state._replace(here=squares.indices(cells) << op.a * squares.size)
            case "go":
                return state._replace(here=self._after_go(op.a, state))
            case "mark":
                return state._replace(mark=squares.where(cells, op))
            case "from":
                return state._replace(from_=cells)
            case "to":
                return state._replace(to=cells, unset=0)
            case "cascade":
                return self._cascaded(state)
            case name if name in WRITING:
                return self._written(at, op, state)
            case name if name in CHANGING:
                return state._replace(touched=state.touched | squares.where(cells, op))
        return state

    def _after_go(self, place: int, state: AbstractState) -> int:
        """Return the cursor relation after a `go`."""
        squares, indices = self.squares, self.squares.indices(state.here)
        if place == GO_FROM:
            return squares.of(state.from_, indices)
        if place == GO_TO:
            return self._ends(state)
        return squares.of(state.mark, indices) if place == GO_MARK else indices * squares.column

    def _ends(self, state: AbstractState) -> int:
        """Return the ends of a movement as a relation: `to`, and the cursor where `to` may be unset."""
        return state.to | self.squares.of(state.here, state.unset)

    def _cascaded(self, state: AbstractState) -> AbstractState:
        indices = self.squares.indices(state.here)
        if not self.counts:
            return state._replace(from_=state.here, to=0, unset=indices)
        ends = self._ends(state)
        pairs = ends if self.drops else self.squares.composed(state.from_, ends) & ~self.squares.identity
        stays = 0 if self.drops else self.squares.indices(state.from_ & ends)
        return state._replace(from_=state.here, to=0, unset=indices, none=state.none & stays,
                       cascades=state.cascades | (pairs if state.none else 0))

    def _written(self, at: int, op: Op, state: AbstractState) -> AbstractState:
        squares, indices = self.squares, self.squares.indices(state.here)
        moved, still = state.cascades, 0
        if not self.counts:
            pass
        elif state.none and op.name in PASSING:
            still = squares.of(squares.identity | state.touched, indices)
        elif state.none and self.drops:
            moved |= self._ends(state)
        elif state.none:
            pairs = squares.composed(state.from_, self._ends(state))
            rests = pairs & squares.identity
            moved |= pairs if op.types or op.is_copy else pairs & ~rests
            if rests:
                still = rests | squares.of(squares.composed(state.from_, state.touched), squares.indices(rests))
        earlier = self.sites.get(at, WriteSite(0, 0))
        self.sites[at] = WriteSite(moved | earlier.moved, still | earlier.still)
        home = squares.of(self.home, indices)
        cascades, none = (0, indices) if self.discards else (state.cascades, state.none)
        return state._replace(from_=home, to=0, unset=indices, touched=0, cascades=cascades, none=none)


def bits(number: int) -> Iterator[int]:
    """Iterate over the indices of the set bits, ascending."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
