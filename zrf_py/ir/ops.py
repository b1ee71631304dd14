"""The program, executed by every engine: its types, and the table of operations.

A block of a rules file becomes a list of operations. A test falls through if its answer is `want`, and otherwise jumps
by `target` operations (BLOCK_END: the block ends). `and`, `or`, `not`, `if`, `while` and `verify` become such jumps.

`where` encodes the square of an operation as one number:

    0        the cursor
    p + 1    position number p
    -(m + 1) the cursor's neighbour along motion m; off the board a test is false and an effect is skipped

A motion is `2 * direction`, or `2 * direction + 1` for the step against it. Motions are read through the symmetry of
the side that moves.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from zrf_py.front.goals import Aims
from zrf_py.front.model import Game, Number
from zrf_py.ir.traits import Answer, Changes, Kind, Operand, Reads, Row, Says, Writes, action, effect, test
from zrf_py.text.packing import packed
from zrf_py.text.source import Origin

HERE = 0
BLOCK_END = -1_000_000_000
"""Jump that ends the block: its sum with any index is negative."""
SELF = -1
"""Operand of an effect: as a piece, it stands for the type whose block runs; as a player, for the side to move."""

GO = "from", "to", "mark", "last-from", "last-to"
"""Squares that `go` leads to, by number."""
GO_FROM, GO_TO, GO_MARK, GO_LAST_FROM, GO_LAST_TO = range(5)

COPIES, PARTIAL = 1, 2
"""Bits of the operand `a` of `add`."""

NO, YES, MAYBE = Answer.NO, Answer.YES, Answer.MAYBE

OPS: Mapping[str, Row] = {
    "step": action("the cursor moves along motion a; off the board the block ends",
                   reads=Reads.FIXED, writes=Writes.CURSOR, a=Operand.MOTION),
    "jump": action("the cursor moves to position a", reads=Reads.NOTHING, writes=Writes.CURSOR, a=Operand.POSITION),
    "go": action("the cursor moves to the square a: from 0, to 1, mark 2, last-from 3, last-to 4; if it is unset, the "
                 "block ends",
                 reads=Reads.PLACES | Reads.LAST, writes=Writes.CURSOR, a=Operand.PLACE),
    "mark": action("`where` is marked; off the board the block ends",
                   reads=Reads.FIXED, writes=Writes.MARK, where=True),
    "from": action("from becomes the cursor", reads=Reads.NOTHING, writes=Writes.FROM),
    "to": action("to becomes the cursor", reads=Reads.NOTHING, writes=Writes.TO),
    "cascade": action("the movement built so far is stored; from becomes the cursor, to is unset; "
                      "if from is empty, the block ends",
                      reads=Reads.PLACES | Reads.CONTENT, writes=Writes.FROM | Writes.MOVEMENT),
    "add": action("a move is written, one for each of `types` (or one that keeps the type); a: bit 0 copy, bit 1 "
                  "partial; b: move type the next leg must have, -1 for any. Then effects are cleared, from is the "
                  "start, to is unset",
                  reads=Reads.NOTHING, writes=Writes.MOVE, a=Operand.MANNER, b=Operand.MOVE_TYPE),
    "add-pass": action("the collected parts are written as a move, without a movement of its own; without parts it is "
                       "a pass. Then effects, from and to are as after `add`", reads=Reads.NOTHING, writes=Writes.PASS),
    "must-continue": action("the leg that `add` writes next may not be the last of its turn",
                            reads=Reads.NOTHING, writes=Writes.MANNER),
    "set-flag": action("flag a becomes b, at once",
                       reads=Reads.NOTHING, writes=Writes.FLAGS, a=Operand.FLAG, b=Operand.TRUTH),
    "set-position-flag": action("flag a of `where` becomes b, at once; forgotten when the block ends",
                                reads=Reads.NOTHING, writes=Writes.POSITION_FLAGS, where=True,
                                a=Operand.POSITION_FLAG, b=Operand.TRUTH),
    "goto": action("jump by `target` operations", kind=Kind.JUMP, reads=Reads.NOTHING, writes=Writes.NOTHING),
    "end": action("the block ends", kind=Kind.END, reads=Reads.NOTHING, writes=Writes.NOTHING),
    "capture": effect("the piece on `where` is removed, after everything else",
                      changes=Changes.CONTENT, removes=True, puts=False),
    "create": effect("a piece of type a (-1: the type that moves) of player b (-1: the side) appears on `where`",
                     changes=Changes.CONTENT, removes=True, puts=True, a=Operand.PIECE, b=Operand.PLAYER),
    "flip": effect("the piece on `where` goes to the player before its owner",
                   changes=Changes.CONTENT, removes=False, puts=False),
    "change-owner": effect("the piece on `where` goes to the side that moves",
                           changes=Changes.CONTENT, removes=False, puts=False, a=Operand.SIDE),
    "change-type": effect("the piece on `where` becomes type a",
                          changes=Changes.CONTENT, removes=False, puts=False, a=Operand.PIECE),
    "set-attribute": effect("attribute a of the piece on `where` becomes b",
                            changes=Changes.ATTRIBUTES, removes=False, puts=False, a=Operand.ATTRIBUTE,
                            b=Operand.TRUTH),
    "set-counter": effect("counter a of player b (-1: the side) becomes the number", changes=Changes.COUNTERS,
                          removes=False, puts=False, where=False, a=Operand.COUNTER, b=Operand.PLAYER),
    "add-to-counter": effect("counter a of player b (-1: the side) grows by the number", changes=Changes.COUNTERS,
                             removes=False, puts=False, where=False, a=Operand.COUNTER, b=Operand.PLAYER),
    "next-turn": effect("the next turn is that number of turns after this one in the turn order",
                        changes=Changes.TURN, removes=False, puts=False, where=False),
    "empty?": test("`where` is empty", reads=Reads.CONTENT, says=Says(YES, NO, NO)),
    "friend?": test("a piece of the side is on `where`", reads=Reads.CONTENT, says=Says(NO, YES, NO)),
    "enemy?": test("a piece of any other player is on `where`", reads=Reads.CONTENT, says=Says(NO, NO, YES)),
    "neutral?": test("a piece of a player without turns is on `where`", reads=Reads.CONTENT, says=Says(NO, NO, MAYBE)),
    "piece?": test("a piece of type a is on `where`",
                   reads=Reads.CONTENT, says=Says(NO, MAYBE, MAYBE), a=Operand.PIECE),
    "in-zone?": test("`where` belongs to zone a of the side", reads=Reads.FIXED, a=Operand.ZONE),
    "position?": test("`where` is position a", reads=Reads.FIXED, a=Operand.POSITION),
    "on-board?": test("`where` exists", reads=Reads.FIXED),
    "marked?": test("`where` is the marked square", reads=Reads.PLACES),
    "last-from?": test("the previous move or leg started on `where`", reads=Reads.LAST),
    "last-to?": test("the previous move or leg ended on `where`", reads=Reads.LAST),
    "adjacent-to-enemy?": test("some link leads from `where` to an enemy", reads=Reads.ANYTHING),
    "attacked?": test("an enemy move (of move type a unless -1) could capture on `where`",
                      reads=Reads.ANYTHING | Reads.ATTACKS, a=Operand.MOVE_TYPE),
    "defended?": test("a move of the side (of move type a unless -1) could capture an enemy on `where`",
                      reads=Reads.ANYTHING | Reads.ATTACKS, a=Operand.MOVE_TYPE),
    "goal-position?": test("`where` occurs in an absolute configuration", reads=Reads.FIXED),
    "position-flag?": test("flag a of `where` is set", reads=Reads.POSITION_FLAGS, a=Operand.POSITION_FLAG),
    "flag?": test("flag a is set", reads=Reads.FLAGS, where=False, a=Operand.FLAG),
    "attribute?": test("the piece on `where` has attribute a",
                       reads=Reads.CONTENT | Reads.ATTRIBUTES, says=Says(NO, MAYBE, MAYBE), a=Operand.ATTRIBUTE),
    "equal?": test("the two `numbers` are equal", reads=Reads.ANYTHING, where=False),
    "less?": test("the first of `numbers` is smaller", reads=Reads.ANYTHING, where=False),
    "greater?": test("the first of `numbers` is larger", reads=Reads.ANYTHING, where=False),
}
"""Meaning and traits of each operation. Select operations by trait with `those`; only an engine's dispatch tables list
them by name. The kernel numbers operations in this order: actions, effects on squares, other effects, tests."""
EFFECTS = tuple(name for name, row in OPS.items() if row.kind is Kind.EFFECT and name != "capture")
"""Names of the effects of a move, by their numbers in native memory; captures are stored apart."""


def those(query: Callable[[Row], object]) -> frozenset[str]:
    """Return the names of the operations whose row satisfies `query`."""
    return frozenset(name for name, row in OPS.items() if query(row))


WRITING = those(lambda row: row.writes & (Writes.MOVE | Writes.PASS))
"""Operations that write a move."""
PASSING = those(lambda row: row.writes & Writes.PASS)
"""Operations that write a move without a movement of its own."""
RETYPING = those(lambda row: row.kind is Kind.EFFECT and row.a is Operand.PIECE and not row.puts)
"""Effects that change the type of a piece."""
MAKING = RETYPING | those(lambda row: row.puts and row.a is Operand.PIECE)
"""Effects after which a piece of another type may stand on the board."""
GAINING = those(lambda row: row.changes & Changes.CONTENT and (row.puts or not row.removes)) - RETYPING
"""Effects that may give a player another piece."""
COLLECTED = those(lambda row: row.kind is Kind.EFFECT)
"""All effects, captures included."""
CHANGING = those(lambda row: row.kind is Kind.EFFECT and row.where)
"""Effects on a square, captures included."""
REMOVING = those(lambda row: row.removes and not row.puts)
"""Effects that only remove a piece."""
CASCADING = those(lambda row: row.writes & Writes.MOVEMENT)
"""Operations that store a movement of the next move, which then has several."""
FIXED = those(lambda row: row.is_test and row.where and row.reads == Reads.FIXED)
"""Tests whose answers never change in a game: those of the fixed board."""
TELLING = those(lambda row: row.says and row.says.tells_who)
"""Tests of what is on a square: nothing, a piece of the side, or another piece."""
ATTACKING = those(lambda row: row.reads & Reads.ATTACKS)
"""Tests of possible captures."""
COMPARING = tuple(name for name, row in OPS.items() if row.is_test and row.reads is Reads.ANYTHING and not row.where)
"""Tests of two numbers, in the order of the table."""

assert those(lambda row: row.is_test) == {name for name in OPS if name.endswith("?")}, "the names of tests end in `?`"


Own = TypeVar("Own")


def _operand(meaning: Operand, number: int, kind: Own, side: Own) -> int | Own:
    if meaning is Operand.SIDE or (meaning is Operand.PLAYER and number == SELF):
        return side
    return kind if meaning is Operand.PIECE and number == SELF else number


@packed
@dataclass(frozen=True, slots=True)
class Op:
    """One operation; its row in `OPS` defines `a` and `b`. Tests have `want` and `target`, `goto` has `target`."""

    name: str
    a: int = 0
    b: int = 0
    where: int = HERE
    types: tuple[int, ...] = ()
    want: bool = True
    target: int = 0
    origin: Origin | None = None
    numbers: tuple[Number, ...] = ()

    @property
    def meaning(self) -> tuple[object, ...]:
        """All fields except `origin`."""
        return self.name, self.a, self.b, self.where, self.types, self.want, self.target, self.numbers

    def operands(self, kind: Own, side: Own) -> tuple[int | Own, int | Own]:
        """Return `a` and `b` of an effect; `kind` stands for the type whose block runs, `side` for the side to move."""
        row = OPS[self.name]
        return _operand(row.a, self.a, kind, side), _operand(row.b, self.b, kind, side)

    @property
    def is_copy(self) -> bool:
        """True for an `add` that moves a copy, so that the piece itself stays."""
        return self.name == "add" and self.a & COPIES > 0

    @property
    def is_partial(self) -> bool:
        """True for an `add` after which the same piece may make another leg."""
        return self.name == "add" and self.a & PARTIAL > 0


@packed
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Routine:
    """A compiled block of a piece type.

    `zone` and `position` restrict where a drop block runs (-1: everywhere). Blocks with the same text and meaning share
    `code`.
    """

    piece: int
    move_type: int
    code: tuple[Op, ...]
    zone: int = -1
    position: int = -1

    def __repr__(self) -> str:
        return f"<Routine of piece {self.piece}, {len(self.code)} operations>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A compiled game.

    `moves[piece]` and `drops[piece]` are the blocks of a type. `steps[player][motion][position]` is the next position
    (-1: off the board), symmetry applied.
    """

    game: Game
    moves: tuple[tuple[Routine, ...], ...]
    drops: tuple[tuple[Routine, ...], ...]
    steps: tuple[tuple[tuple[int, ...], ...], ...]
    zone_sets: tuple[tuple[frozenset[int], ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    """Distinct positions linked from each position, for `adjacent-to-enemy?`."""
    goal_positions: frozenset[int]
    move_types: tuple[str, ...]
    ordinals: tuple[int, ...]
    """Number of each move type in saved games, where it follows `partial`; 0 for types that the game never names."""
    flags: tuple[str, ...]
    position_flags: tuple[str, ...]
    _ops: tuple[Op, ...] = field(init=False, default=())
    _aims: Aims | None = field(init=False, default=None)

    @property
    def ops(self) -> tuple[Op, ...]:
        """Operations of all blocks, each once; collected on first access, because most variants are never played."""
        if not self._ops:
            operations: dict[int, Op] = {}
            for code in self.codes():
                operations.update(zip(map(id, code), code, strict=True))
            object.__setattr__(self, "_ops", tuple(operations.values()))
        return self._ops

    @property
    def aims(self) -> Aims:
        """The game's end conditions, collected on first access."""
        if self._aims is None:
            object.__setattr__(self, "_aims", Aims(self.game))
        assert self._aims is not None
        return self._aims

    def __repr__(self) -> str:
        """Return a short form: the full one repeats shared operations and could fill the memory."""
        return f"<Program {self.game.title}>"

    def codes(self) -> Iterator[tuple[Op, ...]]:
        """Yield the operations of each block; shared lists come once."""
        yield from {id(r.code): r.code for r in self.routines}.values()

    @property
    def routines(self) -> list[Routine]:
        """The blocks that make moves, then those that make drops, by piece type."""
        return [routine for routines in (*self.moves, *self.drops) for routine in routines]

    @property
    def has_legs(self) -> bool:
        """True if a turn may have several legs."""
        return any(op.is_partial for op in self.ops)

    def uses(self, *names: str) -> bool:
        """Return whether some block has an operation with one of these names."""
        return any(op.name in names for op in self.ops)
