"""Where a block has got to while its ways are followed: its cursor, what it has asked, what it has collected."""

from __future__ import annotations

from zrf_py.ir.ops import GO_FROM, GO_TO, OPS, Op
from zrf_py.ir.traits import Answer
from zrf_py.run.position import Effect, Movement

END = -1
"""In the place of the next operation: the block has ended."""
EMPTY, FRIEND, OTHER = 1, 2, 4
ANYBODY = EMPTY | FRIEND | OTHER


class State:
    """Where a block has got to. Numbers and tuples only, so that states can be told apart."""

    __slots__ = ("at", "captures", "cascades", "effects", "from_", "here", "kind", "known_flags", "mark", "marked",
                 "must", "no_kinds", "set_flags", "squares", "to", "who")

    def __init__(self, start: int) -> None:
        self.at = 0
        self.here = self.from_ = self.mark = start
        self.to = self.marked = -1
        self.who = ANYBODY
        """Who may stand under the cursor."""
        self.kind = -1
        """The type that stands there, -1 while it isn't known."""
        self.no_kinds = 0
        """A bit for each type that does not."""
        self.known_flags = self.set_flags = 0
        self.squares = 0
        """A bit for each flag of a position that is set."""
        self.cascades: tuple[Movement, ...] = ()
        self.effects: tuple[Effect, ...] = ()
        self.captures: tuple[int, ...] = ()
        self.must = False

    def key(self) -> tuple[object, ...]:
        return (self.at, self.here, self.from_, self.to, self.mark, self.marked, self.who, self.kind, self.no_kinds,
                self.known_flags, self.set_flags, self.squares, self.cascades, self.effects, self.captures, self.must)

    def copy(self) -> State:
        other = State.__new__(State)
        (other.at, other.here, other.from_, other.to, other.mark, other.marked, other.who, other.kind, other.no_kinds,
         other.known_flags, other.set_flags, other.squares, other.cascades, other.effects, other.captures,
         other.must) = (
            self.at, self.here, self.from_, self.to, self.mark, self.marked, self.who, self.kind, self.no_kinds,
            self.known_flags, self.set_flags, self.squares, self.cascades, self.effects, self.captures, self.must)
        return other

    def forget(self) -> None:
        """The cursor is on another square."""
        self.who, self.kind, self.no_kinds = ANYBODY, -1, 0


def put_cursor(state: State, square: int) -> None:
    if square != state.here:
        state.here = square
        state.forget()
    if square < 0:
        state.at = END


def go(state: State, place: int) -> None:
    if place == GO_FROM:
        put_cursor(state, state.from_)
    elif place == GO_TO:
        put_cursor(state, state.to if state.to >= 0 else state.here)
    else:
        put_cursor(state, state.mark)


def mark(state: State, square: int) -> None:
    state.mark = state.marked = square
    if square < 0:
        state.at = END


def set_flag(state: State, op: Op) -> None:
    state.known_flags |= 1 << op.a
    state.set_flags = state.set_flags & ~(1 << op.a) | op.b << op.a


def capture(state: State, square: int) -> None:
    if square >= 0:
        state.captures = tuple(sorted((*state.captures, square)))


def who_may(op: Op, answer: bool) -> int:
    """Who may stand on a square where a test gives an answer."""
    says = OPS[op.name].says
    assert says is not None
    no = Answer.NO if answer else Answer.YES
    return ((says.empty is not no) * EMPTY | (says.friend is not no) * FRIEND | (says.other is not no) * OTHER)
