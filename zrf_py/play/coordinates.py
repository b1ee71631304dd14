"""The grid of a board as it is drawn; moves as UCI, USI and XBoard engines write them: `e2e4`, `e7e8q`, `P@e5`, `P*5e`.

Squares are named by their place on the board, with files from a and ranks from the bottom, whatever the rules call
them; on a board that is not a full grid, by the rules' own names. Pieces have the letters of short notation.
"""

from collections.abc import Mapping

from zrf_py.front.model import Board
from zrf_py.ir.ops import Program
from zrf_py.play.beside import parts_beside
from zrf_py.play.letters import move_letters
from zrf_py.run.diff import move_diff
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position

PASSES = ["0000", "@@@@", "pass"]
"""Texts of a pass, in UCI, XBoard and elsewhere."""


class Grid:
    """Files and ranks of a board's squares, except those beside the board: `at[file, rank]` is a square.

    Files count from the left and ranks from the bottom, both from 0. `is_full` is True if each file and each rank
    cross in exactly one square.
    """

    def __init__(self, board: Board) -> None:
        beside = frozenset().union(*parts_beside(board))
        centres = {i: (p.rectangle[0] + p.rectangle[2], -p.rectangle[1] - p.rectangle[3])
                   for i, p in enumerate(board.places) if i not in beside and not p.dummy}
        xs, ys = (sorted({centre[axis] for centre in centres.values()}) for axis in (0, 1))
        self.beside = beside
        self.cells = {i: (xs.index(x), ys.index(y)) for i, (x, y) in centres.items()}
        self.at = {cell: i for i, cell in self.cells.items()}
        self.files, self.ranks = len(xs), len(ys)
        self.is_full = len(self.at) == self.files * self.ranks == len(centres)


class Coordinates:
    """Writer and parser of the moves of a game."""

    def __init__(self, program: Program, zero_from: int = 10**6, squares: Mapping[int, str] | None = None) -> None:
        """:param zero_from: boards with at least this many ranks number them from 0, smaller boards from 1.
        :param squares: names of squares to use instead; drops are then written with `*`, as in USI."""
        self.program = program
        game = program.game
        grid = Grid(game.board)
        self.beside = grid.beside
        self.squares = {i: place.name for i, place in enumerate(game.board.places)}
        if squares is None and grid.is_full and grid.files <= 26:
            first = 0 if grid.ranks >= zero_from else 1
            squares = {i: f"{chr(97 + x)}{first + y}" for i, (x, y) in grid.cells.items()}
            self.drop = "@"
        else:
            self.drop = "*" if squares else "@"
        self.squares |= squares or {}
        self.letters = {kind: letter or game.pieces[kind].name[:1] for kind, letter in move_letters(game).items()}

    def texts(self, position: Position, move: Move) -> list[str]:
        """Return the texts of a move, the usual one first."""
        if move.is_pass:
            return PASSES
        diff = move_diff(self.program, position, move)
        end = self.squares.get(diff.end, "")
        if diff.start < 0 or (diff.start in self.beside and diff.end not in self.beside):
            return [f"{self.letters.get(diff.piece, '').upper()}{self.drop}{end}"]
        path = self.squares[diff.start] + end
        if diff.becomes < 0:
            return [path, f"{path}="]
        letter = self.letters[diff.becomes]
        return [path + ("+" if letter.startswith("+") else letter.lower()), path]

    def read(self, engine: Engine, position: Position, text: str) -> Move | None:
        """Return the legal move that a text denotes; None if there is none, or several that have different effects.

        The usual text of one move takes precedence over an alternative text of another.
        """
        texts = [(move, self.texts(position, move)) for move in engine.moves(position)]
        moves = [move for move, own in texts if own[0] == text] or [move for move, own in texts if text in own]
        return moves[0] if len({engine.after(position, move).key() for move in moves}) == 1 else None

    def between(self, engine: Engine, before: Position, after: Position) -> str:
        """Return the usual text of the move that leads from one position to the next, or of a pass if no move does."""
        key = after.key()
        return next((self.texts(before, move)[0] for move in engine.moves(before)
                     if engine.after(before, move).key() == key), PASSES[0])
