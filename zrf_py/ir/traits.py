"""Traits of an operation of move code: the types of a row of `ir/ops.py`."""

from dataclasses import dataclass
from enum import Enum, Flag, auto


class Kind(Enum):
    """Control flow after an operation, and whether it has an effect on the move."""

    ACTION = auto()
    """Continues with the next operation; may end the block for lack of a square."""
    EFFECT = auto()
    """Continues with the next operation; collects an effect of the next move that `add` writes."""
    TEST = auto()
    """Continues with the next operation or jumps by `target`."""
    JUMP = auto()
    """Jumps by `target`."""
    END = auto()
    """Ends the block."""


class Reads(Flag):
    """Data that decide how a block goes on after an operation, for example after a test."""

    NOTHING = 0
    FIXED = auto()
    """The fixed board: links, zones, names."""
    CONTENT = auto()
    """Owner and type of the piece on one square."""
    ATTRIBUTES = auto()
    """Attributes of the piece on one square."""
    LAST = auto()
    """Start and end of the previous move or leg."""
    PLACES = auto()
    """`from`, `to` and `mark`, and whether a square is marked."""
    FLAGS = auto()
    POSITION_FLAGS = auto()
    ANYTHING = auto()
    """More of the position than one square."""
    ATTACKS = auto()
    """Captures that other blocks could make, found by look-ahead."""


class Writes(Flag):
    """State of the block that an operation changes at once; the position never changes during generation."""

    NOTHING = 0
    CURSOR = auto()
    FROM = auto()
    TO = auto()
    MARK = auto()
    FLAGS = auto()
    POSITION_FLAGS = auto()
    MOVEMENT = auto()
    """A movement of the next move, besides the one that `add` itself writes."""
    MANNER = auto()
    """A property of the next move as a whole."""
    MOVE = auto()
    """A move. Afterwards the collected parts are cleared, `from` is the block's start, and `to` is unset."""
    PASS = auto()
    """A move without a movement of its own; clears as MOVE does."""


class Changes(Flag):
    """Parts of the position changed by an effect."""

    NOTHING = 0
    CONTENT = auto()
    """Owner or type of a piece on some square."""
    ATTRIBUTES = auto()
    COUNTERS = auto()
    TURN = auto()


class Answer(Enum):
    NO = "no"
    YES = "yes"
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True)
class Says:
    """Answers of a test on an empty square, on a piece of the side, and on a piece of another player."""

    empty: Answer
    friend: Answer
    other: Answer

    @property
    def tells_who(self) -> bool:
        """True if exactly one of the three answers is yes and the others are no."""
        answers = (self.empty, self.friend, self.other)
        return answers.count(Answer.YES) == 1 and answers.count(Answer.NO) == 2


class Operand(Enum):
    """Meaning of the numbers `a` and `b` of an operation."""

    NONE = auto()
    MOTION = auto()
    POSITION = auto()
    PLACE = auto()
    """Index in `GO` of `ir/ops.py`: `from`, `to`, `mark`, `last-from` or `last-to`."""
    PIECE = auto()
    """Number of a type; -1: the type whose block runs."""
    PLAYER = auto()
    """Number of a player; -1: the side to move."""
    SIDE = auto()
    """Always the side to move."""
    ATTRIBUTE = auto()
    COUNTER = auto()
    ZONE = auto()
    MOVE_TYPE = auto()
    FLAG = auto()
    POSITION_FLAG = auto()
    TRUTH = auto()
    MANNER = auto()
    """Bits of `add`: bit 0 copy, bit 1 partial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Meaning and traits of an operation; `action`, `effect` and `test` make rows with the traits of their kind.

    :raises TypeError: if the traits contradict each other.
    """

    text: str
    kind: Kind
    reads: Reads
    writes: Writes
    changes: Changes
    removes: bool
    """True if the piece on `where` is gone afterwards."""
    puts: bool
    """True if it puts a new piece on `where`."""
    where: bool
    """True if the operation concerns the square `Op.where`."""
    says: Says | None
    a: Operand
    b: Operand

    def __post_init__(self) -> None:
        if not isinstance(self.reads, Reads) or not isinstance(self.writes, Writes):
            raise TypeError(f"the operation has no traits: {self.text}")
        about_piece = bool(self.reads & (Reads.CONTENT | Reads.ATTRIBUTES)) and self.kind is Kind.TEST
        for wrong, why in (
            (self.kind is Kind.TEST and not self.reads, "a test must read something"),
            (about_piece != (self.says is not None), "tests of one piece, and only these, have `says`"),
            ((self.kind is Kind.EFFECT) != bool(self.changes), "effects, and only effects, have `changes`"),
            ((self.removes or self.puts) and not self.changes & Changes.CONTENT, "pieces come or go: content changes"),
            ((self.removes or self.puts or about_piece) and not self.where, "the operation needs a square"),
        ):
            if wrong:
                raise TypeError(f"{why}: {self.text}")

    @property
    def is_test(self) -> bool:
        return self.kind is Kind.TEST

    @property
    def collects(self) -> bool:
        """True if it collects something for the next move that `add` writes."""
        return self.kind is Kind.EFFECT or bool(self.writes & (Writes.MOVEMENT | Writes.MANNER))

    @property
    def moves_cursor(self) -> bool:
        """True if it changes the cursor, `from`, `to` or `mark`."""
        return bool(self.writes & (Writes.CURSOR | Writes.FROM | Writes.TO | Writes.MARK))


def action(
    text: str, *, reads: Reads, writes: Writes, kind: Kind = Kind.ACTION, where: bool = False,
    a: Operand = Operand.NONE, b: Operand = Operand.NONE,
) -> Row:
    """Make the row of an operation with an immediate result."""
    return Row(text=text, kind=kind, reads=reads, writes=writes, changes=Changes.NOTHING, removes=False, puts=False,
               where=where, says=None, a=a, b=b)


def effect(
    text: str, *, changes: Changes, removes: bool, puts: bool, where: bool = True,
    a: Operand = Operand.NONE, b: Operand = Operand.NONE,
) -> Row:
    """Make the row of an effect of the next move."""
    return Row(text="effect: " + text, kind=Kind.EFFECT, reads=Reads.NOTHING, writes=Writes.NOTHING, changes=changes,
               removes=removes, puts=puts, where=where, says=None, a=a, b=b)


def test(
    text: str, *, reads: Reads, says: Says | None = None, where: bool = True, a: Operand = Operand.NONE,
) -> Row:
    """Make the row of a test."""
    return Row(text="test: " + text, kind=Kind.TEST, reads=reads, writes=Writes.NOTHING, changes=Changes.NOTHING,
               removes=False, puts=False, where=where, says=says, a=a, b=Operand.NONE)
