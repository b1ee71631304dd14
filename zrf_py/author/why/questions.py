"""Parse questions: about a move, about a piece type and a square, or about a square."""

from dataclasses import dataclass

from zrf_py.play.game import Position
from zrf_py.play.move_parser import TypedMove
from zrf_py.run.position import NOBODY, Move
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import did_you_mean

ANY = -1


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the moves from `start` to `end` by pieces of type `kind`; each is ANY if not given.

    `store`: drops only; `passing`: a pass; `exact`: these moves and no others; `castling`: a castling move, as it is
    written (`O-O`).
    """

    text: str
    start: int = ANY
    end: int = ANY
    kind: int = ANY
    store: bool = False
    passing: bool = False
    exact: frozenset[Move] | None = None
    castling: str = ""

    def means(self, move: Move) -> bool:
        """Return whether a written move fits the question; the type of its piece is not compared."""
        if self.exact is not None:
            return move in self.exact
        if self.castling:
            return False  # compared by `Explainer`, which has the board
        if self.passing or move.is_pass:
            return self.passing and move.is_pass
        start, end = move.key
        return (self.start == ANY or start == self.start) and (self.end == ANY or end == self.end)


def read_question(position: Position, text: str) -> Question:
    """Parse a question: a move as it is typed (legal or not), `PIECE@SQUARE` or `SQUARE`.

    :raises ZrfError: if it is none of these.
    """
    return _Reader(position).read(" ".join(text.split()))


class _Reader:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.state = position.state
        self.game = position.game.program.game
        self.reader = position.game.reader

    def read(self, text: str) -> Question:
        return self._square(text) or self._man(text) or self._legal(text) or self._typed_move(text) or self._fail(text)

    def _side(self) -> int:
        return self.game.turns[self.state.turn].side if self.game.turns else NOBODY

    def _square(self, text: str) -> Question | None:
        """Read a square: the question is about the side's piece on it, or else about any piece that could go there."""
        square = self.reader.squares.get(text, ANY)
        if square == ANY:
            return None
        if self.state.owner[square] == self._side():
            return self._of_man(square)
        return Question(f"any piece to {text}", end=square)

    def _of_man(self, square: int) -> Question:
        kind = self.state.piece[square]
        return Question(f"{self.game.pieces[kind].name} on {self.game.board.places[square].name}", square, kind=kind)

    def _man(self, text: str) -> Question | None:
        entry = self.reader.read(text)
        if "@" not in text or entry is None or not entry.kinds or entry.others:
            return None
        kind = self._kind(entry)
        if self.state.owner[entry.end] == self._side() and self.state.piece[entry.end] == kind:
            return self._of_man(entry.end)
        return self._reaching(kind, entry.end)

    def _kind(self, entry: TypedMove) -> int:
        """Choose among piece types with the same letter, preferring one that the side has on the board."""
        own = {k for owner, k in zip(self.state.owner, self.state.piece, strict=True) if owner == self._side()}
        return min(entry.kinds, key=lambda kind: (kind not in own, kind))

    def _reaching(self, kind: int, square: int) -> Question:
        """Return the question of whether a piece of one type can reach a square."""
        text = f"{self.game.pieces[kind].name} to {self.game.board.places[square].name}"
        return Question(text, end=square, kind=kind)

    def _legal(self, text: str) -> Question | None:
        try:
            move = self.position.find(text)
        except ZrfError:
            return None
        same = frozenset(m.raw for m in self.position.moves() if m.text == move.text)
        return Question(move.text, passing=move.raw.is_pass, exact=same)

    def _typed_move(self, text: str) -> Question | None:
        """Read a move that is illegal or ambiguous, or a pass."""
        entry = self.reader.read(text)
        if entry is None or entry.passing:
            return Question("Pass", passing=True) if entry else None
        if entry.castling:
            return Question(entry.castling, castling=entry.castling)
        places = self.game.board.places
        if entry.start != ANY:
            on = self.state.owner[entry.start] != NOBODY
            man = f"{self.game.pieces[self.state.piece[entry.start]].name} " if on else ""
            return Question(f"{man}{places[entry.start].name} - {places[entry.end].name}", entry.start, entry.end)
        if entry.end == ANY:
            return None
        if not entry.kinds:
            return Question(f"any piece to {places[entry.end].name}", end=entry.end)
        if not entry.drop:
            return self._reaching(self._kind(entry), entry.end)
        kind = self._kind(entry)
        return Question(f"{self.game.pieces[kind].name} from the store to {places[entry.end].name}", end=entry.end,
                        kind=kind, store=True)

    def _fail(self, text: str) -> Question:
        readable = [m.text for m in self.position.moves()] + [*self.reader.squares]
        raise ZrfError(f"`{text}` is not a move, piece or square of this game", "bad-question", help=did_you_mean(
            text, readable, "write a move (FROM TO), a piece (PIECE@SQUARE) or a square"))
