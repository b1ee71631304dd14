"""What there is to know about an operation of move code besides its name: the types of a row of `ir/ops.py`."""

from dataclasses import dataclass
from enum import Enum, Flag, auto


class Kind(Enum):
    """How the block goes on after an operation, and whether it leaves something to the move."""

    ACTION = auto()
    """With the next operation, unless it loses its square."""
    EFFECT = auto()
    """With the next operation; what it does is noted, and happens with the move that `add` writes."""
    TEST = auto()
    """With the next operation, or by `target`."""
    JUMP = auto()
    """By `target`."""
    END = auto()
    """Not at all."""


class Reads(Flag):
    """What decides how the block goes on: the answer of a test, the square of a `go`."""

    NOTHING = 0
    FIXED = auto()
    """The board as it was drawn: links, zones, names."""
    CONTENT = auto()
    """Who stands on one square, and of which type."""
    ATTRIBUTES = auto()
    """The attributes of the piece on one square."""
    LAST = auto()
    """Where the previous move or leg began and ended."""
    PLACES = auto()
    """From, to and mark, and whether anything is marked."""
    FLAGS = auto()
    POSITION_FLAGS = auto()
    ANYTHING = auto()
    """More of the position than one square."""
    ATTACKS = auto()
    """What other blocks could do: it needs a look ahead."""


class Writes(Flag):
    """What an operation changes at once, the position apart, which no block changes."""

    NOTHING = 0
    CURSOR = auto()
    FROM = auto()
    TO = auto()
    MARK = auto()
    FLAGS = auto()
    POSITION_FLAGS = auto()
    MOVEMENT = auto()
    """A movement for the next move, besides the one that `add` writes by itself."""
    MANNER = auto()
    """Something about the next move as a whole."""
    MOVE = auto()
    """A move. Then all that was collected is forgotten, from is the start again and to is unset."""
    PASS = auto()
    """A move without a movement of its own; forgets as MOVE does."""


class Changes(Flag):
    """What of the position is another after an effect."""

    NOTHING = 0
    CONTENT = auto()
    """Who stands somewhere, or of which type."""
    ATTRIBUTES = auto()
    COUNTERS = auto()
    TURN = auto()


class Answer(Enum):
    NO = "no"
    YES = "yes"
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True)
class Says:
    """What a test answers where nobody stands, a piece of the side, and one of another player."""

    empty: Answer
    friend: Answer
    other: Answer

    @property
    def tells_who(self) -> bool:
        """Whether it says yes in exactly one of the three cases, always."""
        answers = (self.empty, self.friend, self.other)
        return answers.count(Answer.YES) == 1 and answers.count(Answer.NO) == 2


class Operand(Enum):
    """What the numbers `a` and `b` of an operation stand for."""

    NONE = auto()
    MOTION = auto()
    POSITION = auto()
    PLACE = auto()
    """From, to, mark, last-from, last-to."""
    PIECE = auto()
    PLAYER = auto()
    ATTRIBUTE = auto()
    COUNTER = auto()
    ZONE = auto()
    MOVE_TYPE = auto()
    FLAG = auto()
    POSITION_FLAG = auto()
    TRUTH = auto()
    MANNER = auto()
    """How `add` writes: bit 0 copy, bit 1 partial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What an operation is. Rows are made by `action`, `effect` and `test`, which ask for what their kind has to say.

    :raises TypeError: if the traits contradict each other.
    """

    text: str
    kind: Kind
    reads: Reads
    writes: Writes
    changes: Changes
    removes: bool
    """Whether what stands on `where` is gone afterwards."""
    puts: bool
    """Whether a piece stands on `where` afterwards."""
    where: bool
    """Whether it is about a square."""
    says: Says | None
    a: Operand
    b: Operand

    def __post_init__(self) -> None:
        if not isinstance(self.reads, Reads) or not isinstance(self.writes, Writes):
            raise TypeError(f"an operation without traits: {self.text}")
        about_piece = bool(self.reads & (Reads.CONTENT | Reads.ATTRIBUTES)) and self.kind is Kind.TEST
        for wrong, why in (
            (self.kind is Kind.TEST and not self.reads, "a test reads something"),
            (about_piece != (self.says is not None), "a test of one piece, and no other, says what it answers"),
            ((self.kind is Kind.EFFECT) != bool(self.changes), "an effect, and nothing else, changes the position"),
            ((self.removes or self.puts) and not self.changes & Changes.CONTENT, "pieces are content"),
            ((self.removes or self.puts or about_piece) and not self.where, "it needs a square"),
        ):
            if wrong:
                raise TypeError(f"{why}: {self.text}")

    @property
    def is_test(self) -> bool:
        return self.kind is Kind.TEST

    @property
    def collects(self) -> bool:
        """Whether something is kept for the move that `add` writes next."""
        return self.kind is Kind.EFFECT or bool(self.writes & (Writes.MOVEMENT | Writes.MANNER))

    @property
    def moves_cursor(self) -> bool:
        """Whether cursor, from, to or mark become another square."""
        return bool(self.writes & (Writes.CURSOR | Writes.FROM | Writes.TO | Writes.MARK))


def action(
    text: str, *, reads: Reads, writes: Writes, kind: Kind = Kind.ACTION, where: bool = False,
    a: Operand = Operand.NONE, b: Operand = Operand.NONE,
) -> Row:
    """A row of what happens at once."""
    return Row(text=text, kind=kind, reads=reads, writes=writes, changes=Changes.NOTHING, removes=False, puts=False,
               where=where, says=None, a=a, b=b)


def effect(
    text: str, *, changes: Changes, removes: bool, puts: bool, where: bool = True,
    a: Operand = Operand.NONE, b: Operand = Operand.NONE,
) -> Row:
    """A row of what happens with the next move."""
    return Row(text="effect: " + text, kind=Kind.EFFECT, reads=Reads.NOTHING, writes=Writes.NOTHING, changes=changes,
               removes=removes, puts=puts, where=where, says=None, a=a, b=b)


def test(
    text: str, *, reads: Reads, says: Says | None = None, where: bool = True, a: Operand = Operand.NONE,
) -> Row:
    """A row of a question."""
    return Row(text="test: " + text, kind=Kind.TEST, reads=reads, writes=Writes.NOTHING, changes=Changes.NOTHING,
               removes=False, puts=False, where=where, says=says, a=a, b=Operand.NONE)
