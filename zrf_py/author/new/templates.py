"""Rules of small games, from templates for a kind of game, filled in with a title, a size and a kind of board."""

import json
import re
from dataclasses import dataclass
from string import ascii_lowercase
from textwrap import fill

from zrf_py.data import data_file, data_text
from zrf_py.library import contents
from zrf_py.text.diagnostics import Diagnostic, ZrfError

KINDS: dict[str, str] = json.loads(data_text("author/new/kinds.json"))
SIZES = range(4, 27)


@dataclass(frozen=True)
class DrawnBoard:
    """A board as drawn, in pixels, and the steps of its directions: columns to the right, rows down."""

    rectangle: str
    down: str
    directions: dict[str, tuple[int, int]]
    shape: str = ""
    """Part of the grid that is used: "hexagon" (all but two corners), "star" (with six points) or "" (all of it)."""

    def removed(self, columns: int, rows: int) -> set[tuple[int, int]]:
        """Return the places (column, row from the top) that a board with these numbers of columns and rows lacks."""
        depth, quarter = (columns - 1) // 2 if self.shape else 0, (columns - 1) // 4
        far = columns + rows - 2
        places = {(x, y) for x in range(columns) for y in range(rows)}
        if self.shape == "star":
            ends = {(x, y): (x - depth, y - depth, far // 2 - x - y) for x, y in places}
            return {place for place, sums in ends.items() if max(sums) > quarter and min(sums) < -quarter}
        return {(x, y) for x, y in places if not depth <= x + y <= far - depth}

    def grid(self, columns: int, rows: int) -> str:
        """Return the code of the `grid` and, for missing places, the `kill-positions` of a board."""
        removed = self.removed(columns, rows)
        missing = fill(" ".join(name_of(x, y, rows) for x, y in sorted(removed, key=lambda p: (p[1], p[0]))), 84)
        directions = [f"({name} {x} {y})" for name, (x, y) in self.directions.items()]
        lines = "\n".join(" ".join(directions[at : at + 4]) for at in range(0, len(directions), 4))
        ranks = "/".join(map(str, range(rows, 0, -1)))
        sides = f'("{"/".join(ascii_lowercase[:columns])}" (48 0))\n("{ranks}" {self.down})'
        killed = f"\n(kill-positions\n{missing})" if missing else ""
        return f"(grid\n(start-rectangle {self.rectangle})\n(dimensions\n{sides})\n(directions\n{lines})){killed}"

    def ahead(self, straight: bool) -> list[str]:
        """Return the directions towards the far side; with `straight`, just `n` if the board has it."""
        names: list[str] = [name for name in ("n", "ne", "nw") if name in self.directions]
        return names[:1] if straight and names[0] == "n" else names

    def words(self) -> dict[str, str]:
        """Return the values of those placeholders of a template that depend on the board, by name."""
        pairs = (("n", "s"), ("s", "n"), ("ne", "se"), ("se", "ne"), ("nw", "sw"), ("sw", "nw"))
        turned = [pair for pair in pairs if pair[0] in self.directions]
        lines = [name for name in ("n", "e", "ne", "nw") if name in self.directions]
        return {
            "TAKING": "diagonally forward" if "n" in self.directions else "the same way",
            "TURNED": " ".join(f"({a} {b})" for a, b in turned),
            "THREE": "\n".join(f"(relative-config Stone {d} Stone {d} Stone)" for d in lines),
        }


_SQUARE = {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0),
           "ne": (1, -1), "nw": (-1, -1), "se": (1, 1), "sw": (-1, 1)}
_HEXAGONAL = {"e": (1, 0), "w": (-1, 0), "ne": (1, -1), "nw": (0, -1), "se": (0, 1), "sw": (-1, 1)}
BOARDS = {
    "squares": DrawnBoard("0 0 48 48", "(0 48)", _SQUARE),
    "points": DrawnBoard("0 0 16 16", "(0 48)", _SQUARE),
    "hexagons": DrawnBoard("0 0 48 48", "(24 48)", _HEXAGONAL, "hexagon"),
}
"""Squares; points where lines cross; a hexagon of hexagons, regular if the size is odd."""
STAR = DrawnBoard("0 0 20 20", "(24 41)", _HEXAGONAL, "star")
"""A star with six points, for sizes 5, 9, 13 …: a hexagon with a triangle of (size - 1) / 4 rows on each side."""
_MOVES = re.compile("@([a-z]+) (FORWARD|AHEAD)@")


def name_of(column: int, row: int, rows: int) -> str:
    """Return the name of a place, such as `a1`, from its column and its row, which counts from the top."""
    return f"{ascii_lowercase[column]}{rows - row}"


def new_game(kind: str, title: str, size: int, board: str = "squares") -> str:
    """Return the rules of a game on a board of `size` columns and rows; `board` is one of `BOARDS`.

    :raises ZrfError: if there is no such kind, size or board, or the title is not allowed.
    """
    for label, name, choices in (("kind of game", kind, KINDS), ("kind of board", board, BOARDS)):
        if name not in choices:
            raise ZrfError([Diagnostic("usage", f"there is no {label} `{name}`", None,
                                       help=f"choose one of {', '.join(f'`{k}`' for k in choices)}")])
    if size not in SIZES:
        raise ZrfError([Diagnostic("usage", f"a board can't have {size} rows and columns", None,
                                   help=f"choose a size from {SIZES[0]} to {SIZES[-1]}")])
    if not title.strip() or any(c in '"\n\r;' or c < " " for c in title):
        raise ZrfError([Diagnostic("usage", "a title is one line, without quotation marks or semicolons", None,
                                   help="choose another title")])
    drawn = BOARDS[board]
    removed = drawn.removed(size, size)
    rows = {y: " ".join(name_of(x, y, size) for x in range(size) if (x, y) not in removed) for y in range(size)}
    words = {
        **drawn.words(),
        "TITLE": title.strip(), "SIZE": str(size), "AREA": str(size * size - len(removed)),
        "GRID": drawn.grid(size, size), "TOP": rows[0], "BOTTOM": rows[size - 1],
    }
    text = contents(data_file(f"author/new/{kind}.zrf")).decode("utf-8")
    text = _MOVES.sub(lambda m: " ".join(f"({m[1]} {d})" for d in drawn.ahead(m[2] == "FORWARD")), text)
    for word, value in words.items():
        text = text.replace(f"@{word}@", value)
    return text
