"""Lints about move code, by data-flow analysis: the possible occupants of the cursor on each path.

An operation may be part of several blocks (macros share code): it is dead if it is dead in each of them.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from zrf_py.author.lint.subject import Subject
from zrf_py.front.model import steps_from
from zrf_py.front.syntax import Piece
from zrf_py.ir.ops import GO_TO, HERE, OPS, WRITING, Op, Program, Routine, those
from zrf_py.ir.traits import Answer, Kind, Reads, Writes
from zrf_py.text.suggest import listing

_WHO = {"empty": 1, "friend": 2, "other": 4}
"""Occupants of a square that tests distinguish, the fields of `Says`, as bits of a set."""
_ANYBODY = 7
_MOVES_CURSOR = those(lambda row: row.writes & Writes.CURSOR)
_CHANGES = those(lambda row: row.writes & (Writes.CURSOR | Writes.FLAGS | Writes.POSITION_FLAGS))
"""Operations that may change a test's answer; effects take place with the move."""
EFFECTS = those(lambda row: row.kind is Kind.EFFECT)
_TAKING = {*WRITING, "to", "cascade", "create", "capture"}
"""Operations that may capture the piece under the cursor."""
_GO_TO = ("go", GO_TO)
_BLIND = {"step", "in-zone?", "position?", "on-board?", "add", "goto", "end"}
"""Operations that reveal nothing about the occupant of a square."""
_Place = tuple[int, int, str]


def lint_code(subject: Subject) -> None:
    """Report blocks without a move, lost effects, conditions that never hold, and unreachable instructions."""
    never: dict[_Place, list[bool]] = defaultdict(list)
    lost: dict[tuple[str, _Place], list[bool]] = defaultdict(list)
    reached: dict[_Place, list[bool]] = defaultdict(list)
    ops: dict[_Place, Op] = {}
    first: set[_Place] = set()  # tests that no other test precedes in their block
    checked: set[int] = set()
    for program in subject.stages.programs:
        _untested(subject, program)
        asking: dict[int, set[int]] = defaultdict(set)
        for code, op in ((c, op) for c in program.codes() for op in c if op.name == "flag?"):
            asking[op.a].add(id(code))
        moving = {id(routine.code) for routines in program.moves for routine in routines}
        for routine in (routine for routines in (*program.drops, *program.moves) for routine in routines):
            if id(routine.code) in checked:
                continue
            checked.add(id(routine.code))
            types = {other.move_type for other in program.moves[routine.piece]}
            legs = [op for op in routine.code if op.is_partial] if len(types) > 1 else []
            for op in (op for op in legs if op.b < 0 and not op.types):
                names = [name for name, number in program.game.symbols.move_types.items() if number in types]
                subject.find("any-leg", op.origin, listing(names))
            walk = _Walk(routine.code, id(routine.code) in moving)
            subject.takes = subject.takes or walk.takes
            barren = False
            if not program.game.pieces[routine.piece].dummy:
                barren = _no_add(subject, routine, asking)
                _endless(subject, routine.code)
                _occupied(subject, routine, id(routine.code) in moving)
            for at, op in enumerate(routine.code[:-1]):
                if op.origin is None:
                    continue
                place = op.origin.span.start, op.origin.span.end, op.origin.span.source.name
                ops.setdefault(place, op)
                if walk.writes:
                    reached[place].append(at in walk.visited)
                if OPS[op.name].is_test and at in walk.visited:
                    never[place].append(at not in walk.passed)
                    if not any(OPS[before.name].is_test for before in routine.code[:at]):
                        first.add(place)
                if op.name == "to" and at in walk.before_add:
                    lost["movement-lost", place].append(at not in walk.ends)
                if op.name in EFFECTS and at in walk.visited and not barren:
                    lost["effect-lost", place].append(at not in walk.before_add)
    for place, answers in never.items():
        if all(answers) and not subject.has("two-steps"):
            op = ops[place]
            label, help = "an earlier condition decides this one", "or remove one of the two conditions"
            if place in first:
                label, help = "the moving piece is on this square", "or write `drops` if the piece comes from the store"
            holds = "can't hold" if op.want or _text(op).lstrip("`(").startswith("not-") else "always holds"
            subject.find("never-true", op.origin, _text(op), holds, help, label=label)
    for (lint, place), answers in lost.items():
        if all(answers) and ops[place].name != "must-continue":
            subject.find(lint, ops[place].origin, _text(ops[place]))
    _unreachable(subject, reached, ops)
    _kept(subject)


def _kept(subject: Subject) -> None:
    """Report attributes that blocks only ever set to the value with which pieces begin, all or those of the set-up."""
    declared = {(item.name.text, item.value): item.name.origin
                for piece in subject.sections(Piece) for item in piece.attributes}
    uses: dict[str, list[tuple[bool, bool, Op]]] = defaultdict(list)
    for program in subject.stages.programs:
        placed = {kind for _, kind, _ in program.game.setup}
        for routine in program.routines:
            for op in (op for op in routine.code if op.name == "set-attribute" and op.a >= 0):
                begins = bool(program.game.pieces[routine.piece].attributes >> op.a & 1)
                same = begins == bool(op.b) and not any(other.types for other in routine.code)
                uses[program.game.attributes[op.a]].append((same, begins and routine.piece in placed, op))
    for name, answers in uses.items():
        op = answers[0][-1]
        raised = all(op.b for *_, op in answers) and any(begins for _, begins, _ in answers)
        if raised and (name, True) in declared:
            subject.find("attribute-kept", declared[name, True], name, "true")
        elif all(same for same, *_ in answers) and (name, not op.b) not in declared:
            subject.find("attribute-kept", op.origin, name, str(bool(op.b)).lower())


def _untested(subject: Subject, program: Program) -> None:
    """Report blocks that move to a square they never test, if most of the game's steps end on a tested one."""
    codes = [code for code in program.codes() if code[0].name == "step"]
    blind = [code for code in codes if {op.name for op in code} <= _BLIND]
    for code in blind if len(blind) * 2 < len(codes) else ():
        subject.find("untested-square", next((op.origin for op in code if op.name == "add"), None))


def _text(op: Op) -> str:
    text = op.origin.span.text if op.origin else op.name
    return f"`{' '.join(text.split())}`" if len(text) < 60 else f"`{op.name}`"


def _no_add(subject: Subject, routine: Routine, asking: dict[int, set[int]]) -> bool:
    """Report a block without `add`, unless it sets a flag that another one tests: flags carry over to later blocks.
    Return whether it is reported."""
    code = routine.code
    lasting = any(op.name == "set-flag" and asking[op.a] - {id(code)} for op in code)
    barren = len(code) > 1 and not lasting and not any(op.name in WRITING for op in code)
    if barren:
        subject.find("no-add", code[-1].origin)
    return barren


def _occupied(subject: Subject, routine: Routine, moves: bool) -> None:
    """Report a drop block that tests nothing, and a capture on a square that must be empty."""
    elsewhere = all(op.name == "add" or (OPS[op.name].says and op.where != HERE) for op in routine.code[:-1])
    if not moves and routine.zone == routine.position == -1 and elsewhere and len(routine.code) > 1:
        subject.find("drop-anywhere", routine.code[0].origin)
    for op, test in pairwise(routine.code):
        if op.origin is None or test.origin is None or op.origin.via != test.origin.via or op.where != test.where:
            continue
        if (op.name, test.name) == ("capture", "empty?") and test.want:
            subject.find("captures-nothing", op.origin)


def _endless(subject: Subject, code: tuple[Op, ...]) -> None:
    """Report loops without an exit or anything that could change their condition."""
    for at, op in enumerate(code):
        if op.name == "goto" and -len(code) < op.target < 0:
            loop = range(at + op.target, at)
            ends = any(OPS[code[i].name].is_test and not at + op.target <= i + code[i].target <= at + 1 for i in loop)
            last = max((i for i in loop if i + code[i].target == at + 1 and OPS[code[i].name].is_test), default=at)
            reads = any(OPS[op.name].reads & (Reads.FLAGS | Reads.POSITION_FLAGS) for op in code[loop[0] : last + 1])
            if not ends and not any(code[i].name in (_CHANGES if reads else _MOVES_CURSOR) for i in loop):
                subject.find("endless-while", op.origin)


def _unreachable(subject: Subject, reached: dict[_Place, list[bool]], ops: dict[_Place, Op]) -> None:
    """Report the first of a run of dead instructions, unless a condition has been blamed already."""
    if subject.has("never-true", "two-steps"):
        return
    for place, answers in reached.items():
        if not any(answers) and ops[place].name != "goto":
            subject.find("unreachable", ops[place].origin, _text(ops[place]))
            return


class _Walk:
    """Data-flow analysis of a block: the possible occupants of the cursor at each operation, on some path.

    Each occupant has its own successors, so merging paths loses nothing. A macro starts with any: it is written for
    other places, too, and may repeat tests that are decided here. A block of moves starts on a piece of the mover
    (`moving`). `visited`: operations that are reached; `passed`: tests that can fall through; `before_add`: operations
    after which a move may be written; `ends`: the `to`s that are read, by an `add`, `cascade` or `(go to)`; `writes`,
    `takes`: whether the block ever writes a move, and may capture.
    """

    def __init__(self, code: tuple[Op, ...], moving: bool) -> None:
        self.code = code
        self.passed: set[int] = set()
        edges: dict[int, set[int]] = defaultdict(set)
        in_macro = code[0].origin is not None and code[0].origin.via is not None
        occupants = [_ANYBODY if in_macro or not moving else _WHO["friend"], *[0] * (len(code) - 1)]
        todo = [0]
        while todo:
            at = todo.pop()
            for target, owners in self._steps(at, occupants[at]):
                edges[target].add(at)
                if owners & ~occupants[target]:
                    occupants[target] |= owners
                    todo.append(target)
        self.visited = {at for at, owners in enumerate(occupants) if owners}
        self.takes = any(code[at].name in _TAKING and owners & ~_WHO["empty"] for at, owners in enumerate(occupants))
        moves = [at for at in self.visited if code[at].name in WRITING]
        self.writes = bool(moves)
        self.before_add = _before(list(moves), edges)
        readers = [at for at in self.visited if code[at].name == "cascade" or (code[at].name, code[at].a) == _GO_TO]
        starts = frozenset(at for at, op in enumerate(code) if op.name in ("to", "from"))
        self.ends = _before(moves + readers, edges, starts)

    def _steps(self, at: int, owners: int) -> Iterator[tuple[int, int]]:
        op = self.code[at]
        row = OPS[op.name]
        falls = 0 if row.kind in (Kind.END, Kind.JUMP) else owners
        jumps = owners if row.kind in (Kind.TEST, Kind.JUMP) else 0
        if row.says and op.where == HERE:
            falls, jumps = (sum(bit for it, bit in _WHO.items() if bit & owners and getattr(row.says, it) is not bar)
                            for bar in ((Answer.NO, Answer.YES) if op.want else (Answer.YES, Answer.NO)))
        if falls:
            if row.is_test:
                self.passed.add(at)
            forgets = op.name in _MOVES_CURSOR or self._enters_macro(at, at + 1)
            yield at + 1, _ANYBODY if forgets else falls
        if jumps and 0 <= (target := at + op.target) < len(self.code):
            yield target, _ANYBODY if self._enters_macro(at, target) else jumps

    def _enters_macro(self, at: int, target: int) -> bool:
        """Return whether `target` is in a call of a macro that doesn't contain `at`."""
        before, after = self.code[at].origin, self.code[target].origin if target < len(self.code) else None
        if after is None or after.via is None or (before and before.via is after.via):
            return False
        calls, via = set(), before.via if before else None
        while via:
            calls.add(via.call)
            via = via.parent
        return after.via.call not in calls


def _before(todo: list[int], edges: dict[int, set[int]], stops: frozenset[int] = frozenset()) -> set[int]:
    """Return operations that can reach one of `todo` without passing one of `stops`; `edges` lead backwards."""
    last = (earlier for op in todo for earlier in edges[op])
    return {*steps_from(last, lambda op: () if op in stops else edges[op])}
