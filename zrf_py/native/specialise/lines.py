"""Rows of equal pieces through the last move's square, by arithmetic on two words: the squares before and after it."""

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.jit.translate import WORD
from zrf_py.native.bitboards.endings import is_own
from zrf_py.native.bitboards.graph import Map

WINDOW = 64
"""Number of squares that are tested on each side of the last move's square."""


@dataclass(frozen=True)
class Line:
    """A pattern of equal own pieces in a row."""

    piece: int
    far: int
    """Length of the row less one."""
    by: int
    """Distance between the numbers of neighbouring squares, at least 1."""
    ahead: Map
    """[square]: the square `by` farther; -1 at the end of the row."""

    @property
    def behind(self) -> Map:
        return _inverse(self.ahead)

    @property
    def places(self) -> list[int]:
        """The row's other squares, as bit numbers in the word of the squares after its first one."""
        return [self.by * k - 1 for k in range(1, self.far + 1)]


def _inverse(ends: Map) -> Map:
    starts = {end: start for start, end in enumerate(ends) if end >= 0}
    return tuple(starts.get(square, -1) for square in range(len(ends)))


def lines_of(program: Program, patterns: Sequence[model.Goal], player: int) -> list[Line]:
    """Return patterns as lines; [] unless all are rows of own pieces of one type, fit the window and share no place."""
    lines = [_line(program, goal, player) for goal in patterns if isinstance(goal, model.Relative)]
    fitting = [line for line in lines if line]
    places = [place for line in fitting for place in line.places]
    if len(fitting) < len(patterns) or len({line.piece for line in fitting}) > 1 or len(set(places)) < len(places):
        return []
    return fitting


def _line(program: Program, goal: model.Relative, player: int) -> Line | None:
    steps = program.steps[player]
    same: Map = tuple(range(len(program.game.board.places)))
    ahead, position, occupants = set[Map](), same, list[model.Occupant]()
    for item in goal.items:
        if isinstance(item, int):
            position = tuple(steps[2 * item][square] if square >= 0 else -1 for square in position)
            continue
        if occupants or position != same:
            ahead.add(position)
        occupants.append(item)
        position = same
    first = occupants[0] if occupants else None
    if position != same or len(ahead) != 1 or len(set(occupants)) > 1 or first is None or not is_own(first):
        return None
    return _regular(first.piece, len(occupants) - 1, ahead.pop())


def _regular(piece: int, far: int, ahead: Map) -> Line | None:
    """Return the row if neighbours' numbers differ by a constant and it suits the window and `_gathered`, else None."""
    shifts = {end - square for square, end in enumerate(ahead) if end >= 0}
    by = abs(next(iter(shifts), 0))
    if len(shifts) != 1 or far < 1 or far * by > WINDOW or 1 < by < far or by == 0:
        return None
    if shifts == {-by}:
        ahead = _inverse(ahead)
    return Line(piece, far, by, ahead)


def edges(lines: Sequence[Line]) -> tuple[list[int], list[int]]:
    """Return, by square, masks for the words before and after it: the squares that a row through it can include."""
    squares = len(lines[0].ahead)
    before, after = [0] * squares, [0] * squares
    for line in lines:
        for words, next_of, first, sign in ((after, line.ahead, 0, 1), (before, line.behind, WINDOW - 1, -1)):
            squares_at: Map = tuple(range(squares))
            for place in line.places:
                squares_at = tuple(next_of[square] if square >= 0 else -1 for square in squares_at)
                for square in range(squares):
                    words[square] |= (squares_at[square] >= 0) << first + sign * place
    return before, after


def completes(b: ir.IRBuilder, line: Line, before: ir.Value, after: ir.Value) -> ir.Value:
    """Emit an i1: true if the pieces in the two words complete a row with the piece between them."""
    run_after = b.cttz(b.not_(_gathered(b, line, after, line.places)), ir.IntType(1)(0))  # consecutive pieces
    count = b.add(run_after, _run_before(b, line, before))
    return b.icmp_unsigned(">=", count, WORD(line.far))


def _run_before(b: ir.IRBuilder, line: Line, word: ir.Value) -> ir.Value:
    if line.by == 1:
        mask = (1 << line.far) - 1 << WINDOW - line.far
        return b.ctlz(b.not_(b.and_(word, WORD(mask))), ir.IntType(1)(0))
    return b.cttz(b.not_(_gathered(b, line, word, [WINDOW - 1 - place for place in line.places])), ir.IntType(1)(0))


def _gathered(b: ir.IRBuilder, line: Line, word: ir.Value, places: Sequence[int]) -> ir.Value:
    """Emit the bits at equally spaced places as the lowest bits of a word, by one multiplication that lifts each to its
    place among the highest bits; the products of other pairs fall below them or beyond the word."""
    chosen = b.and_(word, WORD(sum(1 << place for place in places)))
    if line.by == 1:
        return chosen
    factor = sum(1 << 64 - line.far + k - place for k, place in enumerate(places))
    return b.lshr(b.mul(chosen, WORD(factor)), WORD(64 - line.far))
