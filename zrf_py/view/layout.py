"""Layout of a board for a terminal: pixel rectangles become lines and columns of characters.

Centres that are close together share a line or a column. Columns keep the proportions of the picture as long as no two
cells of a line touch, so squares, hexagons, stars and scattered points all keep their shape. If position names consist
of a column's and a line's label, these labels are extracted, to be written along the edges.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import median

from zrf_py.front.model import Board
from zrf_py.play.beside import stacks_of
from zrf_py.text.grouping import by_key

Cell = tuple[int, int]
"""(line, column) as indexes of the lines and columns that contain positions, from 0."""


@dataclass(frozen=True)
class Layout:
    """Layout of a board: `cells[position]` for drawn positions; `xs` holds the character column at which each column
    begins, `gaps` the number of empty lines before each line. A missing label is ""."""

    cells: Mapping[int, Cell]
    xs: Sequence[int]
    gaps: Sequence[int]
    column_labels: Sequence[str]
    line_labels: Sequence[str]
    step: int
    """Minimum distance in characters from a cell to the next one of its line."""

    @property
    def is_labelled(self) -> bool:
        return any(self.line_labels)

    @cached_property
    def squares(self) -> frozenset[Cell]:
        """Cells of the labelled part (or of a board without labels) if they fill a rectangle; otherwise empty."""
        lines = [i for i, label in enumerate(self.line_labels) if label] or range(len(self.gaps))
        columns = [i for i, label in enumerate(self.column_labels) if label] or range(len(self.xs))
        block = frozenset((line, column) for line in lines for column in columns)
        return block if len(block) > 1 and block <= set(self.cells.values()) else frozenset()

    @property
    def label_end(self) -> int:
        """Index of the last labelled column; -1 if there are no labels."""
        return max((i for i, label in enumerate(self.column_labels) if label), default=-1)


def make_layout(board: Board, cell_width: int, room: int = 76) -> Layout:
    """Lay out a board with `cell_width` characters per cell, in `room` columns if possible."""
    drawn = visible(board)
    width = median([r[2] - r[0] for r in drawn.values()] or [1])
    height = median([r[3] - r[1] for r in drawn.values()] or [1])
    columns = _clusters(((r[0] + r[2]) / 2 for r in drawn.values()), width * 0.3)
    lines = _clusters(((r[1] + r[3]) / 2 for r in drawn.values()), height * 0.3)
    cells = {p: (_index(lines, (r[1] + r[3]) / 2), _index(columns, (r[0] + r[2]) / 2)) for p, r in drawn.items()}
    stacked = stacks_of(board)
    named = {p: cell for p, cell in cells.items() if p not in stacked}
    column_labels, line_labels = _labels(board, named, len(columns), len(lines))
    plan = Layout(cells, range(len(columns)), _gaps(lines), column_labels, line_labels, cell_width)
    xs, step = _fit(cells, columns, cell_width, room, 2 if plan.squares else 3)
    return replace(plan, xs=xs, step=step)


def visible(board: Board) -> dict[int, tuple[int, int, int, int]]:
    """Return the rectangles of visible positions: no dummies, none with an empty rectangle or negative coordinates."""
    return {
        i: p.rectangle for i, p in enumerate(board.places)
        if not p.dummy and p.rectangle[2] > p.rectangle[0] >= 0 and p.rectangle[3] > p.rectangle[1] >= 0
    }


def extent(board: Board) -> tuple[float, float]:
    """Return the distances between the centres of the outermost visible positions, across and down, in pixels."""
    drawn = visible(board).values()
    across = [(r[0] + r[2]) / 2 for r in drawn] or [0.0]
    down = [(r[1] + r[3]) / 2 for r in drawn] or [0.0]
    return max(across) - min(across), max(down) - min(down)


def _clusters(values: Iterable[float], tolerance: float) -> list[float]:
    """Return the least value of each cluster of values; a cluster extends by `tolerance` from its least value."""
    starts: list[float] = []
    for value in sorted(values):
        if not starts or value - starts[-1] > tolerance:
            starts.append(value)
    return starts


def _index(starts: Sequence[float], value: float) -> int:
    return max(i for i, start in enumerate(starts) if start <= value)


def _gaps(lines: Sequence[float]) -> list[int]:
    """Return 1 for each line whose distance to the previous one is far larger than usual, else 0."""
    steps = [b - a for a, b in pairwise(lines)]
    usual = median(steps) if steps else 0
    return [0, *(1 if step > 1.7 * usual else 0 for step in steps)][: len(lines)]


def _fit(
    cells: Mapping[int, Cell], columns: Sequence[float], cell_width: int, room: int, roomy: int,
) -> tuple[list[int], int]:
    """Return (character columns, step) of the widest proportional spacing that fits, else of the narrowest spacing."""
    for step in range(cell_width + roomy, cell_width, -1):
        xs = _place(cells, columns, step, proportional=True)
        if not xs or xs[-1] + cell_width <= min(room, 60 if step > cell_width + 1 else room):
            return xs, step
    return _place(cells, columns, cell_width + 1, proportional=False), cell_width + 1


def _place(cells: Mapping[int, Cell], columns: Sequence[float], step: int, proportional: bool) -> list[int]:
    """Return the leftmost character columns with cells of a line at least `step` apart, in proportion if requested."""
    before: dict[int, set[int]] = defaultdict(set)
    distances = []
    for members in by_key(cells.values()).values():
        for a, b in pairwise(sorted(set(members))):
            before[b].add(a)
            distances.append(columns[b] - columns[a])
    usual = min(median(distances), 3 * min(distances)) if distances else 1.0
    xs: list[int] = []
    for column, pixel in enumerate(columns):
        x = max((xs[a] + step for a in before[column]), default=0)
        if xs:
            x = max(x, xs[-1] + 1)
        if proportional and xs:
            x = max(x, xs[-1] + min(round((pixel - columns[column - 1]) / usual * step), 2 * step))
        xs.append(x)
    return xs


def _labels(board: Board, cells: Mapping[int, Cell], columns: int, lines: int) -> tuple[list[str], list[str]]:
    """Return the labels of columns and of lines if most names consist of both, in either order; else empty labels."""
    best: tuple[int, list[str], list[str]] = (0, [""] * columns, [""] * lines)
    for column_first in (True, False):
        labels = _labels_in_order(board, cells, columns, lines, column_first)
        best = max(best, labels, key=lambda f: f[0])
    explained, column_labels, line_labels = best
    strays = _strays(board, cells, column_labels, line_labels)
    if explained < max(0.5 * len(cells), 4) or strays > 0.1 * explained or not any(line_labels):
        return [""] * columns, [""] * lines
    return column_labels, line_labels


def _strays(
    board: Board, cells: Mapping[int, Cell], column_labels: Sequence[str], line_labels: Sequence[str],
) -> int:
    """Count positions in the labelled columns whose names don't match, as on boards with shifted lines."""
    labelled = [i for i, label in enumerate(column_labels) if label]
    if not labelled:
        return len(cells)
    inside = [(board.places[p].name, column_labels[c], line_labels[r]) for p, (r, c) in cells.items()
              if labelled[0] <= c <= labelled[-1]]
    return sum(name not in (a + b, b + a) for name, a, b in inside)


def _labels_in_order(
    board: Board, cells: Mapping[int, Cell], columns: int, lines: int, column_first: bool,
) -> tuple[int, list[str], list[str]]:
    """Elect labels by votes of each split of a name; return (number of matching names, column labels, line labels)."""
    splits = {p: _splits(board.places[p].name, column_first) for p in cells}
    column_votes = [Counter[str]() for _ in range(columns)]
    line_votes = [Counter[str]() for _ in range(lines)]
    for p, (line, column) in cells.items():
        for a, b in splits[p]:
            column_votes[column][a] += 1
            line_votes[line][b] += 1
    chosen_columns = [Counter[str]() for _ in range(columns)]
    chosen_lines = [Counter[str]() for _ in range(lines)]
    for p, (line, column) in cells.items():
        if splits[p]:
            a, b = max(splits[p], key=lambda s: column_votes[column][s[0]] * line_votes[line][s[1]])
            chosen_columns[column][a] += 1
            chosen_lines[line][b] += 1
    column_labels = [votes.most_common(1)[0][0] if votes else "" for votes in chosen_columns]
    line_labels = [votes.most_common(1)[0][0] if votes else "" for votes in chosen_lines]
    fitting = [c for p, c in cells.items() if (line_labels[c[0]], column_labels[c[1]]) in
               {(b, a) for a, b in splits[p]}]
    by_column = Counter(c for _, c in fitting)
    total = Counter(c for _, c in cells.values())
    column_labels = [x if by_column[i] > max(0.6 * total[i], min(lines, 2) - 1) else ""
                     for i, x in enumerate(column_labels)]
    by_line = Counter(r for r, c in fitting if column_labels[c])
    line_labels = [x if by_line[i] else "" for i, x in enumerate(line_labels)]
    unique = len(set(filter(None, column_labels))) == len(list(filter(None, column_labels)))
    return (len(fitting) if unique else 0), column_labels, line_labels


def _splits(name: str, column_first: bool) -> list[tuple[str, str]]:
    """Return (column part, line part) for each split of a name in two."""
    cuts = [(name[:i], name[i:]) for i in range(1, len(name))]
    return cuts if column_first else [(b, a) for a, b in cuts]
