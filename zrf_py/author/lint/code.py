"""Programs -> lints about move code: each block is followed on every way, knowing who may stand under the cursor.

An operation is judged by all the blocks it is part of (macros share code): it is dead if it is dead in each.
"""

from collections import defaultdict
from collections.abc import Iterator

from zrf_py.author.lint.subject import Subject
from zrf_py.ir.ops import HERE, OPS, WRITING, Op, Program, Routine, those
from zrf_py.ir.traits import Kind
from zrf_py.text.source import Origin

ANYONE = frozenset({"empty", "friend", "enemy"})
_SAYS = {"empty?": {"empty"}, "friend?": {"friend"}, "enemy?": {"enemy"}, "piece?": {"friend", "enemy"},
         "neutral?": {"enemy"}, "attribute?": {"friend", "enemy"}}
"""Who may be there if the test says yes."""
_EXACT = {"empty?", "friend?", "enemy?"}
"""Tests whose no rules these out."""
_MOVES_CURSOR = frozenset({"step", "jump", "go"})
_CHANGES = _MOVES_CURSOR | {"set-flag", "set-position-flag"}
"""What can make the answer of a test another; other effects come with the move."""
EFFECTS = those(lambda row: row.kind is Kind.EFFECT)
MAX_STATES = 20_000
"""How many situations one block is followed through."""
MAX_WORK = 100_000
"""How many all blocks of a file are."""
_Place = tuple[int, int, str]


def lint_code(subject: Subject) -> None:
    """Blocks without a move, lost effects, conditions that can't hold, instructions that nothing reaches."""
    never: dict[_Place, list[bool]] = defaultdict(list)
    lost: dict[_Place, list[bool]] = defaultdict(list)
    reached: dict[_Place, list[bool]] = defaultdict(list)
    ops: dict[_Place, Op] = {}
    seen: set[int] = set()
    budget = MAX_WORK
    for program in subject.stages.programs:
        _twice(subject, program)
        for routine in _routines(program):
            if id(routine.code) in seen:
                continue
            seen.add(id(routine.code))
            walk = _Walk(routine.code)
            budget -= walk.states
            if budget < 0:
                return  # half of the blocks would not tell what holds for all of them
            if not program.game.pieces[routine.piece].dummy:
                _no_add(subject, routine)
                _repeated(subject, routine.code)
            for at, op in enumerate(routine.code[:-1]):
                place = _place(op.origin)
                if place is None:
                    continue
                ops.setdefault(place, op)
                reached[place].append(at in walk.visited)
                if OPS[op.name].is_test and at in walk.visited:
                    never[place].append(at not in walk.passed)
                if op.name in EFFECTS and at in walk.visited:
                    lost[place].append(at not in walk.before_add)
    for place, answers in never.items():
        if all(answers):
            op = ops[place]
            subject.find("never-true", f"{_text(op)} can't hold here" if op.want else f"{_text(op)} always holds here",
                         op.origin, label="an earlier condition says the contrary",
                         help="ask about another square, e.g. `(empty? n)`, or leave one of the two out")
    for place, answers in lost.items():
        if all(answers) and ops[place].name != "must-continue":
            subject.find("effect-lost", f"what {_text(ops[place])} does is lost", ops[place].origin,
                         label="no `add` follows", help="write it before the `add` of its move")
    _unreachable(subject, reached, ops)


def _routines(program: Program) -> Iterator[Routine]:
    for routines in (*program.moves, *program.drops):
        yield from routines


def _place(origin: Origin | None) -> _Place | None:
    return (origin.span.start, origin.span.end, origin.span.source.name) if origin else None


def _text(op: Op) -> str:
    text = op.origin.span.text if op.origin else op.name
    return f"`{' '.join(text.split())}`" if len(text) < 60 else f"`{op.name}`"


def _no_add(subject: Subject, routine: Routine) -> None:
    code = routine.code
    if any(op.name in WRITING for op in code) or not code:
        return
    if len(code) > 1:
        subject.find("no-add", "this block never makes a move: it has no `add`", code[-1].origin,
                     help="write `add` where the move ends")


def _repeated(subject: Subject, code: tuple[Op, ...]) -> None:
    """Moves added twice in a row, and loops that nothing can end."""
    for at, op in enumerate(code):
        if op.name == "add":
            after = _after(code, at)
            if code[after].name == "add" and _meaning(code[after]) == _meaning(op):
                subject.find("added-twice", "this move has been added already", code[after].origin,
                             help="remove one of the two, or write the second where the cursor has gone on")
        if op.name == "goto" and -len(code) < op.target < 0:
            loop = range(at + op.target, at)
            ends = any(OPS[code[i].name].is_test and not at + op.target <= i + code[i].target <= at + 1 for i in loop)
            if not ends and not any(code[i].name in _CHANGES for i in loop):
                subject.find("endless-while", "once begun this `while` never ends", op.origin,
                             label="nothing in it changes what its condition asks",
                             help="let the cursor go on in it, e.g. `n` at its end")


def _after(code: tuple[Op, ...], at: int) -> int:
    """The operation that comes after one that is no test."""
    at += 1
    while code[at].name == "goto" and 0 < code[at].target < len(code) - at:
        at += code[at].target
    return at


def _unreachable(subject: Subject, reached: dict[_Place, list[bool]], ops: dict[_Place, Op]) -> None:
    """Report the first of a run of dead instructions, unless a condition has been blamed already."""
    if any(code == "never-true" for code, *_ in subject.found):
        return
    for place, answers in reached.items():
        if not any(answers) and ops[place].name != "goto":
            subject.find("unreachable", f"nothing comes to {_text(ops[place])}", ops[place].origin,
                         help="remove it, or what ends the block before it")
            return


def _twice(subject: Subject, program: Program) -> None:
    for kind, routines in enumerate(program.moves):
        known: dict[object, Routine] = {}
        for routine in routines:
            key = (routine.move_type, tuple(_meaning(op) for op in routine.code))
            if known.setdefault(key, routine) is not routine and len(routine.code) > 2:
                name = program.game.pieces[kind].name
                subject.find("same-block-twice", f"`{name}` has this block twice", routine.code[-1].origin,
                             help="remove one of them")


def _meaning(op: Op) -> tuple[object, ...]:
    return (op.name, op.a, op.b, op.where, op.types, op.want, op.target, op.numbers)


class _Walk:
    """Every way through a block. `visited`: operations that are reached; `passed`: tests that can fall through;
    `before_add`: operations after which a move may be added."""

    def __init__(self, code: tuple[Op, ...]) -> None:
        self.code = code
        self.visited: set[int] = set()
        self.passed: set[int] = set()
        edges: dict[int, set[int]] = defaultdict(set)
        todo: list[tuple[int, frozenset[str]]] = [(0, ANYONE)]
        seen = set(todo)
        while todo:
            at, who = todo.pop()
            self.visited.add(at)
            for following, then in self.steps(at, who):
                edges[following].add(at)
                if (following, then) not in seen and len(seen) < MAX_STATES:
                    seen.add((following, then))
                    todo.append((following, then))
        self.states = len(seen)
        if len(seen) >= MAX_STATES:
            self.visited = self.passed = set(range(len(code)))
        self.before_add = self._back(edges)

    def steps(self, at: int, who: frozenset[str]) -> Iterator[tuple[int, frozenset[str]]]:
        op = self.code[at]
        if op.name == "end":
            return
        if op.name == "goto":
            yield from self._jump(at, op, who)
            return
        if op.name in _MOVES_CURSOR:
            who = ANYONE
        if not OPS[op.name].is_test:
            yield at + 1, who
            return
        yes, no = who, who
        if op.where == HERE and op.name in _SAYS:
            yes = who & _SAYS[op.name]
            no = who - _SAYS[op.name] if op.name in _EXACT else who
        holds, fails = (yes, no) if op.want else (no, yes)
        if holds:
            self.passed.add(at)
            yield at + 1, holds
        if fails:
            yield from self._jump(at, op, fails)

    def _jump(self, at: int, op: Op, who: frozenset[str]) -> Iterator[tuple[int, frozenset[str]]]:
        target = at + op.target
        if 0 <= target < len(self.code):
            yield target, who

    def _back(self, edges: dict[int, set[int]]) -> set[int]:
        todo = [at for at in self.visited if self.code[at].name in WRITING]
        before: set[int] = set()
        while todo:
            for earlier in edges[todo.pop()]:
                if earlier not in before:
                    before.add(earlier)
                    todo.append(earlier)
        return before
