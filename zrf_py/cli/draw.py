"""The board of a position as lines of text, with or without colour.

Without colour, marks stand beside the piece: `[K]` where the last move ended, `(·)` where it began, `*` for an empty
target, `<k>` for an occupied one. With colour, backgrounds show the same.

Text boards are not drawn from a scene (`view/scene.py`): they need only the line and column of each place, which
`view/layout.py` plans. Their marks are the same as in a scene.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from pathlib import Path

from zrf_py.front.model import Game
from zrf_py.ir.ops import Program
from zrf_py.play.aims import goal_places
from zrf_py.play.beside import stacks_of
from zrf_py.play.game import Position as Played
from zrf_py.play.standing import supplies
from zrf_py.run.position import NOBODY, Position
from zrf_py.view.layout import Cell, Layout, extent, make_layout
from zrf_py.view.looks import figures_of
from zrf_py.view.scene import last_turn, turn_marks
from zrf_py.view.symbols import PieceSymbols

TO, FROM, TARGET, CHOSEN, ZONE, CURSOR = "to", "from", "target", "chosen", "zone", "cursor"
HELP: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("help.json").read_text("utf-8"))
_BRACKETS = {TO: "[]", FROM: "()", TARGET: "<>", CHOSEN: "{}", ZONE: "''", CURSOR: "><"}
_BACKGROUND = {TO: "48;5;65", FROM: "48;5;240", TARGET: "48;5;26", CHOSEN: "48;5;94", ZONE: "48;5;236",
               CURSOR: "48;5;136"}
_FIRST_ON_SQUARES = "1;97"
_PLAYER_COLORS = ("1", "1;38;5;208", "1;38;5;39", "1;38;5;76", "1;38;5;204", "1;38;5;178", "1;38;5;141", "1;38;5;37")
_NEUTRAL, _DIM = "38;5;245", "38;5;243"
_SHADES = ("48;5;234", "48;5;237")
LARGEST = 4
"""Maximum number of text lines of a square, and maximum factor by which columns are spread."""
NOTHING = ("", "")
_GOAL_SHADES = ("48;5;23", "48;5;23")


def paint(text: str, *codes: str) -> str:
    """Colour a text; several codes are combined."""
    joined = ";".join(c for c in codes if c)
    return f"\x1b[{joined}m{text}\x1b[0m" if joined else text


def last_move_marks(position: Played) -> dict[int, str]:
    """Return the marks of the last turn by place: "to" where its pieces ended or were created, else "from"."""
    return turn_marks(last_turn(position))


@dataclass
class BoardView:
    """Draws positions of one game as text of at most `room` columns.

    Goals (squares that an end condition names) are drawn a little differently.
    """

    program: Program
    color: bool = False
    ascii: bool = False
    room: int = 78
    figures: bool = False
    """True if pieces are drawn as Unicode figures, provided that the game's pieces have such figures."""
    symbols: PieceSymbols = field(init=False)
    layout: Layout = field(init=False)
    plan: Layout = field(init=False)
    """The layout at its smallest."""
    tall: int = field(init=False, default=1)
    """Text lines per line of the board."""
    broad: int = field(init=False, default=1)
    """Factor by which columns are spread, compared with `plan`."""
    foot: bool = field(init=False, default=True)
    """True if the column labels are repeated below the board."""
    spots: dict[int, tuple[int, int]] = field(init=False, default_factory=dict)
    """Number of a place → its (text line, column) in the last drawing, both counted from 0."""

    def __post_init__(self) -> None:
        self.game = self.program.game
        self.symbols = figures_of(self.game) if self.figures else PieceSymbols(self.game)
        self.plan = self.layout = make_layout(self.game.board, self.symbols.width, self.room - 8)
        self.empty, self.empty_goal = (".", "+") if self.ascii else ("·", "◦")
        self.goals = goal_places(self.program) & set(self.layout.cells)
        self.links = _lines_between(self.game, self.layout)

    def fit(self, columns: int, lines: int) -> None:
        """Spread the board as far as there is room, keeping its proportions as closely as characters allow.

        The labels below the board are left out if that makes room for a larger board.
        """
        breadth, height = extent(self.game.board)
        best = (0.0, False, 0.0, 1, 1)
        for foot, tall, broad in product((False, True), range(1, LARGEST + 1), range(1, LARGEST + 1)):
            self._spread(foot, tall, broad)
            if self.height <= lines and self._breadth <= columns:
                across = max(self.layout.xs, default=0) / max(breadth, 1)
                down = 2 * self._depth / max(height, 1)  # characters are twice as tall as wide
                best = max(best, (min(across, down), foot, -max(across, down), tall, broad))
        self._spread(best[1], *best[3:])

    def _spread(self, foot: bool, tall: int, broad: int) -> None:
        self.foot, self.tall, self.broad = foot, tall, broad
        self.layout = replace(self.plan, xs=[x * broad for x in self.plan.xs], step=self.plan.step * broad)

    @property
    def height(self) -> int:
        """Number of lines of the drawn board, provided that it is not drawn in parts."""
        labels = len(self._header(0, len(self.plan.xs), 0)) if any(self.plan.column_labels) else 0
        return self._depth + (self.tall if self.layout.squares else 1) + labels * (1 + self.foot)

    @property
    def _breadth(self) -> int:
        labels = 2 * max(map(len, self.plan.line_labels), default=0)
        return max(self.layout.xs, default=0) + self.layout.step + labels + 4

    @property
    def _depth(self) -> int:
        """Number of text lines from the first line of the board to the last."""
        lines = range(1, len(self.plan.gaps))
        return sum(self._between(line) + (self.tall if self.layout.squares else 1) for line in lines)

    @property
    def _inset(self) -> int:
        """Number of columns by which a piece is moved right, to the middle of a wide square."""
        shaded = self.color and self.broad > 1 and self.layout.squares
        return (self.layout.step - self.symbols.width) // 2 - 1 if shaded else 0

    def _between(self, line: int) -> int:
        """Count the text lines between a line of the board and the one before."""
        if self._strokes(line):
            return 2 * self.tall - 1
        apart = 0 if self.layout.squares or not line else self.tall - 1
        return self.layout.gaps[line] * self.tall + apart

    def player(self, number: int, text: str | None = None) -> str:
        """Return a player's name, or another text, in the player's colour."""
        name = self.game.players[number].name
        label = name if text is None else text
        return paint(label, self.player_color(number)) if self.color else label

    def player_color(self, number: int) -> str:
        if self.game.players[number].kind == "neutral":
            return _NEUTRAL
        return _PLAYER_COLORS[number % len(_PLAYER_COLORS)]

    def board(self, position: Position, marks: Mapping[int, str] | None = None) -> list[str]:
        """Return the lines of the drawn board; `marks` maps places to marks."""
        texts = {p: self._content(position, p) for p in self.layout.cells}
        return self._draw(texts | self._stacks(position), marks or {})

    def _stacks(self, position: Position) -> dict[int, tuple[str, str]]:
        """Map the places of stacks to (text, colour); the text is the top piece and, if it fits, the stack's height."""
        stacks = stacks_of(self.game.board)
        texts = {}
        for low in set(stacks.values()):
            places = [p for p, lowest in stacks.items() if lowest == low and p in self.layout.cells]
            occupied = [p for p in places if position.owner[p] != NOBODY]
            text, color = self._content(position, occupied[-1] if occupied else low)
            text += str(len(occupied)) if len(occupied) > 1 and len(text) < self.layout.step - 1 else ""
            texts.update(dict.fromkeys(places, (text, color)))
        return texts

    def names(self) -> list[str]:
        """Return the board as lines of text, with the name of each place."""
        widest = max((len(self.game.board.places[p].name) for p in self.layout.cells), default=1)
        other = BoardView(self.program, self.color, self.ascii, self.room)
        other.layout = make_layout(self.game.board, widest, self.room)
        other.links = set()
        texts = {p: (self.game.board.places[p].name, "") for p in other.layout.cells}
        return other._draw(texts, {}, labels=False)

    def _content(self, position: Position, place: int) -> tuple[str, str]:
        """Return the text of a place, and its colour."""
        owner = position.owner[place]
        if owner == NOBODY:
            return (self.empty_goal if place in self.goals else self.empty), _DIM
        return self.symbols.symbol(owner, position.piece[place]), self.player_color(owner)

    def _draw(self, texts: Mapping[int, tuple[str, str]], marks: Mapping[int, str], labels: bool = True) -> list[str]:
        plan = self.layout
        left = max(map(len, plan.line_labels), default=0) if labels else 0
        lines: list[str] = []
        for first, last in self._panels(left):
            if lines:
                lines.append("")
            header = self._header(first, last, left) if labels and any(plan.column_labels) else []
            lines += header
            for line in range(len(plan.gaps)):
                lines += self._joints(line, first, last, left)
                ground = [self._line(line, first, last, left, {}, marks, False)] if plan.squares else []
                above = (self.tall - 1) // 2
                lines += ground * above
                for place, (row, column) in plan.cells.items():
                    if row == line and first <= column < last:
                        self.spots[place] = len(lines), plan.xs[column] - plan.xs[first] + left + 2 + self._inset
                lines.append(self._line(line, first, last, left, texts, marks, labels))
                lines += ground * (self.tall - 1 - above)
            lines += header if self.foot else []
        return [line.rstrip() for line in lines]

    def _panels(self, left: int) -> list[tuple[int, int]]:
        """Split the columns into ranges that are narrow enough: a board that is too wide is drawn in parts."""
        xs = self.layout.xs
        room = max(self.room - 2 * left - 4, 10)
        panels, first = [], 0
        for i, x in enumerate(xs):
            if x + self.symbols.width - xs[first] > room:
                panels.append((first, i))
                first = i
        panels.append((first, len(xs)))
        return panels

    def _header(self, first: int, last: int, left: int) -> list[str]:
        plan = self.layout
        labels = plan.column_labels[first:last]
        widest = max(map(len, labels), default=0)
        written = [x for x, label in zip(plan.xs[first:last], labels, strict=True) if label]
        upright = any(b - a <= widest for a, b in pairwise(written))
        rows = []
        for row in range(widest if upright else 1):
            canvas = _Canvas()
            for x, label in zip(plan.xs[first:last], labels, strict=True):
                text = label.rjust(widest)[row] if upright else label
                canvas.put(x - plan.xs[first] + left + 2 + self._inset, text, _DIM if self.color else "")
            rows.append(canvas.text())
        return rows

    def _line(
        self, line: int, first: int, last: int, left: int, texts: Mapping[int, tuple[str, str]],
        marks: Mapping[int, str], labels: bool,
    ) -> str:
        plan = self.layout
        canvas = _Canvas()
        dim = _DIM if self.color else ""
        if labels and left:
            canvas.put(0, plan.line_labels[line].rjust(left), dim)
        level = [(a, b) for (row, a), (end, b) in self.links if row == end == line and first <= a and b < last]
        for a, b in level:
            start = plan.xs[a] - plan.xs[first] + left + 2
            canvas.put(start, ("-" if self.ascii else "─") * (plan.xs[b] - plan.xs[a]), dim)
        for place, (row, column) in plan.cells.items():
            if row == line and first <= column < last:
                x = plan.xs[column] - plan.xs[first] + left + 2
                self._cell(canvas, x, place, texts.get(place, NOTHING), marks.get(place, ""), (row, column))
        end = plan.label_end
        if labels and plan.line_labels[line] and first <= end < last and not self._beside(line, end):
            x = plan.xs[end] - plan.xs[first] + left + max(self.symbols.width + 3, plan.step + 2)
            canvas.put(x, plan.line_labels[line], dim)
        return canvas.text()

    def _beside(self, line: int, column: int) -> bool:
        """Return whether the line has another cell less than 8 characters to the right of a column."""
        x = self.layout.xs[column]
        return any(r == line and 0 < self.layout.xs[c] - x < 8 for r, c in self.layout.cells.values())

    def _cell(self, canvas: _Canvas, x: int, place: int, content: tuple[str, str], mark: str, cell: Cell) -> None:
        """Draw one place: its text, the mark around it, and the square's shade where there are squares."""
        text, code = content
        width = max(len(text), self.symbols.width)
        is_empty = text in (self.empty, self.empty_goal)
        if mark == TARGET and is_empty:
            text, code = "*", "1;38;5;117"
        squares = self.layout.squares
        if self.color:
            shades = _GOAL_SHADES if place in self.goals else _SHADES
            shade = shades[sum(cell) % 2] if cell in squares else ""
            if is_empty and shade and not mark:
                text = " "
            background = _BACKGROUND.get(mark) or shade
            if background and code == _PLAYER_COLORS[0]:
                code = _FIRST_ON_SQUARES  # the terminal's default colour may be invisible on a dark square
            inset = 1 + self._inset
            before, after = (inset, self.layout.step - width - inset) if cell in squares else (
                (1, 1) if background else (0, 0))
            label = " " * before + (text.ljust(width) if cell in squares else text) + " " * after
            canvas.put(x - (1 if cell in squares else before), label, f"{code};{background}" if background else code)
        else:
            canvas.put(x, text)
        if mark and not self.color and not (mark == TARGET and text.strip() == "*"):
            canvas.put(x - 1, _BRACKETS[mark][0])
            canvas.put(x + len(text.rstrip()), _BRACKETS[mark][1])

    def _joints(self, line: int, first: int, last: int, left: int) -> list[str]:
        """Return the text lines above a line of the board: vertical and diagonal strokes, or blank lines."""
        plan, count = self.layout, self._between(line)
        canvases = [_Canvas() for _ in range(count)]
        for a, b in self._strokes(line):
            if not (first <= a[1] < last and first <= b[1] < last):
                continue
            shape = "|" if a[1] == b[1] else "\\" if a[1] < b[1] else "/"
            for i, canvas in enumerate(canvases, 1):
                x = (plan.xs[a[1]] * (count + 1 - i) + plan.xs[b[1]] * i) // (count + 1) - plan.xs[first] + left + 2
                crossed = "X" if {canvas.at(x), shape} == {"/", "\\"} else shape
                canvas.put(x, crossed if self.ascii or shape != "|" else "│", _DIM if self.color else "")
        return [canvas.text() for canvas in canvases]

    def _strokes(self, line: int) -> list[tuple[Cell, Cell]]:
        """Return the links that cross the gap between a line and the one before."""
        return [(a, b) for a, b in self.links if a[0] < line <= b[0]]

    def stores(self, position: Position) -> list[str]:
        """Return a line for each player who has pieces off the board, apart from supplies that can't run out."""
        lines, endless = [], supplies(self.program, position)
        for player, counts in enumerate(position.stores):
            held = [f"{self.game.pieces[k].name} {n}" if n != 1 else self.game.pieces[k].name
                    for k, n in enumerate(counts) if n > 0 and not self.game.pieces[k].dummy and k not in endless]
            if held:
                lines.append(f"Store of {self.player(player)}: {', '.join(held)}")
        return lines

    def explained(self, *marks: str) -> list[str]:
        """Return a line for each mark, a sample and its meaning, and one for empty goals if the board has any."""
        texts = {mark: self.empty if mark == FROM else "W" for mark in marks}
        samples = {mark: paint(f" {text} ", _BACKGROUND[mark]) if self.color else text.join(_BRACKETS[mark])
                   for mark, text in texts.items()}
        if self.goals:
            shaded = self.color and self.layout.squares
            samples["goal"] = paint(" · ", _GOAL_SHADES[0]) if shaded else f" {self.empty_goal} "
        return [f"{sample}  {HELP['marks'][mark]}" for mark, sample in samples.items()]

    def legend(self, position: Position) -> str:
        kinds = sorted({k for o, k in zip(position.owner, position.piece, strict=True) if o != NOBODY}
                       | {k for counts in position.stores for k, n in enumerate(counts) if n > 0})
        return "   ".join(self.symbols.legend(kinds))


def _lines_between(game: Game, plan: Layout) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the links to draw, between neighbours in a line, column or diagonal; only on boards of up to 70 points."""
    if plan.squares or len(plan.cells) > 70:
        return set()
    occupied = set(plan.cells.values())
    lines = set()
    for table in game.board.links:
        for start, end in enumerate(table):
            if end < 0 or start not in plan.cells or end not in plan.cells:
                continue
            a, b = sorted((plan.cells[start], plan.cells[end]))
            if a != b and _is_clear(a, b, occupied):
                lines.add((a, b))
    return lines


def _is_clear(a: tuple[int, int], b: tuple[int, int], occupied: set[tuple[int, int]]) -> bool:
    """Return whether a stroke can be drawn: horizontal or vertical with no cell between, or one diagonal step."""
    if a[0] == b[0]:
        return not any((a[0], c) in occupied for c in range(a[1] + 1, b[1]))
    if a[1] == b[1]:
        return not any((r, a[1]) in occupied for r in range(a[0] + 1, b[0]))
    return b[0] - a[0] == 1 and abs(b[1] - a[1]) == 1


class _Canvas:
    """A line of characters, each with its colour."""

    def __init__(self) -> None:
        self.characters: list[tuple[str, str]] = []

    def put(self, x: int, text: str, code: str = "") -> None:
        """Write text from column `x` on, over the characters that are there."""
        x = max(x, 0)
        self.characters += [(" ", "")] * (x + len(text) - len(self.characters))
        for i, character in enumerate(text):
            self.characters[x + i] = (character, code)

    def at(self, x: int) -> str:
        return self.characters[x][0] if x < len(self.characters) else " "

    def text(self) -> str:
        parts: list[str] = []
        run, code = "", ""
        for character, its in [*self.characters, ("", "-")]:
            if its != code:
                parts.append(paint(run, code))
                run, code = "", its
            run += character
        return "".join(parts)
