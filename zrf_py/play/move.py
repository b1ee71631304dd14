"""Public class of a legal move or leg: its notation and effects, with names instead of numbers."""

from zrf_py.ir.ops import Program
from zrf_py.play.notation import Part, move_text, parts
from zrf_py.run import position as run
from zrf_py.run.diff import MoveDiff, move_diff
from zrf_py.run.position import DROP


class Move:
    """A legal move (or leg) of a position; `str()` returns its notation. Moves compare by value.

    >>> from zrf_py.play.game import load
    >>> move = load("chess").start().find("e2 e4")
    >>> move.start, move.end, move.piece, move.captures
    ('e2', 'e4', 'Pawn', ())
    """

    __slots__ = ("_diff", "_text", "before", "program", "raw")

    def __init__(self, raw: run.Move, program: Program, before: run.Position) -> None:
        """:param before: the position in which the move is played."""
        self.raw = raw
        self.program = program
        self.before = before

    @property
    def text(self) -> str:
        """Notation of saved games, computed on first use: for most moves it is never needed."""
        try:
            return self._text
        except AttributeError:
            self._text: str = move_text(self.program, self.before, self.raw)
            return self._text

    @property
    def diff(self) -> MoveDiff:
        """Changes of the board, by number; computed on first use."""
        try:
            return self._diff
        except AttributeError:
            self._diff: MoveDiff = move_diff(self.program, self.before, self.raw)
            return self._diff

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({self.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.raw == other.raw and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.raw)

    @property
    def is_partial(self) -> bool:
        """True if the same piece may go on in the same turn."""
        return self.raw.partial != run.NOT_PARTIAL

    @property
    def is_pass(self) -> bool:
        """True for a pass."""
        return self.raw.is_pass

    @property
    def is_drop(self) -> bool:
        """True if the first piece comes from off the board."""
        return bool(self.raw.movements) and self.raw.movements[0][0] == DROP

    @property
    def player(self) -> str:
        """Name of the player whose pieces move."""
        return self.program.game.players[self.raw.side].name

    @property
    def start(self) -> str | None:
        """Square of the first piece before the move; None for a drop or a pass."""
        return self._square(self.diff.start)

    @property
    def end(self) -> str | None:
        """Square of the first piece after the move, or the first square that changes; None for a pass."""
        return self._square(self.diff.end)

    @property
    def piece(self) -> str | None:
        """Type of the first piece before the move; None for a pass, or if there is no piece."""
        return self._type(self.diff.piece)

    @property
    def becomes(self) -> str | None:
        """Type of the piece on `end` after the move if it differs from `piece`, else None."""
        return self._type(self.diff.becomes)

    @property
    def captures(self) -> tuple[str, ...]:
        """Squares of the captured pieces before the move, in order of capture."""
        names = self.program.game.board.places
        return tuple(names[square].name for square in self.diff.taken)

    @property
    def placed(self) -> tuple[str, ...]:
        """Squares on which new pieces appear: drops, copies, creations."""
        names = self.program.game.board.places
        return tuple(names[square].name for square, *_ in self.diff.placed)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All effects in order, as described in `play/notation.py`; castling has two movements."""
        return tuple(parts(self.program, self.before, self.raw))

    def _square(self, number: int) -> str | None:
        return self.program.game.board.places[number].name if number >= 0 else None

    def _type(self, number: int) -> str | None:
        return self.program.game.pieces[number].name if number >= 0 else None
