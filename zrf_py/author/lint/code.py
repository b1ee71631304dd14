"""Lints about move code, by data-flow analysis.

An operation may be part of several blocks, since macros share code; it is dead only if it is dead in each of them.
"""

from collections import defaultdict
from collections.abc import Iterator

from zrf_py.author.lint.follow import MOVES_CURSOR, OWN, FollowedBlock, Knowledge, occupants, types_there
from zrf_py.author.lint.subject import Subject
from zrf_py.front.syntax import Piece
from zrf_py.ir.ops import COLLECTED, HERE, OPS, WRITING, Op, Program, Routine, those
from zrf_py.ir.traits import Changes, Kind, Operand, Reads, Writes
from zrf_py.text.grouping import by_key
from zrf_py.text.suggest import listing

_CHANGES = those(lambda row: row.writes & (Writes.CURSOR | Writes.FLAGS | Writes.POSITION_FLAGS))
"""Operations that may change a test's answer; effects don't, since they take place with the move."""
_BLIND = {"step", "in-zone?", "position?", "on-board?", "add", "goto", "end"}
"""Operations that reveal nothing about the occupant of a square."""
_Place = tuple[int, int, str]


def lint_code(subject: Subject) -> None:
    """Report lints about move code, such as lost effects, conditions that never hold, and unreachable instructions."""
    verdicts: dict[tuple[str, _Place], list[bool]] = defaultdict(list)
    ops: dict[_Place, Op] = {}
    tests: dict[_Place, tuple[str, str, str]] = {}  # what to report if a test's answer never varies
    checked: set[int] = set()
    declared = {(piece.name.text, item.name.text) for piece in subject.sections(Piece) if piece.name
                for item in piece.attributes}
    for program in subject.stages.programs:
        _untested(subject, program)
        knowledge = Knowledge(program, declared)
        users = by_key((id(routine.code), routine.piece) for routine in program.routines)
        asking = by_key((op.a, id(code)) for code in program.codes() for op in code if op.name == "flag?")
        moving = {id(routine.code) for routines in program.moves for routine in routines}
        for routine in (routine for routines in (*program.drops, *program.moves) for routine in routines):
            code = routine.code
            if id(code) in checked:
                continue
            checked.add(id(code))
            types = tuple(sorted(set(users[id(code)]))) if id(code) in moving else ()
            walk = FollowedBlock(knowledge, code, OWN if types else frozenset())
            subject.losing |= {program.game.pieces[kind].name if kind >= 0 else "" for kind in walk.losing(types)}
            barren = False
            if not program.game.pieces[routine.piece].dummy:
                barren = _no_add(subject, routine, asking)
                _endless(subject, walk)
            _open(subject, program, routine, walk)
            tested = False  # True after the first test of the block
            for at, op in enumerate(code[:-1]):
                if op.origin is not None:
                    place = op.origin.span.start, op.origin.span.end, op.origin.span.source.name
                    ops.setdefault(place, op)
                    for lint, holds in _verdicts(walk, at, op, barren, types):
                        verdicts[lint, place].append(holds)
                    if OPS[op.name].is_test and at in walk.visited:
                        tests.setdefault(place, _reason(walk, at, tested))
                tested = tested or OPS[op.name].is_test
    sure = [(lint, place, ops[place]) for (lint, place), holds in verdicts.items() if all(holds)]
    for place, op in ((place, op) for lint, place, op in sure if lint == "never-true" and not subject.has("two-steps")):
        answer, label, help = tests[place]
        if ("written-twice", *place) not in subject.findings:
            subject.find("never-true", op.origin, _text(op), answer, help, label=label)
    for lint, _, op in sure:
        elsewhere = lint in ("no-attribute", "effect-lost") and subject.has("unused-attribute", "never-true")
        elsewhere |= lint == "flag-stale" and subject.has("flag-kept", "flag-stale")
        # callers of an included macro may go back to its mark
        elsewhere |= lint == "mark-lost" and bool(op.origin and op.origin.span.source is not subject.source)
        if lint not in ("never-true", "unreachable") and op.name != "must-continue" and not elsewhere:
            subject.find(lint, op.origin, _text(op))
    dead = next((op for lint, _, op in sure if lint == "unreachable" and op.name != "goto"), None)
    if dead and not subject.has("never-true", "two-steps"):  # only the first such operation is reported
        subject.find("unreachable", dead.origin, _text(dead))
    for program in subject.stages.programs:
        _forgotten(subject, program)
        _legs(subject, program)


def _forgotten(subject: Subject, program: Program) -> None:
    """Report a type whose moves never change an attribute that its pieces start with, if moves of other types do."""
    pieces = program.game.pieces
    for number, name in enumerate(program.game.attributes):
        moving = [kind for kind, piece in enumerate(pieces) if piece.attributes >> number & 1 and any(
            op.name in WRITING for r in program.moves[kind] for op in r.code)]
        forgets = [kind for kind in moving if not any(OPS[op.name].changes is Changes.ATTRIBUTES and op.a == number
                                                      for r in program.moves[kind] for op in r.code)]
        if 0 < len(forgets) < len(moving):
            subject.find("attribute-forgotten", pieces[forgets[0]].origin, pieces[forgets[0]].name, name)


def _legs(subject: Subject, program: Program) -> None:
    """Report a move type whose blocks change nothing and require another leg of the type: a turn may never end."""
    for leg in sorted({op.b for op in program.ops if op.is_partial and op.b >= 0}):
        ops = [op for routines in program.moves for r in routines if r.move_type == leg for op in r.code]
        adds = [op for op in ops if op.name in WRITING]
        on = not program.game.options.pass_partial and COLLECTED.isdisjoint(op.name for op in ops)
        if adds and on and all(op.is_partial and (op.b, op.types) == (leg, ()) for op in adds):
            subject.find("endless-legs", adds[0].origin, program.move_types[leg])


def _open(subject: Subject, program: Program, routine: Routine, walk: FollowedBlock) -> None:
    """Report legs that any move may follow, drops on untested squares, and attributes set where no piece arrives."""
    code, game = routine.code, program.game
    kinds = {other.move_type for other in program.moves[routine.piece]}
    for op in (op for op in code if len(kinds) > 1 and op.is_partial and op.b < 0 and not op.types):
        names = [name for name, number in game.symbols.move_types.items() if number in kinds]
        subject.find("any-leg", op.origin, listing(names))
    dropped = routine in program.drops[routine.piece] and not game.pieces[routine.piece].dummy
    if dropped and routine.zone == routine.position == -1 and len(code) > 1 and all(
            op.name == "add" or (OPS[op.name].says and op.where != HERE) for op in code[:-1]):
        subject.find("drop-anywhere", code[0].origin)
    for op in walk.astray():
        subject.find("attribute-astray", op.origin.call if op.origin else None, _text(op))


def _reason(walk: FollowedBlock, at: int, tested: bool) -> tuple[str, str, str]:
    """Return the constant answer of a test, the reason, and a remedy other than testing another square."""
    op = walk.code[at]
    answer = "always holds" if (True in walk.answers[at]) != _text(op).lstrip("`(").startswith("not-") else "can't hold"
    if walk.knowledge.is_whole(op):
        return answer, "this zone has every square of the board", "or leave squares out of the zone"
    if walk.begins(at) and walk.code[walk.first].name == "step" and None in walk.knowledge.after(op, OWN):
        return answer, "the moving piece is on this square", "or put this test after the first step"
    if walk.leaves_loop(at):
        return answer, "the loop before it ends only where this is so", "or turn the condition of the loop round"
    if tested and walk.code[at - 1].name == "capture" and op.where == HERE:
        return answer, "no step leads away from the captured piece", "or write the step that is missing before it"
    if tested:
        return answer, "an earlier condition decides this one", "or remove this condition or the earlier one"
    return answer, "the moving piece is on this square", "or write `drops` if the piece comes from the store"


def _verdicts(
    walk: FollowedBlock, at: int, op: Op, barren: bool, types: tuple[int, ...],
) -> Iterator[tuple[str, bool]]:
    """Yield lints about an operation of a block, each with True if it applies in this block; a lint is reported only if
    it applies in all blocks with the operation. `types`: the piece types that the block moves."""
    if walk.writes:
        yield "unreachable", at not in walk.visited
    if OPS[op.name].is_test:
        yield "test-too-late", walk.writes and at > walk.last
    if OPS[op.name].is_test and at in walk.visited:
        dead = 0 <= at + op.target < len(walk.code) and at + op.target not in walk.visited
        decided = len(walk.answers[at]) == 1 and (dead or walk.knowledge.is_whole(op))
        yield "never-true", decided or op.want not in walk.answers[at] or walk.leaves_loop(at)
    if OPS[op.name].kind is Kind.JUMP and at in walk.visited:
        yield "runs-once", walk.runs_once(at)
    if op.name == "to" and at in walk.before_add:
        yield "movement-lost", at not in walk.ends
    if OPS[op.name].writes & Writes.MARK and at in walk.before_add:
        yield "mark-lost", at not in walk.marks
    if OPS[op.name].reads & Reads.FLAGS and at in walk.visited:
        yield "flag-stale", walk.is_stale(at)
    if op.name in COLLECTED and at in walk.visited and not barren:
        yield "effect-lost", at not in walk.before_add
    if op.name in ("attribute?", "set-attribute") and at in walk.visited:
        others = [types_there(facts, op.where) for facts in walk.states[at]] if OPS[op.name].is_test else [set[int]()]
        is_own = walk.begins(at) if OPS[op.name].is_test else _arrives(walk.code, at)
        yield "no-attribute", all(walk.knowledge.lacks(kinds, op.a) for kinds in ([types] if is_own else others))
    if op.name == "capture":
        then = walk.code[at + 1]
        before = [OPS[op.name].a for op in walk.code[:at] if op.name in MOVES_CURSOR]
        stepped = op.where == HERE and bool(before) and {*before} == {Operand.MOTION}  # jumps may go to stores
        yield "captures-own", stepped and all(occupants(facts) == 2 for facts in walk.states.get(at, (frozenset(),)))
        yield "captures-itself", _captures_itself(walk, at)
        yield "captures-nothing", (then.name, then.where, then.want) == ("empty?", op.where, True) and any(
            occupants(facts, op.where) & 1 for facts in walk.states.get(at, ()))
    if op.name == "create" and op.where == HERE and op.b >= 0 and "to" not in [it.name for it in walk.code[:at]]:
        then = walk.code[at + 1]  # a created piece of the mover may be meant to replace the one that arrives
        yield "create-here", op.b not in walk.knowledge.sides and then.name == "add" and not then.is_copy


def _arrives(code: tuple[Op, ...], at: int) -> bool:
    """Return whether an effect concerns the piece that arrives."""
    if code[at].where != HERE or any(op.name == "goto" and op.target < 0 for op in code):
        return False
    then = next((op for op in code[at:] if op.name not in COLLECTED), code[-1])
    changed = any(op.name in ("to", "change-type") for op in code[:at])
    return then.name in ("add", "to") and not then.types and not changed


def _captures_itself(walk: FollowedBlock, at: int) -> bool:
    """Return whether the only effect of a block is a `capture` on the empty square where the move ends, behind an enemy
    that the piece jumps over."""
    code = walk.code
    ends = next((op.name in WRITING for op in code[at:] if op.name in WRITING or op.name in MOVES_CURSOR), False)
    jumps = any(op.name in MOVES_CURSOR and all(occupants(facts) == 4 for facts in walk.states.get(place, (OWN,)))
                for place, op in enumerate(code[:at]))
    alone = jumps and ends and code[at].where == HERE and sum(op.name in COLLECTED for op in code) == 1
    return alone and all(occupants(facts) == 1 for facts in walk.states.get(at, (OWN,)))


def _untested(subject: Subject, program: Program) -> None:
    """Report blocks that move to a square they never test, if most blocks that begin with a step test theirs."""
    codes = [code for code in program.codes() if code[0].name == "step"]
    blind = [code for code in codes if {op.name for op in code} <= _BLIND]
    for code in blind if len(blind) * 2 < len(codes) else ():
        subject.find("untested-square", next((op.origin for op in code if op.name == "add"), None))


def _text(op: Op) -> str:
    text = op.origin.span.text if op.origin else op.name
    return f"`{' '.join(text.split())}`" if len(text) < 60 else f"`{op.name}`"


def _no_add(subject: Subject, routine: Routine, asking: dict[int, list[int]]) -> bool:
    """Report a block without `add`, unless it sets a flag that another block tests; return whether it is reported."""
    code = routine.code
    lasting = any(op.name == "set-flag" and {*asking.get(op.a, ())} - {id(code)} for op in code)
    barren = len(code) > 1 and not lasting and not any(op.name in WRITING for op in code)
    if barren:
        subject.find("no-add", code[-1].origin)
    return barren


def _endless(subject: Subject, walk: FollowedBlock) -> None:
    """Report loops that have no exit and in which nothing can change the condition."""
    code = walk.code
    for at, op in enumerate(code):
        if op.name == "goto" and -len(code) < op.target < 0:
            loop = range(at + op.target, at)
            ends = any(OPS[code[i].name].is_test and not at + op.target <= i + code[i].target <= at + 1 for i in loop)
            last = max((i for i in loop if i + code[i].target == at + 1 and OPS[code[i].name].is_test), default=at)
            reads = any(OPS[op.name].reads & (Reads.FLAGS | Reads.POSITION_FLAGS) for op in code[loop[0] : last + 1])
            body = [code[i] for i in loop if i > last]
            leaps = [it for it in body if it.name in MOVES_CURSOR and OPS[it.name].a is not Operand.MOTION]
            again = not reads and leaps and OPS[leaps[-1].name].a is Operand.PLACE and leaps[-1].a in walk.fixed and (
                not any(OPS[it.name].is_test for it in body))  # each pass begins at the same square
            if not ends and (again or not any(code[i].name in (_CHANGES if reads else MOVES_CURSOR) for i in loop)):
                subject.find("endless-while", op.origin)
