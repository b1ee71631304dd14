"""What can be known about attacks before the game begins.

For each side and each target square, looking at all blocks from all squares and taking every test whose answer depends
on the board both ways:

    reach    squares from which a piece could perhaps remove what stands on the target
    opens    squares whose becoming empty could bring an attack about
    closes   squares on which an arriving piece (of somebody else than the attacker) could bring an attack about

All three may hold too much, never too little. A move that leaves every `opens` and enters no `closes` of a royal
piece that is safe now leaves it safe: that saves most of the looking. What cannot be told (a block that asks where the
last move went) is in `closes` of everything.

The argument: compare an attack after a move with the same block before it. Where their ways part for the first time,
a test about a square that the move has changed has got a new answer, and the target can be reached behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from zrf_py.ir.ops import BLOCK_END, HERE, Op, Program, Routine
from zrf_py.run import goals

BUDGET = 400_000
"""States to be looked at in one game; after that every square may be concerned."""

_VOLATILE = frozenset(("adjacent-to-enemy?", "attacked?", "defended?"))
_LAST = frozenset(("last-from?", "last-to?"))
_PRIVATE = frozenset(("flag?", "position-flag?", "marked?"))
_FIXED = frozenset(("in-zone?", "position?", "on-board?", "goal-position?"))


@dataclass
class Attacks:
    """[side][square] → bits: `reach` and `opens` and `closes` by target, `hits[routine number]` by start."""

    reach: list[list[int]]
    opens: list[list[int]]
    closes: list[list[int]]
    hits: dict[tuple[int, int], list[int]] = field(default_factory=dict)


class _GivenUp(Exception):
    """Too many states, or a block that walks to a square nobody can know."""


def analyse(program: Program) -> Attacks | None:
    """The tables of a game; None where blocks see flags that other blocks have set."""
    if leaks_flags(program):
        return None
    return _Analysis(program).run()


def leaks_flags(program: Program) -> bool:
    """Whether some block may ask for a flag that it has not set itself."""
    if not program.flags:
        return False
    seen: set[int] = set()
    for table in (program.moves, program.drops):
        for routine in (r for routines in table for r in routines):
            if id(routine.code) not in seen:
                seen.add(id(routine.code))
                if any(op.name == "flag?" for op in routine.code) and _leaks(routine.code):
                    return True
    return False


def _leaks(code: Sequence[Op]) -> bool:
    """Follow the flags that are certainly set; a question about another one leaks."""
    known: dict[int, int] = {0: 0}
    waiting = [0]
    while waiting:
        at = waiting.pop()
        flags, op = known[at], code[at]
        if op.name == "flag?" and not flags >> op.a & 1:
            return True
        if op.name == "set-flag":
            flags |= 1 << op.a
        for following in _successors(op, at):
            before = known.get(following)
            merged = flags if before is None else before & flags
            if merged != before:
                known[following] = merged
                waiting.append(following)
    return False


def _successors(op: Op, at: int) -> tuple[int, ...]:
    if op.name == "end":
        return ()
    ways = () if op.name == "goto" else (at + 1,)
    if op.name == "goto" or op.name.endswith("?"):
        return ways if op.target == BLOCK_END else (*ways, at + op.target)
    return ways


class _Analysis:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.squares = len(program.game.board.places)
        self.everything = (1 << self.squares) - 1
        self.royal = frozenset(kind for kinds in goals.royals(program) for kind in kinds)
        self.left = BUDGET

    def run(self) -> Attacks:
        players = range(len(self.program.game.players))
        sides = {turn.side for turn in self.program.game.turns}
        reach, opens, closes = ([[0] * self.squares for _ in players] for _ in range(3))
        found = Attacks(reach, opens, closes)
        number = 0
        for routines in self.program.moves:
            for routine in routines:
                for side in sides:
                    found.hits[number, side] = [self._start(found, routine, side, s) for s in range(self.squares)]
                number += 1
        return found

    def _start(self, found: Attacks, routine: Routine, side: int, start: int) -> int:
        """Add one block from one square; the targets it may hit."""
        try:
            walk = _Walk(self, routine, side, start)
            walk.explore()
        except _GivenUp:
            for target in range(self.squares):
                found.reach[side][target] |= 1 << start
                found.opens[side][target] = found.closes[side][target] = self.everything
            return self.everything
        hits = walk.behind(frozenset())[0]
        for target in _bits(hits):
            found.reach[side][target] |= 1 << start
        if self.royal:
            walk.sense(found)
        return hits


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


State = tuple[int, int, int, int, int]
"""(operation, cursor, from, to, mark)"""


class _Walk:
    """All ways through a block from one square: a graph of states."""

    def __init__(self, analysis: _Analysis, routine: Routine, side: int, start: int) -> None:
        self.analysis = analysis
        self.code = routine.code
        self.side = side
        self.start = start
        self.steps = analysis.program.steps[side]
        self.zones = analysis.program.zone_sets
        self.numbers: dict[State, int] = {}
        self.order: list[State] = []
        self.hits: list[int] = []
        self.edges: list[tuple[int, ...]] = []
        self.tests: list[tuple[Op, int] | None] = []
        """For a state with two ways out, the test and its square; the first way is the answer yes."""
        self.collected = 0

    def explore(self) -> None:
        self._number((0, self.start, self.start, -1, self.start))
        at = 0
        while at < len(self.order):
            self.analysis.left -= 1
            if self.analysis.left < 0:
                raise _GivenUp
            self._state(self.order[at])
            at += 1

    def _number(self, state: State) -> int:
        found = self.numbers.get(state)
        if found is None:
            found = self.numbers[state] = len(self.order)
            self.order.append(state)
        return found

    def _put(self, hits: int, test: tuple[Op, int] | None, *ways: State | None) -> None:
        self.hits.append(hits)
        self.tests.append(test)
        self.edges.append(tuple(-1 if way is None else self._number(way) for way in ways))

    def _square(self, op: Op, here: int) -> int:
        if op.where == HERE:
            return here
        return op.where - 1 if op.where > 0 else self.steps[-op.where - 1][here]

    def _state(self, state: State) -> None:
        at, here, from_, to, mark = state
        op = self.code[at]
        name = op.name
        if name.endswith("?"):
            self._test(state, op)
        elif name == "step":
            there = self.steps[op.a][here]
            self._put(0, None, (at + 1, there, from_, to, mark) if there >= 0 else None)
        elif name == "jump":
            self._put(0, None, (at + 1, op.a, from_, to, mark))
        elif name == "go":
            if op.a > 2:
                raise _GivenUp
            there = (from_, to if to >= 0 else here, mark)[op.a]
            self._put(0, None, (at + 1, there, from_, to, mark) if there >= 0 else None)
        elif name == "mark":
            square = self._square(op, here)
            self._put(0, None, (at + 1, here, from_, to, square) if square >= 0 else None)
        elif name == "from":
            self._put(0, None, (at + 1, here, here, to, mark))
        elif name == "to":
            self._put(0, None, (at + 1, here, from_, here, mark))
        elif name == "goto":
            self._put(0, None, None if op.target == BLOCK_END else (at + op.target, here, from_, to, mark))
        elif name == "end":
            self._put(0, None)
        else:
            self._writing(state, op)

    def _writing(self, state: State, op: Op) -> None:
        at, here, from_, to, mark = state
        end = to if to >= 0 else here
        if op.name == "add":
            self._put(1 << end, None, (at + 1, here, self.start, -1, mark))
        elif op.name == "cascade":
            self.collected |= 1 << end
            self._put(1 << end, None, (at + 1, here, here, -1, mark))
        else:
            square = self._square(op, here)
            hit = 1 << square if op.name in ("capture", "create") and square >= 0 else 0
            self.collected |= hit
            self._put(hit, None, (at + 1, here, from_, to, mark))

    def _test(self, state: State, op: Op) -> None:
        following = (state[0] + 1, *state[1:])
        square = self._square(op, state[1])
        yes = following if op.want else self._target(op, state)
        no = self._target(op, state) if op.want else following
        if square < 0 and op.name != "flag?":
            self._put(0, None, no)
        elif op.name in _FIXED:
            self._put(0, None, yes if self._answer(op, square) else no)
        else:
            self._put(0, (op, square), yes, no)

    def _target(self, op: Op, state: State) -> State | None:
        return None if op.target == BLOCK_END else (state[0] + op.target, *state[1:])

    def _answer(self, op: Op, square: int) -> bool:
        match op.name:
            case "in-zone?":
                return square in self.zones[op.a][self.side]
            case "position?":
                return square == op.a
            case "goal-position?":
                return square in self.analysis.program.goal_positions
        return True

    # ----------------------------------------------------------------------------------------- what can be reached

    def behind(self, royal: frozenset[int]) -> list[int]:
        """For each state the targets that can still be hit from it.

        On a target stands a piece of somebody else than the side, of one of the types `royal` if there are any; a way
        that contradicts this does not count for that target.
        """
        found = list(self.hits)
        masks = [self._contradictions(test, royal) if test else (0, 0) for test in self.tests]
        changed = True
        while changed:
            changed = False
            for i in range(len(found) - 1, -1, -1):
                reached = found[i]
                for way, mask in zip(self.edges[i], masks[i], strict=False):
                    if way >= 0:
                        reached |= found[way] & ~mask
                if reached != found[i]:
                    found[i] = reached
                    changed = True
        return found

    @staticmethod
    def _contradictions(test: tuple[Op, int], royal: frozenset[int]) -> tuple[int, int]:
        """Targets that the answers yes and no rule out."""
        op, square = test
        bit = 1 << square if square >= 0 else 0
        match op.name:
            case "empty?" | "friend?":
                return bit, 0
            case "enemy?":
                return 0, bit
            case "piece?" if royal:
                return (0 if op.a in royal else bit), (bit if royal == {op.a} else 0)
        return 0, 0

    def sense(self, found: Attacks) -> None:
        """Add what attacks on royal pieces from here depend on."""
        behind = self.behind(self.analysis.royal)
        opens, closes = found.opens[self.side], found.closes[self.side]
        for target in _bits(behind[0] & self.collected):
            closes[target] = opens[target] = self.analysis.everything
        for test, edges in zip(self.tests, self.edges, strict=True):
            if test is None:
                continue
            op, square = test
            yes, no = (behind[way] if way >= 0 else 0 for way in edges)
            if op.name in _VOLATILE:
                for target in _bits(yes | no):
                    closes[target] = opens[target] = self.analysis.everything
            elif op.name in _LAST:
                self._sense_last(op, square, yes, no, found)
            elif op.name not in _PRIVATE:
                bit = 1 << square
                emptied, filled = _CHANGED[op.name](yes, no)
                for target in _bits(emptied & ~bit):
                    opens[target] |= bit
                for target in _bits(filled & ~bit):
                    closes[target] |= bit

    def _sense_last(self, op: Op, square: int, yes: int, no: int, found: Attacks) -> None:
        """A question about the last move: the answer is yes for one square only, which the move leaves or enters."""
        opens, closes = found.opens[self.side], found.closes[self.side]
        table = opens if op.name == "last-from?" else closes
        for target in _bits(yes):
            table[target] |= 1 << square
        for target in _bits(no):
            closes[target] = opens[target] = self.analysis.everything


_CHANGED: Mapping[str, Callable[[int, int], tuple[int, int]]] = {
    "empty?": lambda yes, no: (yes, no),
    "friend?": lambda yes, no: (0, no),
    "enemy?": lambda yes, no: (no, yes),
    "neutral?": lambda yes, no: (no, yes | no),
    "piece?": lambda yes, no: (no, yes | no),
    "attribute?": lambda yes, no: (no, yes | no),
}
"""Behind a test: what lies open once its square is empty, and once another side's piece stands there."""
