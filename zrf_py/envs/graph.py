"""The board as a graph: squares and links, for networks that know no rectangles."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zrf_py.ir.ops import Program


class Graph:
    """`edge_index` (2, edges) int64: from, to; `edge_type` (edges,) int64: the direction, a number in `directions`."""

    def __init__(self, program: Program) -> None:
        board = program.game.board
        self.squares: tuple[str, ...] = tuple(place.name for place in board.places)
        """Names, by number."""
        self.directions: tuple[str, ...] = board.directions
        edges = [(start, end, number) for number, row in enumerate(board.links) for start, end in enumerate(row)
                 if end >= 0]
        table: NDArray[Any] = np.array(edges, np.int64).reshape(-1, 3)
        self.edge_index: NDArray[np.int64] = np.ascontiguousarray(table[:, :2].T)
        self.edge_type: NDArray[np.int64] = np.ascontiguousarray(table[:, 2])
        self._places = board.places

    @cached_property
    def rectangle(self) -> tuple[int, int] | None:
        """(rows, columns) if the squares, in their order, fill a rectangle row by row or column by column; else None.

        Then `observation.reshape(size, planes, rows, columns)` is a picture of the board.
        """
        corners = [(place.rectangle[1], place.rectangle[0]) for place in self._places]
        ys, xs = sorted({y for y, _ in corners}), sorted({x for _, x in corners})
        if len(ys) * len(xs) != len(corners) or any(place.dummy for place in self._places):
            return None
        if sorted(corners) == corners or sorted(corners, key=lambda c: (-c[0], c[1])) == corners:
            return len(ys), len(xs)
        if sorted(corners, key=lambda c: (c[1], c[0])) == corners:
            return len(xs), len(ys)
        return None
