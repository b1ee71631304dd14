"""A legal move or leg, by name and not by number: its notation, and what it does."""

from zrf_py.ir.ops import Program
from zrf_py.play.notation import Part, move_text, parts
from zrf_py.run import position as run
from zrf_py.run.position import COPY, DROP, KEEP, MOVE, NOBODY


class Move:
    """A legal move (or leg) of a position; `str` is its notation, equal moves are equal.

    >>> from zrf_py.play.game import load
    >>> move = load("chess").start().find("e2 e4")
    >>> move.start, move.end, move.piece, move.captures
    ('e2', 'e4', 'Pawn', ())
    """

    __slots__ = ("_text", "before", "program", "raw")

    def __init__(self, raw: run.Move, program: Program, before: run.Position) -> None:
        """`before`: the position it is a move of."""
        self.raw = raw
        self.program = program
        self.before = before

    @property
    def text(self) -> str:
        """The notation of saved games, written when it is first asked for: of most moves it never is."""
        try:
            return self._text
        except AttributeError:
            self._text: str = move_text(self.program, self.before, self.raw)
            return self._text

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
        """Whether the same piece may go on in the same turn."""
        return self.raw.partial != run.NOT_PARTIAL

    @property
    def is_pass(self) -> bool:
        """Whether nothing moves."""
        return self.raw.is_pass

    @property
    def is_drop(self) -> bool:
        """Whether the first man comes from off the board."""
        return bool(self.raw.movements) and self.raw.movements[0][0] == DROP

    @property
    def player(self) -> str:
        """The player whose men move."""
        return self.program.game.players[self.raw.side].name

    @property
    def start(self) -> str | None:
        """The square that the first man comes from; None for a drop or a pass."""
        return None if self.is_pass else self._name(self.raw.key[0])

    @property
    def end(self) -> str | None:
        """The square where the first man arrives; None for a pass."""
        return None if self.is_pass else self._name(self.raw.key[1])

    @property
    def piece(self) -> str | None:
        """The type of the first man before it moves; None for a pass, or where nothing stands."""
        if self.is_drop:
            return self.program.game.pieces[self.raw.movements[0][3]].name
        start = -1 if self.is_pass else self.raw.key[0]
        return self.program.game.pieces[self.before.piece[start]].name if (
            start >= 0 and self.before.owner[start] != NOBODY) else None

    @property
    def becomes(self) -> str | None:
        """The type the first man has when it has arrived, where that is another one."""
        found = None
        if self.raw.movements and not self.is_drop and self.raw.movements[0][3] != KEEP:
            found = self.program.game.pieces[self.raw.movements[0][3]].name
        for name, square, a, _ in self.raw.effects:
            if name == "change-type" and square == self.raw.key[1]:
                found = self.program.game.pieces[a].name
        return found if found != self.piece else None

    @property
    def captures(self) -> tuple[str, ...]:
        """The squares of men that leave the board, in the order they are taken; landing on a man takes it."""
        owner, taken = list(self.before.owner), list[int]()

        def put(square: int, player: int) -> None:
            if owner[square] != NOBODY:
                taken.append(square)
            owner[square] = player

        lifted = [(end, self.raw.side if how == DROP else owner[start]) for how, start, end, _ in self.raw.movements]
        for how, start, _, _ in self.raw.movements:
            if how == MOVE:
                owner[start] = NOBODY
        for end, player in lifted:
            if player != NOBODY:
                put(end, player)
        for name, square, _, player in self.raw.effects:
            if name == "create":
                put(square, player)
        for square in self.raw.captures:
            put(square, NOBODY)
        return tuple(self.program.game.board.places[square].name for square in taken)

    @property
    def placed(self) -> tuple[str, ...]:
        """The squares on which men appear: drops, copies, creations."""
        names = self.program.game.board.places
        return (*(names[end].name for how, start, end, _ in self.raw.movements
                  if how == DROP or (how == COPY and self.before.owner[start] != NOBODY)),
                *(names[square].name for name, square, _, _ in self.raw.effects if name == "create"))

    @property
    def parts(self) -> tuple[Part, ...]:
        """Everything it does, in order, as `play/notation.py` describes it: castling has two movements."""
        return tuple(parts(self.program, self.before, self.raw))

    def _name(self, square: int) -> str | None:
        return self.program.game.board.places[square].name if square >= 0 else None
