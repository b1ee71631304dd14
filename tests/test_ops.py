"""The declared traits of operations match what the interpreter does on random positions.

A trait may claim neither too much nor too little, since the native engine relies on both.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache

import pytest

from zrf_py.compile import compile_source
from zrf_py.front.model import NOBODY as EMPTY_SQUARES
from zrf_py.front.model import Number
from zrf_py.ir.ops import OPS, Op, Program
from zrf_py.ir.traits import Answer, Changes, Kind, Operand, Reads, Row, Says, Writes, action, effect
from zrf_py.ir.traits import test as question
from zrf_py.native.specialise.analysis import _Nodes
from zrf_py.run.interpret import TABLE, Walker, removed
from zrf_py.run.position import NOBODY, Move, Position, initial, play
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin, Source, Span

TRIALS = 50
SQUARES = 9
RULES = """
(version "zrf+")
(game (title "Traits") (players White Black Grey) (turn-order White Black) (counter each-one each 0)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
         (zone (name z) (players White) (positions a1 b2)) (zone (name z) (players Black) (positions c3 b2)))
  (piece (name Man) (attribute old false) (attribute big true) (moves (move-type x) (n add) (move-type y) (e add)))
  (piece (name Rook) (attribute old true)
         (moves (e (verify (flag? f)) (set-flag f true) (set-flag g false) (set-position-flag p true)
                 (set-position-flag q false) (if (position-flag? p) (if (flag? g) add)))))
  (board-setup (White (Man a1 off 3)) (Black (Rook c3)) (Grey (Man b1)))
  (win-condition (White) (absolute-config Man (a3 c1))))
"""


@cache
def program() -> Program:
    report = Report()
    found = compile_source(Source("traits.zrf", RULES), lambda name, origin: None, report)
    assert not report.items
    return found[0]


def some_position(choice: random.Random) -> Position:
    owner = tuple(choice.choice((NOBODY, NOBODY, 0, 1, 2)) for _ in range(SQUARES))
    return replace(
        initial(program()), owner=owner, piece=tuple(choice.randrange(2) for _ in owner),
        attributes=tuple(choice.randrange(4) for _ in owner), last_from=choice.randrange(-1, SQUARES),
        last_to=choice.randrange(-1, SQUARES))


def some_operand(what: Operand, choice: random.Random) -> int:
    sizes = {Operand.NONE: 1, Operand.MOTION: 4, Operand.POSITION: SQUARES, Operand.PLACE: 5, Operand.PIECE: 2,
             Operand.PLAYER: 3, Operand.SIDE: 1, Operand.ATTRIBUTE: 2, Operand.COUNTER: 1, Operand.ZONE: 1,
             Operand.MOVE_TYPE: 2, Operand.FLAG: 2, Operand.POSITION_FLAG: 2, Operand.TRUTH: 2, Operand.MANNER: 4}
    return choice.randrange(sizes[what])


def some_op(name: str, choice: random.Random) -> Op:
    row = OPS[name]
    where = choice.choice((0, choice.randrange(1, SQUARES + 1), -choice.randrange(1, 5))) if row.where else 0
    return Op(name, some_operand(row.a, choice), some_operand(row.b, choice), where, target=7, numbers=(
        Number("count", EMPTY_SQUARES, -1, -1), Number("number", choice.randrange(2, 6))))


class Moment:
    """A walker in the middle of a block, and the effect of an operation on it."""

    def __init__(self, choice: random.Random) -> None:
        self.position = some_position(choice)
        self.program = program()
        self.side = choice.randrange(2)
        self.places = [choice.randrange(SQUARES) for _ in range(6)]
        self.flags = choice.randrange(4)
        self.squares = {flag: {choice.randrange(SQUARES) for _ in range(4)} for flag in (0, 1)}

    def walker(self) -> Walker:
        moves: list[Move] = []
        w = Walker(self.program, self.position, self.side, moves.append)
        w.start, w.here, w.from_, w.mark, w.to, w.marked = self.places
        w.kind, w.flags, w.must = 0, self.flags, False
        w.position_flags = {flag: set(squares) for flag, squares in self.squares.items()}
        w.effects, w.captures, w.cascades = [], [], []
        return w

    def after(self, op: Op) -> tuple[Walker, int, list[Move]]:
        """Return the walker after an operation, the index of the next one, and the moves written."""
        w = self.walker()
        following = TABLE[op.name](w, op, 1)
        moves: list[Move] = w.emit.__self__  # type: ignore[attr-defined]
        return w, following, moves

    def way(self, op: Op) -> tuple[int, int]:
        """Return the index of the operation after `op`, and the cursor's square then (-1 after an end or a jump)."""
        w, following, _ = self.after(op)
        return following, w.here if following != -1 and op.name != "jump" else -1

    def with_content(self, op: Op, choice: random.Random, *, here: bool) -> None:
        """Replace the contents of the operation's square (`here`), or contents and attributes of the other squares."""
        w = self.walker()
        about = {w.where(op) if OPS[op.name].where else w.from_}
        other = some_position(choice)
        at = [s for s in range(SQUARES) if (s in about) == here]
        owner, piece, attributes = (
            tuple(new[s] if s in at else old[s] for s in range(SQUARES)) for old, new in (
                (self.position.owner, other.owner), (self.position.piece, other.piece),
                (self.position.attributes, other.attributes)))
        self.position = replace(self.position, owner=owner, piece=piece,
                                attributes=self.position.attributes if here else attributes)


Change = Callable[[Moment, Op, random.Random], None]


def _other_places(moment: Moment, op: Op, choice: random.Random) -> None:
    moment.places = [*moment.places[:2], *(choice.randrange(SQUARES) for _ in range(4))]


def _other_position(name: str) -> Change:
    def change(moment: Moment, op: Op, choice: random.Random) -> None:
        other = some_position(choice)
        names = ("last_from", "last_to") if name == "last" else (name,)
        moment.position = replace(moment.position, **{name: getattr(other, name) for name in names})

    return change


def _no_blocks(moment: Moment, op: Op, choice: random.Random) -> None:
    moment.program = replace(moment.program, moves=((), ()))


CHANGES: dict[Reads, Change] = {
    Reads.CONTENT: lambda moment, op, choice: moment.with_content(op, choice, here=True),
    Reads.ATTRIBUTES: _other_position("attributes"),
    Reads.LAST: _other_position("last"),
    Reads.PLACES: _other_places,
    Reads.FLAGS: lambda moment, op, choice: setattr(moment, "flags", choice.randrange(4)),
    Reads.POSITION_FLAGS: lambda moment, op, choice: setattr(moment, "squares", Moment(choice).squares),
    Reads.ANYTHING: lambda moment, op, choice: moment.with_content(op, choice, here=False),
    Reads.ATTACKS: _no_blocks,
}


def reads(name: str) -> Reads:
    """Return the inputs that change an operation's result, found by changing each in turn."""
    found, ways = Reads.NOTHING, set()
    for trial in range(TRIALS):
        for what, change in CHANGES.items():
            choice = random.Random(trial)
            op, moment = some_op(name, choice), Moment(choice)
            before = moment.way(op)
            ways.add(before[0])
            change(moment, op, choice)
            if moment.way(op) != before:
                found |= what
    if found & Reads.ANYTHING:
        return found & ~(Reads.CONTENT | Reads.ATTRIBUTES)
    return found or (Reads.FIXED if len(ways) > 1 else Reads.NOTHING)


def writes(name: str) -> Writes:
    found = Writes.NOTHING
    for trial in range(TRIALS):
        choice = random.Random(trial)
        op, moment = some_op(name, choice), Moment(choice)
        (w, following, moves), before = moment.after(op), moment.walker()
        wrote = any(not move.is_pass for move in moves)
        for what, seen in (
            (Writes.CURSOR, w.here != before.here and following != -1),
            (Writes.FROM, w.from_ != before.from_ and not wrote), (Writes.TO, w.to not in (before.to, -1)),
            (Writes.MARK, (w.mark, w.marked) != (before.mark, before.marked)), (Writes.FLAGS, w.flags != before.flags),
            (Writes.POSITION_FLAGS, w.position_flags != before.position_flags), (Writes.MOVEMENT, w.cascades),
            (Writes.MANNER, w.must), (Writes.MOVE, wrote), (Writes.PASS, any(move.is_pass for move in moves)),
        ):
            if seen:
                found |= what
    return found & ~Writes.FROM if found & (Writes.MOVE | Writes.PASS) else found


@pytest.mark.parametrize("name", OPS)
def test_operations_read_their_declared_state(name: str) -> None:
    assert reads(name) == OPS[name].reads


@pytest.mark.parametrize("name", OPS)
def test_operations_write_their_declared_state(name: str) -> None:
    assert writes(name) == OPS[name].writes


@pytest.mark.parametrize("name", OPS)
def test_operations_are_of_their_declared_kind(name: str) -> None:
    ends = {Moment(choice).after(some_op(name, choice))[1] for choice in map(random.Random, range(TRIALS))}
    noted = any(w.effects or w.captures for choice in map(random.Random, range(TRIALS))
                for w in [Moment(choice).after(some_op(name, choice))[0]])
    jumps, goes_on = 8 in ends, 2 in ends
    seen = (Kind.TEST if goes_on else Kind.JUMP) if jumps else Kind.EFFECT if noted else (
        Kind.ACTION if goes_on else Kind.END)
    assert seen is OPS[name].kind


@pytest.mark.parametrize("name", OPS)
def test_operations_depend_on_their_square_as_declared(name: str) -> None:
    def done(where: int, seed: int) -> tuple[object, ...]:
        choice = random.Random(seed)
        op, moment = some_op(name, choice), Moment(choice)
        w, following, moves = moment.after(replace(op, where=where))
        return following, w.mark, w.position_flags, w.effects, w.captures, moves

    differs = any(done(seed % SQUARES + 1, seed) != done((seed + 4) % SQUARES + 1, seed) for seed in range(TRIALS))
    assert differs == OPS[name].where or name == "on-board?"


@pytest.mark.parametrize("name", [name for name, row in OPS.items() if row.says])
def test_tests_have_their_declared_results(name: str) -> None:
    answers: dict[str, set[bool]] = {"empty": set(), "friend": set(), "other": set()}
    for choice in map(random.Random, range(TRIALS)):
        op, moment = some_op(name, choice), Moment(choice)
        w, following, _ = moment.after(op)
        if (square := w.where(op)) >= 0:
            owner = w.owner[square]
            who = "empty" if owner == NOBODY else "friend" if owner == w.side else "other"
            answers[who].add((following == 2) == op.want)
    seen = {who: Answer.MAYBE if len(found) > 1 else Answer.YES if found.pop() else Answer.NO
            for who, found in answers.items()}
    assert Says(**seen) == OPS[name].says


@pytest.mark.parametrize("name", [name for name, row in OPS.items() if row.kind is Kind.EFFECT])
def test_effects_change_what_they_declare(name: str) -> None:
    changes, removes, puts = Changes.NOTHING, False, False
    for choice in map(random.Random, range(TRIALS)):
        op, moment = some_op(name, choice), Moment(choice)
        w, _, _ = moment.after(op)
        square = w.where(op)
        move = Move(w.side, (), tuple(w.effects), tuple(w.captures))
        before, after = w.position, play(w.program, w.position, move)
        content = (before.owner, before.piece) != (after.owner, after.piece)
        for what, seen in (
            (Changes.CONTENT, content), (Changes.ATTRIBUTES, not content and before.attributes != after.attributes),
            (Changes.COUNTERS, before.counters != after.counters), (Changes.TURN, before.step != after.step),
        ):
            if seen:
                changes |= what
        removes |= OPS[name].where and square in removed(move)
        puts |= OPS[name].where and square >= 0 and before.owner[square] == NOBODY != after.owner[square]
    row = OPS[name]
    if row.changes & Changes.CONTENT:
        changes &= ~Changes.ATTRIBUTES  # attributes of a piece that appears or disappears don't count
    assert (changes, removes, puts) == (row.changes, row.removes, row.puts)


@pytest.mark.parametrize("make", [
    lambda: action("nothing is said"),  # type: ignore[call-arg]
    lambda: effect("it happens", changes=Changes.CONTENT),  # type: ignore[call-arg]
    lambda: effect("nothing changes", changes=Changes.NOTHING, removes=False, puts=False),
    lambda: effect("a counter goes", changes=Changes.COUNTERS, removes=True, puts=False),
    lambda: question("it reads nothing", reads=Reads.NOTHING),
    lambda: question("somebody is there", reads=Reads.CONTENT),
    lambda: question("somebody is somewhere", reads=Reads.CONTENT, says=OPS["empty?"].says, where=False),
    lambda: Row(),  # type: ignore[call-arg]
])
def test_an_operation_must_declare_its_traits(make: Callable[[], Row]) -> None:
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize(("make", "why"), [
    (lambda: effect("", changes=Changes.COUNTERS, removes=True, puts=False), "content changes"),
    (lambda: effect("", changes=Changes.COUNTERS, removes=False, puts=True), "content changes"),
    (lambda: effect("", changes=Changes.CONTENT, removes=False, puts=True, where=False), "needs a square"),
    (lambda: effect("", changes=Changes.NOTHING, removes=False, puts=False), "only effects, have"),
    (lambda: question("", reads=Reads.NOTHING), "a test must read something"),
    (lambda: question("", reads=Reads.CONTENT), "only these, have `says`"),
])
def test_traits_that_contradict_each_other_are_refused(make: Callable[[], Row], why: str) -> None:
    with pytest.raises(TypeError, match=why):
        make()


def test_the_meaning_of_an_operation_is_all_but_its_origin() -> None:
    """The analysis of attacks merges nodes only if their operations have the same meaning."""
    op, end = Op("less?", numbers=(Number("number", 1), Number("number", 2))), Op("end")
    others = {"name": "equal?", "a": 1, "b": 1, "where": 1, "types": (1,), "want": False, "target": 2, "numbers": ()}
    assert {*others, "origin"} == {field.name for field in fields(Op)}
    assert replace(op, origin=Origin(Span(Source("x", ""), 0, 0))).meaning == op.meaning
    for name, value in others.items():
        other, nodes = replace(op, **{name: value}), _Nodes()
        assert other.meaning != op.meaning and nodes.entry((op, end, end)) != nodes.entry((other, end, end)), name
