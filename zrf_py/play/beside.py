"""Off-board areas: hands, pools and other squares that no links join with the board itself."""

from collections import defaultdict

from zrf_py.front.model import Board

Rectangle = tuple[int, int, int, int]


def parts_beside(board: Board) -> list[frozenset[int]]:
    """Return the connected components of the board's links that have less than half the squares of the largest."""
    near: list[set[int]] = [set() for _ in board.places]
    for table in board.links:
        for a, b in enumerate(table):
            if b >= 0:
                near[a].add(b)
                near[b].add(a)
    parts: list[frozenset[int]] = []
    visited: set[int] = set()
    for start in range(len(board.places)):
        if start not in visited:
            part, queue = {start}, [start]
            while queue:
                fresh = near[queue.pop()] - part
                part |= fresh
                queue += fresh
            visited |= part
            parts.append(frozenset(part))
    largest = max(map(len, parts), default=0)
    return [part for part in parts if 2 * len(part) < largest]


def stacks_of(board: Board) -> dict[int, int]:
    """Map each square of a stack to its lowest one: a stack is linked off-board squares with the same rectangle."""
    stacks: dict[int, int] = {}
    for part in parts_beside(board):
        by_rectangle: dict[Rectangle, list[int]] = defaultdict(list)
        for i in sorted(part):
            if not board.places[i].dummy:
                by_rectangle[board.places[i].rectangle].append(i)
        for places in by_rectangle.values():
            if len(places) > 1:
                stacks.update(dict.fromkeys(places, places[0]))
    return stacks
