"""What is told about a question: steps of blocks, what they wrote, what became of it. Types only."""

from dataclasses import dataclass, field

from zrf_py.ir.ops import Op, Routine
from zrf_py.run.position import Effect, Move, Movement


@dataclass(frozen=True, slots=True)
class Step:
    """One operation, done: what the block had in hand after it.

    `before` and `cursor` are the squares of the cursor before and after, `about` the square the operation is about;
    each of them, as `from_`, `to` and `marked`, is -1 off the board or where there is none. `answer` is that of a test.
    `movements` are those that cascades have stored.
    """

    at: int
    op: Op
    before: int
    cursor: int
    about: int
    answer: bool | None
    ends: bool
    from_: int
    to: int
    marked: int
    flags: int
    position_flags: tuple[tuple[int, frozenset[int]], ...]
    movements: tuple[Movement, ...]
    effects: tuple[Effect, ...]
    captures: tuple[int, ...]
    wrote: tuple[Move, ...]


@dataclass(slots=True)
class Run:
    """A block that ran from a square: its steps (`left_out` between the last and those before it), its moves."""

    routine: Routine
    start: int
    drop: bool
    steps: list[Step] = field(default_factory=list)
    left_out: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def last(self) -> Step:
        return self.steps[-1]

    def visits(self, square: int) -> bool:
        """Whether the cursor comes to a square, or a move that is written ends there."""
        return any(s.cursor == square for s in self.steps) or any(m.end == square for m in self.moves)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a move that a block wrote: `code` is "legal" or the name of the rule that forbids it."""

    code: str
    words: str
    witness: str = ""
    """A move that shows it: the one that comes first, is longer, or takes the royal man."""

    @property
    def legal(self) -> bool:
        return self.code == "legal"


@dataclass(frozen=True, slots=True)
class Written:
    """A move that a block wrote; `asked` if it is what the question is about."""

    move: Move
    text: str
    asked: bool
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Told:
    """A block that could make the move: what it wrote and where it stopped, or in `skipped` why it was not tried.

    `name` is its number among those of its piece: `moves 3`, `drops 1`.
    """

    name: str
    routine: Routine
    man: str
    run: Run | None = None
    written: tuple[Written, ...] = ()
    stop: str = ""
    skipped: str = ""
    near: bool = True
    """Whether it comes to the square that is asked about."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`legal`: whether any legal move is what the question is about; `remarks` say what holds whatever blocks do."""

    question: str
    legal: bool
    verdict: str
    remarks: tuple[str, ...]
    blocks: tuple[Told, ...]
