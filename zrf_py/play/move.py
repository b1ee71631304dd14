"""Public class of a legal move or leg: its notation and effects, with names instead of numbers."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

from zrf_py.ir.ops import Program
from zrf_py.play.notation import Part, move_text, parts
from zrf_py.run import position as run
from zrf_py.run.diff import MoveDiff, move_diff
from zrf_py.run.position import DROP

Position = Any
"""The class of `play/game.py`, which imports this module."""


class Move:
    """A legal move (or leg) of a position; `str()` returns its notation. Moves compare by value.

    >>> from zrf_py.play.game import load
    >>> move = load("chess").start().find("e2 e4")
    >>> move.start, move.end, move.piece, move.captures
    ('e2', 'e4', 'Pawn', ())
    """

    __slots__ = ("_diff", "_text", "before", "program", "raw")

    raw: run.Move
    program: Program
    before: run.Position

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
        """Changes of the board, in square, player and type numbers; computed on first use."""
        try:
            return self._diff
        except AttributeError:
            self._diff: MoveDiff = move_diff(self.program, self.before, self.raw)
            return self._diff

    def __str__(self) -> str:
        return self.text

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

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
        """True if the first movement is a drop."""
        return bool(self.raw.movements) and self.raw.movements[0][0] == DROP

    @property
    def player(self) -> str:
        """Name of the player whose pieces move."""
        return self.program.game.players[self.raw.side].name

    @property
    def start(self) -> str | None:
        """Start of the first movement, or else of the block; None for drops, passes, and moves without destination."""
        return self._square(self.diff.start)

    @property
    def end(self) -> str | None:
        """End of the first movement, or else of the block, or else the first square to change; None without one."""
        return self._square(self.diff.end)

    @property
    def piece(self) -> str | None:
        """Type of the piece on `start` before the move, or the type that is dropped; None if there is neither."""
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


class Listed(Move):
    """A legal move known by its number in the list of its position; everything else is computed on demand."""

    __slots__ = ("number", "position")

    def __init__(self, position: Position, number: int) -> None:
        self.position = position
        self.number = number

    def __getattr__(self, name: str) -> Any:
        """Compute the attributes of a plain `Move` on first use."""
        if name not in ("raw", "program", "before"):
            raise AttributeError(name)
        self.program, self.before = self.position.game.program, self.position.state
        self.raw = self.position.legal[self.number]
        return getattr(self, name)

    @property
    def text(self) -> str:
        """Notation of saved games; those of all moves of the position are computed together."""
        texts: list[str] = self.position.texts
        return texts[self.number]

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.raw, self.program, self.before)


class Moves(Sequence[Move]):
    """The legal moves of a position, in generation order: an immutable sequence that creates moves on demand.

    It is equal to a list or tuple of the same moves, and stays valid whatever is played afterwards.
    """

    __slots__ = ("_count", "_position")

    def __init__(self, position: Position, count: int) -> None:
        self._position = position
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, int) and 0 <= index < self._count:
            return Listed(self._position, index)
        numbers = range(self._count)[index]
        return [self[number] for number in numbers] if isinstance(numbers, range) else self[numbers]

    def __iter__(self) -> Iterator[Move]:
        return iter([Listed(self._position, number) for number in range(self._count)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Moves, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sequence[Move]) -> list[Move]:
        return [*self, *other]

    def __radd__(self, other: Sequence[Move]) -> list[Move]:
        return [*other, *self]

    def __repr__(self) -> str:
        return repr(list(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return Moves, (self._position, self._count)
