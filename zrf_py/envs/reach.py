"""Block → the squares between which its legs may go, by data-flow analysis on sets of squares.

A relation is one large number: bit `square * squares + index` is set where `square` belongs to `index`. While a block
is followed, the index is the square that it starts from: an operation on such numbers is done for all starts at once.
Only the board as it was drawn decides; every test of the position goes both ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import or_
from typing import NamedTuple

from zrf_py.ir.ops import BLOCK_END, GO_FROM, GO_MARK, GO_TO, HERE, OPS, WRITING, Op, Program, those
from zrf_py.ir.traits import Kind, Reads, Writes
from zrf_py.text.diagnostics import Diagnostic, ZrfError

_FIXED = those(lambda row: row.kind is Kind.TEST and row.where and row.reads == Reads.FIXED)
MAX_WORK = 1 << 33
"""Steps of the analysis for one side of a game: about half a minute."""
_SLOW = 64
"""Steps that a loop of Python over one bit takes."""
_FOLLOWED = Writes.CURSOR | Writes.FROM | Writes.TO | Writes.MARK | Writes.MOVEMENT | Writes.MOVE | Writes.PASS
"""What is followed of all that operations write."""


class State(NamedTuple):
    """The relations before an operation: where the cursor may be, from, to, mark, and the squares of effects.

    `unset` are the starts (one bit each) for which to may be unset. `cascades` relates the ends of the first stored
    movement to their starts; `none` are the starts for which none may be stored.
    """

    here: int
    from_: int
    to: int
    unset: int
    mark: int
    touched: int
    cascades: int
    none: int

    def joined(self, other: State) -> State:
        return State(*map(or_, self, other))


class Site(NamedTuple):
    """The legs that one operation may write, as relations of ends to starts: by a movement, and without one."""

    moved: int
    still: int


class Squares:
    """Relations on the squares of a board, for one side."""

    def __init__(self, program: Program, side: int) -> None:
        self.program, self.side = program, side
        self.size = size = len(program.game.board.places)
        self.words = size * size // 64 + 1
        self.row = (1 << size) - 1
        self.column = sum(1 << square * size for square in range(size))
        self.identity = sum(1 << square * size + square for square in range(size))
        self.all = self.row * self.column
        self.rows = lru_cache(maxsize=None)(self._rows)
        self.motion = lru_cache(maxsize=None)(self._motion)
        self._answers: dict[tuple[str, int, int], int] = {}
        self._work = 0

    def spend(self, steps: int) -> None:
        """Count steps of the analysis, each over one word of a row.

        :raises ZrfError: after `MAX_WORK` of them.
        """
        self._work += steps
        if self._work > MAX_WORK:
            raise ZrfError([Diagnostic(
                "too-many-actions", f"`{self.program.game.title}`: its blocks have too many ways to number their legs",
                None, help="fleets can't play this game; `zrf play` and `zrf selfplay` can")])

    def _rows(self, squares: frozenset[int]) -> int:
        """The relation of some squares to every index."""
        return sum(self.row << square * self.size for square in squares)

    def _motion(self, number: int) -> list[tuple[int, int]]:
        """A motion as distances in the order of squares, each with the rows that go so far."""
        steps: dict[int, set[int]] = {}
        for square, end in enumerate(self.program.steps[self.side][number]):
            if end >= 0:
                steps.setdefault(end - square, set()).add(square)
        return [(distance * self.size, self._rows(frozenset(squares))) for distance, squares in steps.items()]

    def moved(self, relation: int, motion: int) -> int:
        """The relation after a motion."""
        found = 0
        self.spend(len(self.motion(motion)) * self.words)
        for distance, rows in self.motion(motion):
            part = relation & rows
            found |= part << distance if distance >= 0 else part >> -distance
        return found

    def indices(self, relation: int) -> int:
        """The indices to which some square belongs, one bit each."""
        size, width = self.size, self.size
        while width > 1:
            half = (width + 1) // 2
            relation |= relation >> half * size
            relation &= (1 << half * size) - 1
            width = half
        return relation & self.row

    def of(self, relation: int, indices: int) -> int:
        """A relation with some of its indices only."""
        return relation & indices * self.column

    def where(self, relation: int, op: Op) -> int:
        """The squares that an operation is about, with the cursor on those of a relation."""
        if op.where == HERE:
            return relation
        if op.where > 0:
            return self.indices(relation) << (op.where - 1) * self.size
        return self.moved(relation, -op.where - 1)

    def answering(self, op: Op) -> int:
        """The rows of the cursor in which a test of the drawn board says yes."""
        key = op.name, op.a, op.where
        if key not in self._answers:
            self._answers[key] = self._answering(op)
        return self._answers[key]

    def _answering(self, op: Op) -> int:
        if op.name == "position?":
            members = frozenset({op.a})
        elif op.name == "in-zone?":
            members = frozenset(self.program.zone_sets[op.a][self.side])
        else:
            members = frozenset(self.program.goal_positions if op.name == "goal-position?" else range(self.size))
        if op.where == HERE:
            return self.rows(members)
        if op.where > 0:
            return self.all if op.where - 1 in members else 0
        steps = self.program.steps[self.side][-op.where - 1]
        return self.rows(frozenset(square for square, end in enumerate(steps) if end in members))

    def composed(self, starts: int, ends: int) -> int:
        """The relation of ends to starts, of two relations with one index."""
        if starts & ~self.identity == 0:
            return self.of(ends, self.indices(starts))
        columns: dict[int, int] = {}
        for square, indices in self.listed(starts):
            for index in bits(indices):
                columns[index] = columns.get(index, 0) | 1 << square
        groups: dict[int, int] = {}
        for index, column in columns.items():
            groups[column] = groups.get(column, 0) | 1 << index
        found = 0
        self.spend(_SLOW * (starts.bit_count() + self.size * len(groups)))
        for square, indices in self.listed(ends):
            row = 0
            for column, group in groups.items():
                if indices & group:
                    row |= column
            found |= row << square * self.size
        return found

    def listed(self, relation: int) -> Iterator[tuple[int, int]]:
        """The squares of a relation, each with its indices."""
        for square in range(self.size):
            if indices := relation >> square * self.size & self.row:
                yield square, indices


class Paths:
    """The operations of a block that move, mark or write something or ask the board; `after[i]` are those that may come
    first from operation `i` on, one bit each. All others are passed over, once for all starts."""

    def __init__(self, code: Sequence[Op]) -> None:
        self.code = code
        self.shape = tuple(_shape(op) for op in code)
        """The same for blocks that go the same ways."""
        self.after = [1 << at if _matters(op) else 0 for at, op in enumerate(code)]
        passed = [(at, _following(op, at, len(code))) for at, op in enumerate(code) if not self.after[at]][::-1]
        changed = True
        while changed:
            changed = False
            for at, ways in passed:
                found = 0
                for following in ways:
                    found |= self.after[following]
                if found != self.after[at]:
                    self.after[at], changed = found, True

    def beyond(self, at: int) -> Iterator[int]:
        """The operations that may come first from a place on; none behind the end of the block."""
        return bits(self.after[at]) if 0 <= at < len(self.after) else iter(())


def _shape(op: Op) -> tuple[object, ...]:
    """What of an operation decides where legs go, and whether there are any."""
    if not _matters(op):
        return op.name, op.target
    if OPS[op.name].kind is Kind.EFFECT:
        return op.where, op.a if op.name == "change-type" else -1
    return op.name, op.a, op.b, op.where, op.types, op.want, op.target


def _matters(op: Op) -> bool:
    row = OPS[op.name]
    if row.kind in (Kind.TEST, Kind.EFFECT):
        return op.name in _FIXED or (row.kind is Kind.EFFECT and row.where)
    return bool(row.writes & _FOLLOWED)


def _following(op: Op, at: int, size: int) -> list[int]:
    kind = OPS[op.name].kind
    ways = [] if kind in (Kind.JUMP, Kind.END) else [at + 1]
    if kind in (Kind.JUMP, Kind.TEST) and op.target != BLOCK_END:
        ways.append(at + op.target)
    return [way for way in ways if 0 <= way < size]


class Flow:
    """What one block may write. `home` is where its pieces start: with `identity`, each index is its own start."""

    def __init__(self, squares: Squares, paths: Paths, drops: bool, discards: bool, home: int) -> None:
        self.squares, self.paths, self.drops, self.discards = squares, paths, drops, discards
        self.home = home
        self.counts = home == squares.identity
        """Whether legs are asked for, and not only which operations follow each other."""
        self.sites: dict[int, Site] = {}

    def run(self, at: int, first: State) -> dict[int, State]:
        """Follow the block from an operation; return the state before each one that it may come to."""
        states: dict[int, State] = dict.fromkeys(self.paths.beyond(at), first)
        waiting = set(states)
        while waiting:
            at = min(waiting)
            waiting.remove(at)
            self.squares.spend(8 * self.squares.words)
            for by, state in self._after(at, self.paths.code[at], states[at]):
                for following in self.paths.beyond(at + by):
                    known = states.get(following)
                    joined = known.joined(state) if known else state
                    if joined != known:
                        states[following] = joined
                        waiting.add(following)
        return states

    def start(self, starts: int) -> State:
        """The state before a block that begins on some squares."""
        home = self.squares.of(self.home, starts)
        return State(self.squares.of(self.squares.identity, starts), home, 0, starts, home, 0, 0, starts)

    def _after(self, at: int, op: Op, state: State) -> Iterator[tuple[int, State]]:
        """How far it is to the operations that may follow one, each with the state before it."""
        squares = self.squares
        if op.name in _FIXED:
            yes = squares.answering(op)
            for answer, rows in ((True, yes), (False, squares.all & ~yes)):
                if here := state.here & rows:
                    yield 1 if answer == op.want else op.target, state._replace(here=here)
        elif (after := self._done(at, op, state)).here:
            yield 1, after

    def _done(self, at: int, op: Op, state: State) -> State:
        """The state after an operation that asks nothing."""
        squares, here = self.squares, state.here
        match op.name:
            case "step":
                return state._replace(here=squares.moved(here, op.a))
            case "jump":
                return state._replace(here=squares.indices(here) << op.a * squares.size)
            case "go":
                return state._replace(here=self._gone(op.a, state))
            case "mark":
                return state._replace(mark=squares.where(here, op))
            case "from":
                return state._replace(from_=here)
            case "to":
                return state._replace(to=here, unset=0)
            case "cascade":
                return self._cascaded(state)
            case name if name in WRITING:
                return self._written(at, op, state)
            case name if OPS[name].kind is Kind.EFFECT and OPS[name].where:
                return state._replace(touched=state.touched | squares.where(here, op))
        return state

    def _gone(self, place: int, state: State) -> int:
        """Where the cursor is after a `go`."""
        squares, indices = self.squares, self.squares.indices(state.here)
        if place == GO_FROM:
            return squares.of(state.from_, indices)
        if place == GO_TO:
            return self._ends(state)
        return squares.of(state.mark, indices) if place == GO_MARK else indices * squares.column

    def _ends(self, state: State) -> int:
        """Where a movement may end: on to, or under the cursor where that is unset."""
        return state.to | self.squares.of(state.here, state.unset)

    def _cascaded(self, state: State) -> State:
        indices = self.squares.indices(state.here)
        if not self.counts:
            return state._replace(from_=state.here, to=0, unset=indices)
        ends = self._ends(state)
        pairs = ends if self.drops else self.squares.composed(state.from_, ends) & ~self.squares.identity
        stays = 0 if self.drops else self.squares.indices(state.from_ & ends)
        return state._replace(from_=state.here, to=0, unset=indices, none=state.none & stays,
                       cascades=state.cascades | (pairs if state.none else 0))

    def _written(self, at: int, op: Op, state: State) -> State:
        squares, indices = self.squares, self.squares.indices(state.here)
        moved, still = state.cascades, 0
        if not self.counts:
            pass
        elif state.none and op.name == "add-pass":
            still = squares.of(squares.identity | state.touched, indices)
        elif state.none and self.drops:
            moved |= self._ends(state)
        elif state.none:
            pairs = squares.composed(state.from_, self._ends(state))
            rests = pairs & squares.identity
            moved |= pairs if op.types or op.a & 1 else pairs & ~rests
            if rests:
                still = rests | squares.of(squares.composed(state.from_, state.touched), squares.indices(rests))
        known = self.sites.get(at, Site(0, 0))
        self.sites[at] = Site(moved | known.moved, still | known.still)
        home = squares.of(self.home, indices)
        cascades, none = (0, indices) if self.discards else (state.cascades, state.none)
        return state._replace(from_=home, to=0, unset=indices, touched=0, cascades=cascades, none=none)


def bits(number: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1
