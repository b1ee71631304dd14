"""Text of a question → what it is about: a move, a man and a square, or a square."""

import re
from dataclasses import dataclass

from zrf_py.play.game import Position
from zrf_py.play.letters import move_letters
from zrf_py.run.position import NOBODY, Move
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import suggest

ANY = -1


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: moves from `start` to `end` by men of `kind`, each ANY unless it is said.

    `store`: only men that come from the store; `passing`: to pass; `exact`: these moves and no others.
    """

    text: str
    start: int = ANY
    end: int = ANY
    kind: int = ANY
    store: bool = False
    passing: bool = False
    exact: frozenset[Move] | None = None

    def means(self, move: Move) -> bool:
        """Whether a move that is written is what the question is about, its man apart."""
        if self.exact is not None:
            return move in self.exact
        if self.passing or move.is_pass:
            return self.passing and move.is_pass
        start, end = move.key
        return (self.start == ANY or start == self.start) and (self.end == ANY or end == self.end)


def read_question(position: Position, text: str) -> Question:
    """What a text asks in a position: a move as it is typed, legal or not, `PIECE@SQUARE` or `SQUARE`.

    :raises ZrfError: if it is none of these.
    """
    return _Reader(position).read(" ".join(text.split()))


class _Reader:
    def __init__(self, position: Position) -> None:
        self.position = position
        self.state = position.state
        self.game = position.game.program.game
        self.squares = {place.name: i for i, place in enumerate(self.game.board.places)}
        self.kinds: dict[str, int] = {}
        own = {k for owner, k in zip(self.state.owner, self.state.piece, strict=True) if owner == self._side()}
        for kind, letter in sorted(move_letters(self.game).items(), key=lambda item: item[0] not in own):
            self.kinds.setdefault(letter.casefold(), kind)
        for kind, piece in enumerate(self.game.pieces):
            self.kinds[piece.name.casefold()] = kind
        self.kinds.pop("", None)

    def read(self, text: str) -> Question:
        if text.casefold() == "pass":
            return Question("Pass", passing=True)
        found = self._square(text) or self._man(text) or self._legal(text) or self._move(text) or self._short(text)
        return found or self._fail(text)

    def _side(self) -> int:
        return self.game.turns[self.state.turn].side if self.game.turns else NOBODY

    def _square(self, text: str) -> Question | None:
        """A square: the man on it, if he is the side's, else whoever could come there."""
        square = self.squares.get(text, ANY)
        if square == ANY:
            return None
        if self.state.owner[square] == self._side():
            return self._of_man(square)
        return Question(f"any man to {text}", end=square)

    def _of_man(self, square: int) -> Question:
        kind = self.state.piece[square]
        return Question(f"{self.game.pieces[kind].name} on {self.game.board.places[square].name}", square, kind=kind)

    def _man(self, text: str) -> Question | None:
        name, mark, where = text.partition("@")
        if not mark:
            return None
        kind, square = self.kinds.get(name.strip().casefold(), ANY), self.squares.get(where.strip(), ANY)
        if kind == ANY or square == ANY:
            return None
        if self.state.owner[square] == self._side() and self.state.piece[square] == kind:
            return self._of_man(square)
        return self._reaching(kind, square)

    def _reaching(self, kind: int, square: int) -> Question:
        """A type of men, and a square where none of them stands."""
        text = f"{self.game.pieces[kind].name} to {self.game.board.places[square].name}"
        return Question(text, end=square, kind=kind)

    def _legal(self, text: str) -> Question | None:
        try:
            move = self.position.find(text)
        except ZrfError:
            return None
        same = frozenset(m.raw for m in self.position.moves() if m.text == move.text)
        return Question(move.text, exact=same)

    def _move(self, text: str) -> Question | None:
        """Notation of a move that is not legal, or fits several: its first man and where he goes."""
        words = text.split()
        for at in range(len(words)):
            match words[at : at + 4]:
                case [_, start, "-" | "x", end] if start in self.squares and end in self.squares:
                    return self._way(self.squares[start], self.squares[end])
                case [_, kind, end, *_] if kind.casefold() in self.kinds and end in self.squares:
                    return Question(f"{kind} from the store to {end}", end=self.squares[end],
                                    kind=self.kinds[kind.casefold()], store=True)
        words = [w for w in re.split(r"\s*(?:->|→|-|\s|\bx\b)\s*", text) if w]
        if len(words) == 2 and words[0] in self.squares and words[1] in self.squares:
            return self._way(self.squares[words[0]], self.squares[words[1]])
        if len(words) == 2 and words[0].casefold() in self.kinds and words[1] in self.squares:
            return self._reaching(self.kinds[words[0].casefold()], self.squares[words[1]])
        for at in range(1, len(text)):
            start, end = text[:at], text[at:].removeprefix("x")
            if start in self.squares and end in self.squares:
                return self._way(self.squares[start], self.squares[end])
        return None

    def _way(self, start: int, end: int) -> Question:
        places = self.game.board.places
        man = f"{self.game.pieces[self.state.piece[start]].name} " if self.state.owner[start] != NOBODY else ""
        return Question(f"{man}{places[start].name} - {places[end].name}", start, end)

    def _short(self, text: str) -> Question | None:
        """`Nf3`, `P*5e`: a letter or name, marks, a square."""
        for name in sorted(self.squares, key=len, reverse=True):
            if text.endswith(name):
                before = text.removesuffix(name)
                kind = self.kinds.get(before.rstrip("x*@- ").casefold(), ANY)
                if kind != ANY:
                    store = before.endswith("*")
                    return Question(f"{self.game.pieces[kind].name} {'from the store ' if store else ''}to {name}",
                                    end=self.squares[name], kind=kind, store=store)
        return None

    def _fail(self, text: str) -> Question:
        known = [m.text for m in self.position.moves()] + [*self.squares]
        guess = suggest(text, known)
        raise ZrfError([Diagnostic(
            "bad-question", f"`{text}` is no move, man or square of this game", None,
            help=f"did you mean `{guess}`?" if guess else "write a move (FROM TO), a man (PIECE@SQUARE) or a square",
        )])
