"""Data types of an answer: the steps of blocks, the moves they wrote, the verdicts."""

from dataclasses import dataclass, field

from zrf_py.ir.ops import Op, Routine
from zrf_py.run.position import Effect, Move, Movement


@dataclass(frozen=True, slots=True)
class Step:
    """One executed operation, with the state of the block after it.

    `before` and `cursor` are the cursor's squares before and after, `about` is the square that the operation tests or
    changes; these, `from_`, `to` and `marked` are -1 if off the board or unset. `answer` is a test's answer
    (None: no test). `movements` are those that `cascade` has stored.
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
    """A run of a block from a square; `left_out` steps are missing before the last one."""

    routine: Routine
    start: int
    drop: bool
    steps: list[Step] = field(default_factory=list)
    left_out: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def last(self) -> Step:
        return self.steps[-1]

    @property
    def reach(self) -> int:
        """The furthest operation that the run executes."""
        return max(step.at for step in self.steps)

    def visits(self, square: int) -> bool:
        """Return whether the cursor reaches a square or a written move ends there."""
        return any(s.cursor == square for s in self.steps) or any(m.end == square for m in self.moves)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a written move: `code` is "legal" or the name of the rule that forbids it."""

    code: str
    words: str
    witness: str = ""
    """A move that proves it: one that has priority, captures more, or takes the royal piece."""

    @property
    def legal(self) -> bool:
        return self.code == "legal"


@dataclass(frozen=True, slots=True)
class Written:
    """A move that a block wrote; `asked`: it matches the question."""

    move: Move
    text: str
    asked: bool
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class BlockReport:
    """A block that could make the move: its moves and where it stopped, or, in `skipped`, why it was not tried.

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
    """True if the block reaches the square in question, or the question names none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: `legal` if any legal move fits the question; `remarks` are reasons that do not depend on blocks."""

    question: str
    legal: bool
    verdict: str
    remarks: tuple[str, ...]
    blocks: tuple[BlockReport, ...]
