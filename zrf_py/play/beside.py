"""Squares beside the board: hands, pools and other places that no links join with the board itself."""

from collections import defaultdict

from zrf_py.front.model import Board

Rectangle = tuple[int, int, int, int]


def parts_beside(board: Board) -> list[frozenset[int]]:
    """The parts of a board, each joined by links, that are less than half as large as its largest part."""
    near: list[set[int]] = [set() for _ in board.places]
    for table in board.links:
        for a, b in enumerate(table):
            if b >= 0:
                near[a].add(b)
                near[b].add(a)
    found: list[frozenset[int]] = []
    seen: set[int] = set()
    for start in range(len(board.places)):
        if start not in seen:
            part, queue = {start}, [start]
            while queue:
                fresh = near[queue.pop()] - part
                part |= fresh
                queue += fresh
            seen |= part
            found.append(frozenset(part))
    largest = max(map(len, found), default=0)
    return [part for part in found if 2 * len(part) < largest]


def stacks_of(board: Board) -> dict[int, int]:
    """For each place of a stack the lowest one: squares beside the board that are linked and have one rectangle."""
    found: dict[int, int] = {}
    for part in parts_beside(board):
        by_rectangle: dict[Rectangle, list[int]] = defaultdict(list)
        for i in sorted(part):
            if not board.places[i].dummy:
                by_rectangle[board.places[i].rectangle].append(i)
        for places in by_rectangle.values():
            if len(places) > 1:
                found.update(dict.fromkeys(places, places[0]))
    return found
