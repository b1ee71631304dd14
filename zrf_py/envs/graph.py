"""The board as a graph of squares and links, for graph neural networks."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zrf_py.ir.ops import Program


class Graph:
    """Links of a board: `edge_index` (2, edges) holds from and to; `edge_type` (edges,) the index in `directions`."""

    def __init__(self, program: Program) -> None:
        board = program.game.board
        self.squares: tuple[str, ...] = tuple(place.name for place in board.places)
        """Names of the squares, by number."""
        self.directions: tuple[str, ...] = board.directions
        edges = [(start, end, number) for number, row in enumerate(board.links) for start, end in enumerate(row)
                 if end >= 0]
        table: NDArray[Any] = np.array(edges, np.int64).reshape(-1, 3)
        self.edge_index: NDArray[np.int64] = np.ascontiguousarray(table[:, :2].T)
        self.edge_type: NDArray[np.int64] = np.ascontiguousarray(table[:, 2])
        self._places = board.places

    @cached_property
    def image(self) -> NDArray[np.int64] | None:
        """Square numbers as drawn, (rows, columns), top row first; None if the squares fill no rectangle.

        `observation[..., graph.image]` is an image of the board, (…, rows, columns).
        """
        corners = {(place.rectangle[1], place.rectangle[0]): number for number, place in enumerate(self._places)}
        ys, xs = sorted({y for y, _ in corners}), sorted({x for _, x in corners})
        if len(ys) * len(xs) != len(self._places) or len(corners) != len(self._places) or any(
                place.dummy for place in self._places):
            return None
        return np.array([[corners[y, x] for x in xs] for y in ys], np.int64)

    @property
    def rectangle(self) -> tuple[int, int] | None:
        """The shape of `image`, (rows, columns); None if there is none."""
        return None if self.image is None else (self.image.shape[0], self.image.shape[1])
