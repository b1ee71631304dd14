"""Ways over the board from which a block comes back with nothing but effects, which a look for captures passes over.

An author who wants "then all traitors change sides" writes `mark`, a loop over the board, `back`. Whether the block
captures something does not depend on any of it: the `target` of the `mark` says where the `go` to it stands, and who
only wants to know what is captured goes on there. Thus a look costs what the move itself costs, and not the board.

That it is so is proved, or the block stays as it is: between the two nothing ends the block, runs for ever, or leaves
anything behind but effects that remove nobody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import GO_MARK, HERE, OPS, Op, Program, Routine, those
from zrf_py.ir.traits import Kind, Reads

_ASKING = those(lambda row: row.reads & Reads.ATTACKS)
_HARMLESS = those(lambda row: row.is_test or (row.kind is Kind.EFFECT and not row.removes)) - _ASKING | {
    "step", "jump", "goto"}
_NAME = attrgetter("name")
MOST_STEPS = 50_000
"""Operations that may be passed over in one block: far less than a block may run."""


class Marks:
    """The blocks of a file in which something is marked, and whether any block asks for attacks: noted as they are
    made, for the games of a file share most of them."""

    def __init__(self) -> None:
        self._codes: dict[int, tuple[Op, ...]] = {}
        self._asked = False

    def note(self, code: tuple[Op, ...]) -> None:
        """A block that was made."""
        names = set(map(_NAME, code))
        if "mark" in names:
            self._codes[id(code)] = code
        self._asked = self._asked or not names.isdisjoint(_ASKING)

    def pass_over(self, program: Program) -> Program:
        """The program with each `mark` that a look may pass over told where it goes on."""
        if not self._codes or not (self._asked or _has_royals(program)):
            return program
        finder = _Finder(program)
        codes = {key: new for key, code in self._codes.items() if (new := finder.code(code)) is not code}
        moves, drops = (tuple(_changed(routines, codes) for routines in table)
                        for table in (program.moves, program.drops))
        return replace(program, moves=moves, drops=drops) if codes else program


def _changed(routines: tuple[Routine, ...], codes: Mapping[int, tuple[Op, ...]]) -> tuple[Routine, ...]:
    """Blocks with these operations instead of theirs; the same ones if nothing changes."""
    if not any(id(r.code) in codes for r in routines):
        return routines
    return tuple(replace(r, code=codes[id(r.code)]) if id(r.code) in codes else r for r in routines)


def _has_royals(program: Program) -> bool:
    """Whether moves are asked whether they leave somebody in danger."""
    return any(isinstance(goal, model.Taken) and goal.royal for end in program.game.ends for goal in leaves(end.goal))


class _Finder:
    def __init__(self, program: Program) -> None:
        self.steps = program.steps
        self.squares = len(program.game.board.places)
        self._ending: dict[int, bool] = {}

    def code(self, code: tuple[Op, ...]) -> tuple[Op, ...]:
        """A block with its excursions; the same one if it has none."""
        ways = {at: end for at, op in enumerate(code) if op.name == "mark" and op.where == HERE
                and (end := self._end(code, at))}
        if not ways or sum(end - at for at, end in ways.items()) * (self.squares + 1) > MOST_STEPS:
            return code
        return tuple(replace(op, target=ways[at] - at) if at in ways else op for at, op in enumerate(code))

    def _end(self, code: Sequence[Op], mark: int) -> int:
        """Where the way that begins behind a `mark` comes back to it; 0 if that is not certain."""
        at = mark + 1
        while code[at].name in _HARMLESS and not code[at].numbers:
            at += 1
        if (code[at].name, code[at].a) != ("go", GO_MARK):
            return 0
        inside = range(mark + 1, at)
        loops = [(i + code[i].target, i) for i in inside if code[i].target < 0]
        return at if self._stays(code, inside, at) and self._ends(code, loops) else 0

    def _stays(self, code: Sequence[Op], inside: range, end: int) -> bool:
        """Whether no way leads out, neither by a jump nor by a step off the board."""
        for at in inside:
            op = code[at]
            if not inside.start <= at + op.target <= end:
                return False
            if op.name == "step" and not self._is_led(code, at):
                return False
        return True

    @staticmethod
    def _is_led(code: Sequence[Op], at: int) -> bool:
        """Whether the operation before a step asks for something about where it leads, which no square off the board
        has; nothing else comes to the step."""
        asks, where = code[at - 1], -1 - code[at].a
        comes = any(i + op.target == at for i, op in enumerate(code) if op.target)
        return OPS[asks.name].is_test and asks.where == where and asks.want and not comes

    def _ends(self, code: Sequence[Op], loops: list[tuple[int, int]]) -> bool:
        """Whether each loop stands alone and steps along one motion, every time round, that never leads in a circle."""
        before = -1
        for first, last in loops:
            body = range(first, last + 1)
            steps = [at for at in body if code[at].name == "step"]
            if first <= before or not steps or any(code[at].name == "jump" for at in body):
                return False
            if len({code[at].a for at in steps}) > 1 or not self._is_ending(code[steps[0]].a):
                return False
            if any(steps[0] < at + code[at].target <= last for at in range(first, steps[0])):
                return False
            before = last
        return True

    def _is_ending(self, motion: int) -> bool:
        """Whether one who goes on along a motion leaves the board sometime, whoever it is and from wherever."""
        found = self._ending.get(motion)
        if found is None:
            found = self._ending[motion] = all(_leaves(tables[motion]) for tables in self.steps)
        return found


def _leaves(table: Sequence[int]) -> bool:
    """Whether following a table of next squares always ends at -1."""
    known = [False] * len(table)
    for start in range(len(table)):
        way = []
        here = start
        while here >= 0 and not known[here]:
            known[here] = True
            way.append(here)
            here = table[here]
        if here >= 0 and here in set(way):
            return False
    return True
