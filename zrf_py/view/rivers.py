"""Lines of some boards that differ from the links: added diagonals of a palace, missing lines across a river.

The table of looks names the zones, with the piece set by which such a board is recognised.
"""

from collections.abc import Mapping

from zrf_py.front.model import Board
from zrf_py.view.geometry import BoardLine, BoardPlan


def marked_lines(board: Board, plan: BoardPlan, marks: Mapping[str, str]) -> tuple[BoardLine, ...]:
    """Return a plan's lines with the diagonals of each zone `palace`, without inner lines between the zones `banks`."""
    spots = {(p.x, p.y): p.index for p in plan.places}
    left, right = min(p.x for p in plan.places), max(p.x for p in plan.places)
    side = {i: n for n, places in enumerate(_zone(board, marks.get("banks", ""))) for i in places}

    def crosses(line: BoardLine) -> bool:
        a, b = (side.get(spots.get(end, -1)) for end in ((line.x1, line.y1), (line.x2, line.y2)))
        return a is not None and b is not None and a != b and line.x1 not in (left, right)

    lines = [line for line in plan.lines if not crosses(line)]
    by_index = {p.index: p for p in plan.places}
    for places in _zone(board, marks.get("palace", "")):
        inside = [by_index[i] for i in places if i in by_index]
        xs, ys = [p.x for p in inside], [p.y for p in inside]
        lines += [BoardLine(min(xs), min(ys), max(xs), max(ys)), BoardLine(min(xs), max(ys), max(xs), min(ys))]
    return tuple(lines)


def _zone(board: Board, name: str) -> list[tuple[int, ...]]:
    """Return the distinct, non-empty sets of places that a zone has for the players."""
    if name not in board.zone_names:
        return []
    return [places for places in dict.fromkeys(board.zones[board.zone_names.index(name)]) if places]
