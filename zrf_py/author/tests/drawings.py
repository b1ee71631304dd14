"""Boards drawn with one character for each square, read and written."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from zrf_py.author.tests.pages import Unreadable, piece_letters
from zrf_py.front.model import Board
from zrf_py.ir.ops import Program
from zrf_py.play.beside import parts_beside
from zrf_py.play.game import Position
from zrf_py.run.position import NOBODY, Move
from zrf_py.view.layout import make_layout

Drawing = list[list[str]]
OTHERS = "#@"
"""Characters for the pieces of the third player, and for those of all later players."""


def read_drawing(lines: Sequence[str]) -> tuple[Drawing, Drawing]:
    """Split the lines of a drawing into the board and the one beside it (empty if there is none)."""
    halves = [re.split(r" {3,}", line) for line in lines]
    return [half[0].split() for half in halves], [half[1].split() for half in halves if len(half) > 1]


def show(drawing: Drawing) -> str:
    """Return a drawing as lines of text."""
    return "\n".join(" ".join(row) for row in drawing)


class Drawer:
    """Draws positions of one game, and sets up positions from drawings."""

    def __init__(self, program: Program) -> None:
        self.game = program.game
        self.names = [place.name for place in self.game.board.places]
        self.kinds = {letter: kind for letter, name in piece_letters([p.name for p in self.game.pieces]).items()
                      for kind, piece in enumerate(self.game.pieces) if piece.name == name}
        self.letters = {kind: letter for letter, kind in self.kinds.items()}
        beside = frozenset().union(*parts_beside(self.game.board))
        cells = make_layout(self.game.board, 1).cells or make_layout(_spread(self.game.board), 1).cells
        self.boards = [self._lines({p: cell for p, cell in cells.items() if p not in left}) for left in (beside, ())]
        """Squares by row (from the top) and column, twice: without the places beside the board, and with them."""

    def _lines(self, cells: dict[int, tuple[int, int]]) -> list[dict[int, int]]:
        """Return the squares of each row by column; columns count from 0."""
        columns = {column: i for i, column in enumerate(sorted({column for _, column in cells.values()}))}
        lines: dict[int, dict[int, int]] = {}
        for place, (line, column) in sorted(cells.items(), key=lambda item: item[1]):
            lines.setdefault(line, {}).setdefault(columns[column], place)
        return list(lines.values())

    def squares(self, drawing: Drawing) -> list[list[int]]:
        """Return the square of each character, -1 for `-`.

        :raises Unreadable: if the drawing does not fit the board.
        """
        for lines in self.boards:
            breadth = 1 + max((column for line in lines for column in line), default=0)
            pairs = list(zip(drawing, lines, strict=False))
            if len(lines) == len(drawing) and all(self._fits(row, line, breadth) for row, line in pairs):
                return [self._row(row, line) for row, line in pairs]
        sizes = " ".join(str(len(line)) for line in self.boards[0])
        raise Unreadable(f"the drawing does not match the board, whose {len(self.boards[0])} lines have these numbers "
                         "of squares: "
                         f"{sizes}", "draw the lines from top to bottom, with one character for each square")

    def _fits(self, row: list[str], line: dict[int, int], breadth: int) -> bool:
        """Return whether a row has a character for each square and, at full width, `-` exactly where there is none."""
        present = [i for i, letter in enumerate(row) if letter != "-"]
        return len(present) == len(line) and (len(row) == len(present) or len(row) != breadth or present == list(line))

    def _row(self, row: list[str], line: dict[int, int]) -> list[int]:
        places = iter(line.values())
        return [-1 if letter == "-" else next(places) for letter in row]

    def draw(self, position: Position, squares: list[list[int]]) -> Drawing:
        """Draw a position, with its squares laid out as in another drawing."""
        return [[self._character(position, square) for square in row] for row in squares]

    def _character(self, position: Position, square: int) -> str:
        if square < 0:
            return "-"
        owner, kind = position.state.owner[square], position.state.piece[square]
        if owner == NOBODY:
            return "."
        letter = self.letters.get(kind, "?")
        return letter if not owner else letter.lower() if owner == 1 else OTHERS[min(owner, 3) - 2]

    def set_up(self, position: Position, drawing: Drawing) -> Position:
        """Return the position with the pieces of a drawing on the board, and no others.

        :raises Unreadable: if the drawing does not fit the board, or a letter stands for no piece.
        """
        drawn = list(zip(chain(*self.squares(drawing)), chain(*drawing), strict=True))
        for square, owner in enumerate(position.state.owner):
            if owner != NOBODY:
                position = position.edited(f"(x {self.names[square]})")
        for square, letter in drawn:
            if letter not in ".-":
                position = position.edited(f"({self._man(letter)} {self.names[square]})")
        return position

    def _man(self, letter: str) -> str:
        """Return the player and piece type that a letter stands for."""
        owner = 2 + OTHERS.index(letter) if letter in OTHERS else int(letter.islower())
        held = {kind for player, kind, _ in self.game.setup if player == owner}
        only = held if len(held) == 1 else {0} if len(self.game.pieces) == 1 else set[int]()
        kind = min(only, default=-1) if letter in OTHERS else self.kinds.get(letter.upper(), -1)
        if kind < 0 or owner >= len(self.game.players):
            legend = ", ".join(f"{letter} {self.game.pieces[kind].name}" for letter, kind in self.kinds.items())
            raise Unreadable(f"`{letter}` is not the letter of a piece", f"letters are {legend}; lower case for "
                             f"{self._name(1)}, `.` for an empty square; a `position:` line sets up any position")
        return f"{self._name(owner)} {self.game.pieces[kind].name}"

    def _name(self, player: int) -> str:
        return self.game.players[player].name if player < len(self.game.players) else "the second player"

    def targets(self, left: Drawing, squares: list[list[int]], moves: Sequence[Move], start: int) -> Drawing:
        """Return the board with `*` on empty targets of moves from `start` (-1: drops), and `x` on occupied ones."""
        ends = {move.key[1] for move in moves if move.key[0] == start and not move.is_pass}
        return [["*" if letter == "." and square in ends else "x" if square in ends else letter
                 for letter, square in zip(row, line, strict=True)] for row, line in zip(left, squares, strict=True)]


def _spread(board: Board) -> Board:
    """Return the board with squares one pixel in size, for boards whose squares have no extent."""
    return replace(board, places=tuple(replace(place, rectangle=(left, top, left + 1, top + 1))
                                       for place in board.places for left, top, *_ in [place.rectangle]))
