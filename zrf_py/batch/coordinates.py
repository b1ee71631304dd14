"""Moves as UCI and XBoard engines write them: `e2e4`, `e7e8q`, `P@e5`, `e4d3+`, derived from any game's rules.

Squares are named by their place on the board, with files from a and ranks from the bottom, whatever the rules call
them; on a board that is not a full grid, by the rules' own names. Letters of pieces are those of their notation.
"""

from zrf_py.ir.ops import Program
from zrf_py.play.beside import parts_beside
from zrf_py.play.letters import move_letters
from zrf_py.run.diff import move_diff
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position

PASSES = ["0000", "@@@@", "pass"]
"""Texts of a pass, in UCI, XBoard and elsewhere."""


class Coordinates:
    """Writer and parser of the moves of a game."""

    def __init__(self, program: Program, zero_from: int = 10**6) -> None:
        """:param zero_from: number of ranks from which on they are numbered from 0; on smaller boards from 1."""
        self.program = program
        game = program.game
        self.beside = frozenset().union(*parts_beside(game.board))
        centres = {i: (p.rectangle[0] + p.rectangle[2], -p.rectangle[1] - p.rectangle[3])
                   for i, p in enumerate(game.board.places) if i not in self.beside and not p.dummy}
        files, ranks = (sorted({centre[axis] for centre in centres.values()}) for axis in (0, 1))
        self.squares = {i: place.name for i, place in enumerate(game.board.places)}
        if len(set(centres.values())) == len(files) * len(ranks) == len(centres) and len(files) <= 26:
            first = 0 if len(ranks) >= zero_from else 1
            self.squares |= {i: f"{chr(97 + files.index(x))}{first + ranks.index(y)}" for i, (x, y) in centres.items()}
        self.letters = {kind: letter or game.pieces[kind].name[:1] for kind, letter in move_letters(game).items()}

    def texts(self, position: Position, move: Move) -> list[str]:
        """Return the texts of a move, the usual one first."""
        if move.is_pass:
            return PASSES
        diff = move_diff(self.program, position, move)
        end = self.squares.get(diff.end, "")
        if diff.start < 0 or (diff.start in self.beside and diff.end not in self.beside):
            return [f"{self.letters.get(diff.piece, '').upper()}@{end}"]
        path = self.squares[diff.start] + end
        if diff.becomes < 0:
            return [path, f"{path}="]
        letter = self.letters[diff.becomes]
        return [path + ("+" if letter.startswith("+") else letter.lower()), path]

    def read(self, engine: Engine, position: Position, text: str) -> Move | None:
        """Return the legal move with a text; None if there is none, or more than one with different effects.

        The usual text of one move takes precedence over an alternative text of another.
        """
        texts = [(move, self.texts(position, move)) for move in engine.moves(position)]
        found = [move for move, own in texts if own[0] == text] or [move for move, own in texts if text in own]
        return found[0] if len({engine.after(position, move).key() for move in found}) == 1 else None

    def between(self, engine: Engine, before: Position, after: Position) -> str:
        """Return the usual text of a move that leads from one position to the next; that of a pass if none does."""
        key = after.key()
        return next((self.texts(before, move)[0] for move in engine.moves(before)
                     if engine.after(before, move).key() == key), PASSES[0])
