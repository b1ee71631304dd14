"""Excursions: runs from `mark` to `go mark` that leave only effects; a search for captures skips them.

An author who wants "then all traitors change sides" writes `mark`, a loop over the board, `back`. No capture of the
block depends on it. The `target` of such a `mark` is the distance to its `go`, where a capture search continues; it
then costs as much as the move alone, not a pass over the board.

A run is skipped only if it provably terminates, cannot end the block, and leaves only effects that remove no piece.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import GO_MARK, HERE, OPS, Op, Program, Routine, those
from zrf_py.ir.traits import Kind, Reads

_ATTACK_TESTS = those(lambda row: row.reads & Reads.ATTACKS)
_HARMLESS = those(lambda row: row.is_test or (row.kind is Kind.EFFECT and not row.removes)) - _ATTACK_TESTS | {
    "step", "jump", "goto"}
_NAME = attrgetter("name")
MOST_STEPS = 50_000
"""Limit on skipped operations in one block, well below `FUEL`."""


class Marks:
    """Blocks of a file that contain `mark`, and whether any block tests for attacks. They are collected during
    compilation because the games of a file share most blocks."""

    def __init__(self) -> None:
        self._codes: dict[int, tuple[Op, ...]] = {}
        self._reads_attacks = False

    def note(self, code: tuple[Op, ...]) -> None:
        """Register a compiled block."""
        names = set(map(_NAME, code))
        if "mark" in names:
            self._codes[id(code)] = code
        self._reads_attacks = self._reads_attacks or not names.isdisjoint(_ATTACK_TESTS)

    def pass_over(self, program: Program) -> Program:
        """Return the program with `target` set on each `mark` that begins an excursion."""
        goals = (goal for end in program.game.ends for goal in leaves(end.goal))
        has_royals = any(isinstance(goal, model.Taken) and goal.royal for goal in goals)  # moves are tested for check
        if not self._codes or not (self._reads_attacks or has_royals):
            return program
        finder = _Finder(program)
        codes = {key: new for key, code in self._codes.items() if (new := finder.code(code)) is not code}
        moves, drops = (tuple(_changed(routines, codes) for routines in table)
                        for table in (program.moves, program.drops))
        return replace(program, moves=moves, drops=drops) if codes else program


def _changed(routines: tuple[Routine, ...], codes: Mapping[int, tuple[Op, ...]]) -> tuple[Routine, ...]:
    """Replace the operations of the blocks in `codes`; return the same tuple if there are none."""
    if not any(id(r.code) in codes for r in routines):
        return routines
    return tuple(replace(r, code=codes[id(r.code)]) if id(r.code) in codes else r for r in routines)


class _Finder:
    def __init__(self, program: Program) -> None:
        self.steps = program.steps
        self.squares = len(program.game.board.places)
        self._ending: dict[int, bool] = {}

    def code(self, code: tuple[Op, ...]) -> tuple[Op, ...]:
        """Return the block with the targets of its excursions set; the same object if it has none."""
        ends = {at: end for at, op in enumerate(code) if op.name == "mark" and op.where == HERE
                and (end := self._end(code, at))}
        if not ends or sum(end - at for at, end in ends.items()) * (self.squares + 1) > MOST_STEPS:
            return code
        return tuple(replace(op, target=ends[at] - at) if at in ends else op for at, op in enumerate(code))

    def _end(self, code: Sequence[Op], mark: int) -> int:
        """Return the index of the `go` that ends the excursion at `mark`; 0 if there is no provable excursion."""
        at = mark + 1
        while code[at].name in _HARMLESS and not code[at].numbers:
            at += 1
        if (code[at].name, code[at].a) != ("go", GO_MARK):
            return 0
        inside = range(mark + 1, at)
        loops = [(i + code[i].target, i) for i in inside if code[i].target < 0]
        return at if self._stays(code, inside, at) and self._ends(code, loops) else 0

    def _stays(self, code: Sequence[Op], inside: range, end: int) -> bool:
        """Return whether control stays inside: no jump out, no step off the board."""
        for at in inside:
            op = code[at]
            if not inside.start <= at + op.target <= end:
                return False
            if op.name == "step" and not self._is_led(code, at):
                return False
        return True

    @staticmethod
    def _is_led(code: Sequence[Op], at: int) -> bool:
        """Return whether the operation before a step guards it: a required test of the step's destination, which is
        false off the board. No jump may bypass the test."""
        guard, destination = code[at - 1], -1 - code[at].a
        comes = any(i + op.target == at for i, op in enumerate(code) if op.target)
        return OPS[guard.name].is_test and guard.where == destination and guard.want and not comes

    def _ends(self, code: Sequence[Op], loops: list[tuple[int, int]]) -> bool:
        """Return whether every loop terminates: loops do not nest, and each round steps along one acyclic motion."""
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
        """Return whether repeating a motion leaves the board, from every square and for every player."""
        acyclic = self._ending.get(motion)
        if acyclic is None:
            acyclic = self._ending[motion] = all(is_acyclic(tables[motion]) for tables in self.steps)
        return acyclic


def is_acyclic(table: Sequence[int]) -> bool:
    """Return whether following a table of next squares always ends at -1 (no cycles)."""
    visited = [False] * len(table)
    for start in range(len(table)):
        path = []
        square = start
        while square >= 0 and not visited[square]:
            visited[square] = True
            path.append(square)
            square = table[square]
        if square >= 0 and square in set(path):
            return False
    return True
