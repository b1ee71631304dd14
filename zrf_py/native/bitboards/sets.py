"""Symbolic execution of blocks and patterns for all squares at once.

A set of squares is an integer with a bit for each. A test of the square two steps north of a block's start becomes, for
all starts together, one shift and one `and`. So a handful of instructions generates the moves of all pieces of a side;
they can be counted without being written, and one can be drawn without the others.

A path through a block is identified by its place in the code and by cursor, from, to and mark, each as a function of
the start, a `Map`. The result is a graph of set operations for each `add`: the starts that reach it. A block that reads
state outside of sets (attributes, attacks, flags of squares) or has too many paths raises `NotSets`; then the whole
game runs square by square, as in the interpreter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from zrf_py.ir.ops import BLOCK_END, CHANGING, GO_MARK, HERE, TELLING, Op, Program, Routine, those
from zrf_py.ir.traits import Reads
from zrf_py.native.bitboards.graph import LEAVES, Graph, Map, NotSets
from zrf_py.native.specialise.flags import leaks_flags

STATES = 2000
"""Limit on the states explored in one block."""
YIELDS = 40
"""Limit on the `Yield`s of one `Group`; with more, going square by square is as fast."""

_LEAVES = those(lambda row: row.is_test and row.reads in Reads.CONTENT | Reads.LAST and row.where)
_STATIC = those(lambda row: row.is_test and row.reads in Reads.FIXED | Reads.PLACES and row.where)
_OWN = frozenset(("step", "jump", "go", "mark", "from", "to", "add", "set-flag", "flag?", "goto", "end"))
"""Operations that `_branch` handles individually."""
_TABLES = frozenset(("in-zone?", "position?", "on-board?", "goal-position?", "marked?"))
"""Tests that `_answers` computes from tables."""
KNOWN = CHANGING | _OWN | (_STATIC & _TABLES) | frozenset(
    name for name in _LEAVES if name == "piece?" or name[:-1] in LEAVES)


@dataclass(frozen=True)
class Yield:
    """The starts from which a block reaches one `add`, and the squares of its movement."""

    routine: Routine
    op: Op
    starts: int
    """Number of the node for this set of starts."""
    from_: Map
    end: Map
    plain: bool
    """True if its records are single movements and nothing else."""

    @property
    def count(self) -> int:
        """Records per start."""
        return max(1, len(self.op.types))


State = tuple[int, int, int, int, int, int, int, int, str]
"""(operation, here, from, to, mark, marked, flags, collected, start). Squares are numbers of maps; -1: unset.
`collected`: no effects (0), some (1) or perhaps some (2). `start`: a test that the start square passes; "": none."""


@dataclass(frozen=True)
class _Branch:
    """Successors of a state: up to two for a test, otherwise at most one (`yes`)."""

    test: int
    """The test's node; -1 if there is no test."""
    yes: State | None
    no: State | None
    adds: bool = False
    on: int = -1
    """The starts for which the test's square is on the board; for others the test fails."""


class Walk:
    """One block, explored from all starts at once, for one side."""

    def __init__(self, graph: Graph, program: Program, routine: Routine, side: int, drop: bool) -> None:
        self.graph = graph
        self.program = program
        self.code = routine.code
        self.routine = routine
        self.side = side
        self.drop = drop
        self.steps = program.steps[side]
        self.maps: list[Map] = []
        self._map_numbers: dict[tuple[Map, int], int] = {}
        self.valid: list[int] = []
        self.same = self.map(tuple(range(graph.squares)))
        self.branches: dict[State, _Branch] = {}
        self.order: list[State] = []
        """States in post-order, each after its successors; `yields` reverses it."""

    def map(self, squares: Map, before: int = 0) -> int:
        """Return the number of a map that equals `squares` wherever that is on the board, and that is off the board
        for the other starts in `before`; if there is none, add `squares`."""
        number = self._map_numbers.get((squares, before))
        if number is None:
            valid = sum(1 << s for s, p in enumerate(squares) if p >= 0)
            number = next((i for i, old in enumerate(self.maps) if not before & ~valid & self.valid[i]
                           and all(p < 0 or p == k for p, k in zip(squares, old, strict=True))), len(self.maps))
            self._map_numbers[squares, before] = number
            if number == len(self.maps):
                self.maps.append(squares)
                self.valid.append(valid)
        return number

    def _neighbours(self, motion: int, cursor: int) -> int:
        """Return the map to the next square along a motion."""
        table = self.steps[motion]
        return self.map(tuple(table[p] if p >= 0 else -1 for p in self.maps[cursor]), self.valid[cursor])

    def yields(self, starts: int) -> list[Yield]:
        """Return each `Yield` of the block when it runs from a set of starts; raise NotSets if it is too complex."""
        self.explore()
        self.order.reverse()
        first = self.order[0]
        self._find_live(first)
        arrivals: dict[State, int] = {}
        for branch in self.branches.values():
            for following in (branch.yes, branch.no):
                if following is not None:
                    arrivals[following] = arrivals.get(following, 0) + 1
        adds = [state for state in self.order if self.branches[state].adds]
        if max(arrivals.values(), default=0) <= 1:
            values = self._forwards(first, starts)
            return [y for state in adds for y in self._yield(state, values.get(state, self.graph.nothing))]
        if len(adds) > 4:
            raise NotSets
        return [y for state in adds for y in self._yield(state, self.graph.both(starts, self._reaching(state, first)))]

    # --------------------------------------------------------------------------------------------- paths of a block

    def explore(self) -> None:
        """Explore every state, in post-order; raises NotSets on a cycle, or if there are too many states."""
        first: State = (0, self.same, self.same, -1, self.same, -1, 0, 0, "" if self.drop else "friend?")
        under_way: set[State] = set()
        waiting: list[tuple[State, bool]] = [(first, False)]
        while waiting:
            state, left = waiting.pop()
            if left:
                under_way.discard(state)
                self.order.append(state)
                continue
            if state in under_way:
                raise NotSets
            if state in self.branches:
                continue
            if len(self.branches) >= STATES:
                raise NotSets
            branch = self.branches[state] = self._branch(state)
            under_way.add(state)
            waiting.append((state, True))
            for following in (branch.yes, branch.no):
                if following in under_way:
                    raise NotSets
                if following is not None and following not in self.branches:
                    waiting.append((following, False))

    def _branch(self, state: State) -> _Branch:
        at, cursor, from_, to, mark, marked, flags, collected, start = state
        op = self.code[at]
        after = at + 1
        match op.name:
            case "step" | "jump" | "go":
                target = self._moved(op, state)
                if not self.valid[target]:
                    return _Branch(-1, None, None)
                return _Branch(-1, (after, target, from_, to, mark, marked, flags, collected, start), None)
            case "mark":
                square = self._square(op, cursor)
                if not self.valid[square]:
                    return _Branch(-1, None, None)
                return _Branch(-1, (after, cursor, from_, to, square, square, flags, collected, start), None)
            case "from":
                return _Branch(-1, (after, cursor, cursor, to, mark, marked, flags, collected, start), None)
            case "to":
                return _Branch(-1, (after, cursor, from_, cursor, mark, marked, flags, collected, start), None)
            case "add":
                return _Branch(-1, (after, cursor, self.same, -1, mark, marked, flags, 0, start), None, adds=True)
            case "set-flag":
                flags = flags & ~(1 << op.a) | op.b << op.a
                return _Branch(-1, (after, cursor, from_, to, mark, marked, flags, collected, start), None)
            case "flag?":
                answer = bool(flags >> op.a & 1) == op.want
                return _Branch(-1, (after, *state[1:]) if answer else self._target(state, op), None)
            case "goto":
                return _Branch(-1, self._target(state, op), None)
            case "end":
                return _Branch(-1, None, None)
        if op.name in CHANGING:
            on = self.valid[self._square(op, cursor)] & self.valid[cursor]
            collected = collected if not on else 1 if on == self.valid[cursor] or collected == 1 else 2
            return _Branch(-1, (after, cursor, from_, to, mark, marked, flags, collected, start), None)
        return self._test(state, op)

    def _test(self, state: State, op: Op) -> _Branch:
        following: State = (state[0] + 1, *state[1:])
        yes, no = (following, self._target(state, op)) if op.want else (self._target(state, op), following)
        if self._square(op, state[1]) == self.same and op.name in TELLING:
            if state[8]:
                return _Branch(-1, yes if op.name == state[8] else no, None)
            yes = yes and (*yes[:8], op.name)
        node = self._answers(op, state)
        if node == self.graph.nothing:
            return _Branch(-1, no, None)
        if node == self.graph.all:
            return _Branch(-1, yes, None)
        return _Branch(node, yes, no, on=self.valid[self._square(op, state[1])])

    def _target(self, state: State, op: Op) -> State | None:
        return None if op.target == BLOCK_END else (state[0] + op.target, *state[1:])

    def _square(self, op: Op, cursor: int) -> int:
        """Return the map to the square of an operation."""
        if op.where == HERE:
            return cursor
        if op.where > 0:
            return self.map(tuple(op.where - 1 for _ in self.maps[cursor]))
        return self._neighbours(-op.where - 1, cursor)

    def _moved(self, op: Op, state: State) -> int:
        cursor, from_, to, mark = state[1:5]
        if op.name == "step":
            return self._neighbours(op.a, cursor)
        if op.name == "jump":
            return self.map(tuple(op.a for _ in self.maps[cursor]))
        if op.a > GO_MARK:
            raise NotSets
        return (from_, to if to >= 0 else cursor, mark)[op.a]

    def _answers(self, op: Op, state: State) -> int:
        """Return the starts for which a test is true, among those that can be in the state."""
        graph, cursor = self.graph, state[1]
        square = self._square(op, cursor)
        domain = self.valid[cursor]
        on = self.valid[square] & domain
        tested = self.maps[square]
        if op.name in _LEAVES:
            leaf = graph.kind(op.a) if op.name == "piece?" else graph.leaf(op.name[:-1])
            true_on = graph.gather(leaf, tested, on)
            return true_on if on == domain else graph.both(true_on, graph.const(on)) if on else graph.nothing
        match op.name:
            case "in-zone?":
                members = self.program.zone_sets[op.a][self.side]
            case "position?":
                members = frozenset((op.a,))
            case "goal-position?":
                members = self.program.goal_positions
            case "marked?":
                marks = self.maps[state[5]] if state[5] >= 0 else (-1,) * graph.squares
                bits = sum(1 << s for s in range(graph.squares) if on >> s & 1 and tested[s] == marks[s])
                return graph.all if bits == domain else graph.const(bits)
            case _:
                members = frozenset(range(graph.squares))
        bits = sum(1 << s for s in range(graph.squares) if on >> s & 1 and tested[s] in members)
        return graph.all if bits == domain else graph.const(bits)

    # ----------------------------------------------------------------------------------------------- sets of starts

    def _find_live(self, first: State) -> None:
        """Compute the starts that may reach each state in some position."""
        self.live = dict.fromkeys(self.order, 0)
        self.live[first] = (1 << self.graph.squares) - 1
        for state in self.order:
            branch, live = self.branches[state], self.live[state]
            if branch.yes is not None:
                valid = live if branch.test >= 0 else live & self.valid[branch.yes[1]] & self.valid[branch.yes[4]]
                self.live[branch.yes] |= valid & branch.on
            if branch.no is not None:
                self.live[branch.no] |= live

    def _forwards(self, first: State, starts: int) -> dict[State, int]:
        """Return the starts that reach each state, for a block in which no two paths meet at a state."""
        graph = self.graph
        values = {first: starts}
        for state in self.order:
            branch, value = self.branches[state], values.get(state)
            if value is None or value == graph.nothing:
                continue
            if branch.test < 0:
                if branch.yes is not None:
                    values[branch.yes] = self._on_board(value, state, branch.yes)
                continue
            if branch.yes is not None:
                values[branch.yes] = graph.both(value, branch.test)
            if branch.no is not None:
                values[branch.no] = graph.both(value, graph.other(branch.test))
        return values

    def _on_board(self, value: int, state: State, following: State) -> int:
        """Remove the starts that leave the board between two states."""
        valid = self.valid[following[1]] & self.valid[following[4]]
        if not self.live[state] & ~valid:
            return value
        return self.graph.both(value, self.graph.const(valid))

    def _reaching(self, goal: State, first: State) -> int:
        """Return the starts from which paths lead to a state."""
        graph = self.graph
        starts: dict[State | None, int] = {None: graph.nothing, goal: graph.all}
        for state in reversed(self.order):
            if state == goal:
                continue
            branch = self.branches[state]
            if branch.test < 0:
                value = starts[branch.yes]
                if branch.yes is not None and value != graph.nothing:
                    value = self._on_board(value, state, branch.yes)
            else:
                value = graph.choose(branch.test, starts[branch.yes], starts[branch.no])
            starts[state] = value
        return starts[first]

    def _yield(self, state: State, starts: int) -> Iterable[Yield]:
        """Yield the `Yield` of an `add`, for the starts where it changes something.

        :raises NotSets: if sets can't express that."""
        graph, op = self.graph, self.code[state[0]]
        from_, end = self.maps[state[2]], self.maps[state[3] if state[3] >= 0 else state[1]]
        if starts == graph.nothing:
            return
        if self.drop:
            if op.types:
                raise NotSets
        else:
            if state[2] != self.same:
                starts = graph.both(starts, graph.other(
                    graph.gather(graph.leaf("empty"), from_, self.valid[state[2]])))
            still = sum(1 << s for s in range(graph.squares) if from_[s] == end[s])
            if still and not op.is_copy and not op.types and state[7] != 1:
                if state[7] == 2:
                    raise NotSets
                starts = graph.both(starts, graph.const(((1 << graph.squares) - 1) & ~still))
        if starts != graph.nothing:
            yield Yield(self.routine, op, starts, from_, end, state[7] == 0 and not op.is_copy)


def surely_end(program: Program) -> bool:
    """Return whether every block certainly terminates soon: its graph of states is small and has no cycle."""
    graph = Graph(len(program.game.board.places))
    routines = [(r, drop) for drop, table in ((False, program.moves), (True, program.drops))
                for routines in table for r in routines]
    if len(routines) > 200 or any(op.name not in KNOWN for r, _ in routines for op in r.code):
        return False
    try:
        for side in sorted({turn.side for turn in program.game.turns}):
            for routine, drop in routines:
                Walk(graph, program, routine, side, drop).explore()
    except NotSets:
        return False
    return True


@dataclass(frozen=True)
class Group:
    """The yields of blocks that generate moves together, for all sides with the same directions and zones."""

    graph: Graph
    yields: tuple[Yield, ...]


class Groups:
    """All moves of a game, as sets. `lists[side, move type, chained]` holds indices in `groups`.

    The first group of a list that yields any move decides, as move priorities require.

    :raises NotSets: if sets cannot express all blocks of the game.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        game = program.game
        routines = program.routines
        if (
            not routines or len(routines) > 200 or game.options.maximal_captures
            or game.options.recycle_promotions or len(game.players) > 8
            or any(op.name not in KNOWN for r in routines for op in r.code) or leaks_flags(program)
        ):
            raise NotSets
        self.groups: list[Group] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        self.partial = sorted({op.b for r in routines for op in r.code if op.is_partial})
        self.lists: dict[tuple[int, int, bool], tuple[int, ...]] = {}
        for turn in game.turns:
            self.lists[turn.side, turn.move_type, False] = self._list(turn.side, turn.move_type, False)
            for move_type in self.partial:
                self.lists[turn.side, move_type, True] = self._list(turn.side, move_type, True)

    @property
    def yields(self) -> list[Yield]:
        """Each `Yield` of all groups, in their order."""
        return [y for group in self.groups for y in group.yields]

    @property
    def most_types(self) -> int:
        """Maximum number of records that a `Yield` has for each start."""
        return max((y.count for y in self.yields), default=1)

    def _list(self, side: int, move_type: int, chained: bool) -> tuple[int, ...]:
        if move_type >= 0:
            return (self._group(side, (move_type,), chained),)
        classes = [self._group(side, (p,), chained) for p in self.program.game.priorities]
        return (*classes, self._group(side, None, chained))

    def _group(self, side: int, types: tuple[int, ...] | None, chained: bool) -> int:
        program = self.program
        same = next(p for p in range(side + 1) if p == side or self._see_alike(p, side))
        key = same, types, chained and any(program.drops)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.groups)
            self.groups.append(self._make(side, types, chained))
        return number

    def _see_alike(self, a: int, b: int) -> bool:
        program = self.program
        return program.steps[a] == program.steps[b] and all(z[a] == z[b] for z in program.zone_sets)

    def _make(self, side: int, types: tuple[int, ...] | None, chained: bool) -> Group:
        program = self.program
        squares = len(program.game.board.places)
        graph = Graph(squares, len(program.game.pieces) == 1)
        yields: list[Yield] = []
        for kind, routines in enumerate(program.moves):
            own = graph.leaf("start")
            if not graph.single:
                own = graph.both(own, graph.kind(kind))
            for routine in routines:
                if types is None or routine.move_type in types:
                    yields += Walk(graph, program, routine, side, False).yields(own)
        for routines in () if chained else program.drops:
            for routine in routines:
                if types is None or routine.move_type in types:
                    yields += Walk(graph, program, routine, side, True).yields(self._places(graph, routine, side))
        if len(yields) > YIELDS:
            raise NotSets
        return Group(graph, tuple(yields))

    def _places(self, graph: Graph, routine: Routine, side: int) -> int:
        """Return the squares where a drop block runs, if there is a piece to drop; raise NotSets if one is repeated."""
        squares: Sequence[int] = range(graph.squares)
        if routine.zone >= 0:
            squares = tuple(self.program.game.board.zones[routine.zone][side])
            if len(set(squares)) < len(squares):
                raise NotSets
        elif routine.position >= 0:
            squares = (routine.position,)
        # `store`: all squares while the side has the piece off the board, else none.
        return graph.both(graph.const(sum(1 << s for s in squares)), graph.leaf("store", routine.piece))
