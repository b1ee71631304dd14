"""Lines that some boards have beside those of their links: across a palace; and those a river interrupts.

Which zones these are stands in the table of looks, with the set of pieces such a board is known by.
"""

from collections.abc import Mapping

from zrf_py.front.model import Board
from zrf_py.view.geometry import Line, Plan


def marked_lines(board: Board, plan: Plan, marks: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines of a plan, with both diagonals of each zone `palace`; none between zones `banks` but at the edges."""
    spots = {(p.x, p.y): p.index for p in plan.places}
    left, right = min(p.x for p in plan.places), max(p.x for p in plan.places)
    side = {i: n for n, places in enumerate(_zone(board, marks.get("banks", ""))) for i in places}

    def crosses(line: Line) -> bool:
        a, b = (side.get(spots.get(end, -1)) for end in ((line.x1, line.y1), (line.x2, line.y2)))
        return a is not None and b is not None and a != b and line.x1 not in (left, right)

    kept = [line for line in plan.lines if not crosses(line)]
    by_index = {p.index: p for p in plan.places}
    for places in _zone(board, marks.get("palace", "")):
        inside = [by_index[i] for i in places if i in by_index]
        xs, ys = [p.x for p in inside], [p.y for p in inside]
        kept += [Line(min(xs), min(ys), max(xs), max(ys)), Line(min(xs), max(ys), max(xs), min(ys))]
    return tuple(kept)


def _zone(board: Board, name: str) -> list[tuple[int, ...]]:
    """The places of a zone, once for each player who has others."""
    if name not in board.zone_names:
        return []
    return [places for places in dict.fromkeys(board.zones[board.zone_names.index(name)]) if places]
