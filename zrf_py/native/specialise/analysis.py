"""Static attack analysis of a game, before it begins.

It explores all blocks of each side from all squares, and takes both branches of every test that depends on the board:

    reach    squares from which a piece might remove the piece on the target
    opens    squares that may enable an attack by becoming empty, for each start and target
    closes   squares that may enable an attack when another player's piece arrives, for each start and target

All three are over-approximations; for attacks in `anything`, all squares count as both. A royal piece that is safe now
stays safe after a move that vacates no square of `opens` and enters none of `closes`, for any piece that could attack.
This saves most attack searches.

Proof: compare an attack after the move with a run of the same block before it. Where they first diverge, a test of a
square changed by the move has a new answer, and the target can be reached behind that test.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from zrf_py.ir.flow import backward
from zrf_py.ir.ops import ATTACKING, BLOCK_END, FIXED, HERE, OPS, WRITING, Op, Program, Routine, those
from zrf_py.ir.traits import Answer, Reads, Writes
from zrf_py.native.specialise.flags import leaks_flags

BUDGET = 300_000
"""Limit on states explored in one game; beyond it every square counts as relevant."""
LARGEST_SENSE = 1 << 20
"""Limit on the words of `opens` and of `closes`; on larger boards they are not computed."""
LARGEST_HITS = 1 << 21
"""Limit on the words of the tables of targets that each block may hit from each square; larger ones are not made."""

_VOLATILE = those(lambda row: row.is_test and row.reads & Reads.ANYTHING)
_LAST = those(lambda row: row.is_test and row.reads & Reads.LAST)
_PRIVATE = those(lambda row: row.is_test and row.reads & (Reads.PLACES | Reads.FLAGS | Reads.POSITION_FLAGS))
_REMEMBERING = those(lambda row: row.writes & (Writes.MARK | Writes.TO)
                     or (row.reads & Reads.PLACES and row.writes & Writes.CURSOR))
"""Operations that make the paths of a block depend on more than the cursor."""
_REMOVING = those(lambda row: row.removes)
_OPEN = {Answer.NO: (0, 1), Answer.YES: (1, 0), Answer.MAYBE: (1, 1)}
"""By the possible answers of a test: (yes, no), each 1 if the branch for that answer can be taken."""


Sense = dict[tuple[int, int], int]
"""(target, square) → bits of the starts whose attacks on the target depend on the square."""


@dataclass(frozen=True)
class Attacks:
    """Square sets as bits: `reach[side][target]` holds starts, `hits[routine number, side][start]` targets.

    `anything[side][target]` holds the starts of attacks that may depend on any square.
    """

    reach: list[list[int]]
    anything: list[list[int]]
    opens: list[Sense]
    closes: list[Sense]
    has_sense: bool
    """`anything`, `opens` and `closes` were computed."""
    has_hits: bool
    """`hits` was computed."""
    hits: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    def unknown(self, side: int, targets: int, starts: int) -> None:
        for target in squares_of(targets):
            self.anything[side][target] |= starts


class _GivenUp(Exception):
    """There are too many states, or a block moves to an unknown square."""


def analyse(program: Program) -> Attacks | None:
    """Return the tables of a game; None if it needs no attack searches, or if blocks read flags set by other blocks."""
    if not (any(program.aims.royals) or program.uses(*ATTACKING)) or leaks_flags(program):
        return None
    return _Analysis(program).run()


class _Nodes:
    """Operations numbered by their future, across blocks: equal continuations share a number (hash consing).

    Blocks made by macros end alike; the common end is analysed once.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.next: list[int] = []
        self.jump: list[int] = []
        """Target node of a jump; -1 if the block ends."""
        self._numbers: dict[tuple[int, int], int] = {}
        self._suffixes: dict[tuple[int, int], int] = {}
        self._done: dict[int, int] = {}
        self._known: dict[int, int] = {}
        self._meanings: dict[tuple[object, ...], int] = {}

    def entry(self, code: tuple[Op, ...]) -> int:
        """Return the first node of a block."""
        node = self._done.get(id(code))
        if node is None:
            node = self._done[id(code)] = self._add(code)
        return node

    def _meaning(self, op: Op) -> int:
        """Return a number shared by all operations with the same meaning, regardless of their origin."""
        number = self._known.get(id(op))
        if number is None:
            number = self._known[id(op)] = self._meanings.setdefault(op.meaning, len(self._meanings))
        return number

    def _add(self, code: tuple[Op, ...]) -> int:
        suffixes = [0] * (len(code) + 1)
        for at in range(len(code) - 1, -1, -1):
            key = self._meaning(code[at]), suffixes[at + 1]
            suffixes[at] = self._suffixes.setdefault(key, len(self._suffixes) + 1)
        lowest = _lowest(code)
        numbers = []
        fresh = []
        for at, op in enumerate(code):
            key = suffixes[lowest[at]], at - lowest[at]
            number = self._numbers.get(key)
            if number is None:
                number = self._numbers[key] = len(self.ops)
                self.ops.append(op)
                self.next.append(-1)
                self.jump.append(-1)
                fresh.append(at)
            numbers.append(number)
        for at in fresh:
            op = code[at]
            if at + 1 < len(code):
                self.next[numbers[at]] = numbers[at + 1]
            if op.target and op.target != BLOCK_END:
                self.jump[numbers[at]] = numbers[at + op.target]
        return numbers[0]


def _lowest(code: Sequence[Op]) -> list[int]:
    """Return for each operation the lowest index of an operation that can be reached from it."""
    return backward(code, lambda at, lowest: min([at, *lowest]), len(code))


class _Analysis:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.squares = len(program.game.board.places)
        self.everything = (1 << self.squares) - 1
        self.royal = frozenset(kind for kinds in program.aims.royals for kind in kinds)
        self.players = len(program.game.players)
        self.words = (self.squares + 63) // 64
        blocks = sum(map(len, program.moves)) + len(program.game.pieces)
        self.wants_hits = blocks * self.players * self.squares * self.words <= LARGEST_HITS
        self.wants_sense = bool(self.royal) and self.players * self.squares**2 * self.words <= LARGEST_SENSE
        self.left = BUDGET
        self.needed = 0
        """Largest number of states that one side has used so far."""
        self.nodes = _Nodes()

    def run(self) -> Attacks:
        players = range(len(self.program.game.players))
        reach, anything = ([[0] * self.squares for _ in players] for _ in range(2))
        attacks = Attacks(reach, anything, [{} for _ in players], [{} for _ in players],
                        self.wants_sense, self.wants_hits)
        for side in sorted({turn.side for turn in self.program.game.turns}):
            self._side(attacks, side)
        return attacks

    def _side(self, attacks: Attacks, side: int) -> None:
        """Analyse all blocks of one side; most of them in one graph."""
        shared = _Walk(self, side, 0)
        entries: dict[int, list[int]] = {}
        every = [r for routines in self.program.moves for r in routines]
        for number, routine in enumerate(every):
            if any(op.name in _REMEMBERING for op in routine.code):
                hits = [self._alone(attacks, routine, side, s) for s in range(self.squares)]
                if self.wants_hits:
                    attacks.hits[number, side] = hits
            else:
                node = self.nodes.entry(routine.code)
                entries[number] = [shared.begin(node, s) for s in range(self.squares)]
        left = self.left
        try:
            if self.needed > self.left:
                raise _GivenUp
            shared.explore()
            self.needed = max(self.needed, left - self.left)
        except _GivenUp:
            if self.wants_hits:
                for number in entries:
                    attacks.hits[number, side] = [self.everything] * self.squares
            attacks.reach[side] = [self.everything] * self.squares
            attacks.anything[side] = [self.everything] * self.squares
            return
        behind = shared.behind(frozenset())
        together = [0] * self.squares
        for number, states in entries.items():
            if self.wants_hits:
                attacks.hits[number, side] = [behind[state] for state in states]
            for start, state in enumerate(states):
                together[start] |= behind[state]
        for start, mask in enumerate(together):
            self._reaches(attacks, side, start, mask)
        if self.wants_sense:
            shared.sense(attacks)

    def _reaches(self, attacks: Attacks, side: int, start: int, hits: int) -> None:
        for target in squares_of(hits):
            attacks.reach[side][target] |= 1 << start

    def _give_up(self, attacks: Attacks, side: int, start: int) -> None:
        for target in range(self.squares):
            attacks.reach[side][target] |= 1 << start
        if self.wants_sense:
            attacks.unknown(side, self.everything, 1 << start)

    def _alone(self, attacks: Attacks, routine: Routine, side: int, start: int) -> int:
        """Analyse one block from one square; return the targets it may hit, all of them if it is too complex."""
        try:
            walk = _Walk(self, side, start, alone=True)
            walk.begin(self.nodes.entry(routine.code), start)
            walk.explore()
        except _GivenUp:
            self._give_up(attacks, side, start)
            return self.everything
        hits = walk.behind(frozenset())[0]
        self._reaches(attacks, side, start, hits)
        if self.wants_sense:
            walk.sense(attacks)
        return hits


def squares_of(mask: int) -> list[int]:
    """Return the indices of the set bits."""
    digits = bin(mask)[:1:-1]
    indices = []
    at = digits.find("1")
    while at >= 0:
        indices.append(at)
        at = digits.find("1", at + 1)
    return indices


State = tuple[int, int, int, int, int]
"""(node, cursor, from, to, mark); the last three are 0, -1, 0 where they don't matter."""


class _Walk:
    """Graph of all paths through some blocks (symbolic execution)."""

    def __init__(self, analysis: _Analysis, side: int, start: int, alone: bool = False) -> None:
        self.analysis = analysis
        self.nodes = analysis.nodes
        self.side = side
        self.start = start
        self.steps = analysis.program.steps[side]
        self.zones = analysis.program.zone_sets
        self.numbers: dict[State, int] = {}
        self.order: list[State] = []
        self.hits: list[int] = []
        self.edges: list[tuple[int, ...]] = []
        self.tests: list[tuple[Op, int] | None] = []
        """[state]: the test and its square, for a state with two successors; the first follows if the test succeeds."""
        self.begun: list[tuple[int, int]] = []
        """(state, square) of each entry."""
        self.collected: set[int] = set()
        """States with a hit that takes effect only with a later `add`."""
        self.alone = alone
        self.circles = True
        """True if the graph may have a cycle."""
        self._backwards: list[int] = []

    def begin(self, node: int, start: int) -> int:
        """Enter a node on a square; return the number of the state."""
        state = self._number((node, start, self.start, -1, self.start))
        self.begun.append((state, start))
        return state

    def explore(self) -> None:
        at = 0
        while at < len(self.order):
            self.analysis.left -= 1
            if self.analysis.left < 0:
                raise _GivenUp
            self._state(self.order[at])
            at += 1
        for state in self._faulty():
            self.hits[state] = self.analysis.everything
            self.collected.add(state)

    def _faulty(self) -> Iterator[int]:
        """Yield the states after which a block may run forever or a number may overflow; such a block is always run."""
        number = {state: at for at, state in enumerate(self.backwards())}
        for state, successors in enumerate(self.edges):
            op = self.nodes.ops[self.order[state][0]]
            if any(s >= 0 and number[s] >= number[state] for s in successors) or any(n.parts for n in op.numbers):
                yield state

    def _number(self, state: State) -> int:
        number = self.numbers.get(state)
        if number is None:
            number = self.numbers[state] = len(self.order)
            self.order.append(state)
        return number

    def _put(self, hits: int, test: tuple[Op, int] | None, *successors: State | None) -> None:
        self.hits.append(hits)
        self.tests.append(test)
        self.edges.append(tuple(-1 if s is None else self._number(s) for s in successors))

    def _square(self, op: Op, cursor: int) -> int:
        if op.where == HERE:
            return cursor
        return op.where - 1 if op.where > 0 else self.steps[-op.where - 1][cursor]

    def _state(self, state: State) -> None:
        node, cursor, from_, to, mark = state
        op = self.nodes.ops[node]
        after = self.nodes.next[node]
        name = op.name
        if OPS[name].is_test:
            self._test(state, op)
        elif name == "step":
            square_to = self.steps[op.a][cursor]
            self._put(0, None, (after, square_to, from_, to, mark) if square_to >= 0 else None)
        elif name == "jump":
            self._put(0, None, (after, op.a, from_, to, mark))
        elif name == "go":
            if op.a > 2:
                raise _GivenUp
            square_to = (from_, to if to >= 0 else cursor, mark)[op.a]
            self._put(0, None, (after, square_to, from_, to, mark) if square_to >= 0 else None)
        elif name == "mark":
            square = self._square(op, cursor)
            self._put(0, None, (after, cursor, from_, to, square) if square >= 0 else None)
        elif name == "from":
            self._put(0, None, (after, cursor, cursor if self.alone else from_, to, mark))
        elif name == "to":
            self._put(0, None, (after, cursor, from_, cursor, mark))
        elif name == "goto":
            self._put(0, None, self._target(state))
        elif name == "end":
            self._put(0, None)
        else:
            self._writing(state, op)

    def _writing(self, state: State, op: Op) -> None:
        node, cursor, from_, to, mark = state
        after = self.nodes.next[node]
        end = to if to >= 0 else cursor
        if op.name in WRITING:
            hit = 1 << end if op.name == "add" else 0
            self._put(hit, None, (after, cursor, self.start, -1, mark))
        elif op.name == "cascade":
            self.collected.add(len(self.hits))
            self._put(1 << end, None, (after, cursor, cursor if self.alone else from_, -1, mark))
        else:
            square = self._square(op, cursor)
            hit = 1 << square if op.name in _REMOVING and square >= 0 else 0
            self.collected.add(len(self.hits))
            self._put(hit, None, (after, cursor, from_, to, mark))

    def _test(self, state: State, op: Op) -> None:
        following = (self.nodes.next[state[0]], *state[1:])
        square = self._square(op, state[1])
        yes = following if op.want else self._target(state)
        no = self._target(state) if op.want else following
        if square < 0 and OPS[op.name].where:
            self._put(0, None, no)
        elif op.name in FIXED:
            self._put(0, None, yes if self._answer(op, square) else no)
        else:
            self._put(0, (op, square), yes, no)

    def _target(self, state: State) -> State | None:
        node = self.nodes.jump[state[0]]
        return None if node < 0 else (node, *state[1:])

    def _answer(self, op: Op, square: int) -> bool:
        match op.name:
            case "in-zone?":
                return square in self.zones[op.a][self.side]
            case "position?":
                return square == op.a
            case "goal-position?":
                return square in self.analysis.program.goal_positions
        return True

    # ----------------------------------------------------------------------------------------------- reachability

    def behind(self, royal: frozenset[int], collected: bool = False) -> list[int]:
        """Return the targets that can still be hit from each state (backward data flow).

        A target is assumed to hold a piece of another player, of one of the types `royal` if there are any; paths that
        contradict this don't count for it. `collected`: only hits that wait for an `add`.
        """
        if collected:
            targets = [hit if i in self.collected else 0 for i, hit in enumerate(self.hits)]
            if not any(targets):
                return targets
        else:
            targets = list(self.hits)
        rows = []
        for state in self.backwards():
            test = self.tests[state]
            successors = self.edges[state]
            if test is not None:
                yes, no = self._contradictions(test, royal)
                rows.append((state, successors[0], ~yes, successors[1], ~no))
            elif successors and successors[0] >= 0:
                rows.append((state, successors[0], -1, -1, 0))
        changed = True
        while changed:
            changed = False
            for state, successor, mask, alternative, other_mask in rows:
                reached = targets[state]
                if successor >= 0:
                    reached |= targets[successor] & mask
                if alternative >= 0:
                    reached |= targets[alternative] & other_mask
                if reached != targets[state]:
                    targets[state] = reached
                    changed = self.circles
        return targets

    def backwards(self) -> list[int]:
        """Return the states in post-order: each after its successors, except on cycles."""
        if len(self._backwards) == len(self.order):
            return self._backwards
        order: list[int] = []
        number = [-1] * len(self.order)
        """[state]: -1 unvisited, -2 under way, else its index in the order."""
        for first in range(len(self.order)):
            waiting = [first] if number[first] == -1 else []
            while waiting:
                state = waiting[-1]
                if number[state] == -1:
                    number[state] = -2
                    waiting += [s for s in self.edges[state] if s >= 0 and number[s] == -1]
                    continue
                waiting.pop()
                if number[state] == -2:
                    number[state] = len(order)
                    order.append(state)
        self.circles = any(s >= 0 and number[s] >= number[state]
                           for state, successors in enumerate(self.edges) for s in successors)
        self._backwards = order
        return order

    @staticmethod
    def _contradictions(test: tuple[Op, int], royal: frozenset[int]) -> tuple[int, int]:
        """Return two bit masks: the targets that are ruled out if a test succeeds, and if it fails."""
        op, square = test
        bit = 1 << square if square >= 0 else 0
        if op.name == "piece?" and royal:
            return (0 if op.a in royal else bit), (bit if royal == {op.a} else 0)
        answers = OPS[op.name].says
        yes, no = _OPEN[answers.other] if answers else (1, 1)
        return (0 if yes else bit), (0 if no else bit)

    def ahead(self) -> list[int]:
        """Return the squares from which a block may reach each state (forward data flow)."""
        starts_of = [0] * len(self.order)
        for state, start in self.begun:
            starts_of[state] |= 1 << start
        order = self.backwards()[::-1]
        changed = True
        while changed:
            changed = False
            for state in order:
                starts = starts_of[state]
                for successor in self.edges[state]:
                    if successor >= 0 and starts & ~starts_of[successor]:
                        starts_of[successor] |= starts
                        changed = self.circles
        return starts_of

    def sense(self, attacks: Attacks) -> None:
        """Add the squares on which attacks on royal pieces depend."""
        behind = self.behind(self.analysis.royal)
        collected = self.behind(self.analysis.royal, collected=True)
        starts = self.ahead()
        for state, start in self.begun:
            attacks.unknown(self.side, collected[state], 1 << start)
        for test, edges, start in zip(self.tests, self.edges, starts, strict=True):
            if test is None:
                continue
            op, square = test
            yes, no = (behind[successor] if successor >= 0 else 0 for successor in edges)
            if op.name in _VOLATILE:
                attacks.unknown(self.side, yes | no, start)
            elif op.name in _LAST:
                # The test passes on one square only: the one that the move leaves, or the one that it enters.
                table = attacks.opens if op.name == "last-from?" else attacks.closes
                _add(table[self.side], yes, square, start)
                attacks.unknown(self.side, no, start)
            elif op.name not in _PRIVATE:
                emptied, filled = _changed(op, yes, no)
                _add(attacks.opens[self.side], emptied & ~(1 << square), square, start)
                _add(attacks.closes[self.side], filled & ~(1 << square), square, start)


def _add(table: dict[tuple[int, int], int], targets: int, square: int, starts: int) -> None:
    for target in squares_of(targets):
        table[target, square] = table.get((target, square), 0) | starts


def _changed(op: Op, yes: int, no: int) -> tuple[int, int]:
    """Return two masks of targets that may be hit past a test: if its square becomes empty, and if another player's
    piece arrives there."""
    answers = OPS[op.name].says
    assert answers is not None, f"{op.name} has no answers for this analysis"
    always = answers.empty is answers.other is not Answer.MAYBE
    return (0 if always else _behind(answers.empty, yes, no)), _behind(answers.other, yes, no)


def _behind(answer: Answer, yes: int, no: int) -> int:
    open_yes, open_no = _OPEN[answer]
    return yes * open_yes | no * open_no
