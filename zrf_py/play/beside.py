"""Off-board areas: hands, pools and other squares that are not linked to the board itself."""

from zrf_py.front.model import Board, steps_from
from zrf_py.text.grouping import by_key


def parts_beside(board: Board) -> list[frozenset[int]]:
    """Return the sets of linked squares (connected components) whose size is less than half that of the largest."""
    near = board.linked()
    parts: list[frozenset[int]] = []
    visited: set[int] = set()
    for start in range(len(board.places)):
        if start not in visited:
            parts.append(frozenset(steps_from([start], near.__getitem__)))
            visited |= parts[-1]
    largest = max(map(len, parts), default=0)
    return [part for part in parts if 2 * len(part) < largest]


def stacks_of(board: Board) -> dict[int, int]:
    """Map each square of a stack (linked off-board squares with equal rectangles) to the first square of the stack."""
    stacks: dict[int, int] = {}
    for part in parts_beside(board):
        by_rectangle = by_key((board.places[i].rectangle, i) for i in sorted(part) if not board.places[i].dummy)
        for places in by_rectangle.values():
            if len(places) > 1:
                stacks.update(dict.fromkeys(places, places[0]))
    return stacks
