"""Cell shapes other than upright rectangles: oblique squares and hexagons, as corners relative to a cell's centre."""

from collections import Counter, defaultdict
from statistics import median

from zrf_py.view.field import HEX_COLUMN, HEX_ROW, SIDE_X, SIDE_Y, Field, Point

_ALL = 0.9
"""Minimum share of linked pairs among oblique squares that have an edge in common."""
_NONE = 0.1
"""Maximum share of linked pairs among oblique squares that touch only at a corner."""


def leaning_cell(field: Field, part: list[int], links: set[tuple[int, int]]) -> tuple[Point, ...]:
    """Return the corners of squares in oblique projection, as on boards of several floors; () for other parts.

    They touch like hexagons, but only one of the two upper neighbours is linked; on hexagons both are.
    """
    steps: dict[str, list[Point]] = defaultdict(list)
    joined: dict[str, int] = defaultdict(int)
    for i in part:
        for j, manner in field.touching[i].items():
            a, b = field.boxes[i], field.boxes[j]
            dx, dy = b.x - a.x, b.y - a.y
            side = SIDE_X if manner == SIDE_X else "" if manner != HEX_ROW or dy >= 0 else "right" if dx > 0 else "left"
            if side:
                steps[side].append((abs(dx) if side == SIDE_X else dx, dy))
                joined[side] += (i, j) in links or (j, i) in links
    share = {side: joined[side] / len(steps[side]) for side in steps}
    for up, across in (("right", "left"), ("left", "right")):
        if share.get(SIDE_X, 0) >= _ALL and share.get(up, 0) >= _ALL and across in share and share[across] <= _NONE:
            x, y = (median(step[k] for step in steps[up]) / 2 for k in (0, 1))
            half = median(step[0] for step in steps[SIDE_X]) / 2
            return (x - half, y), (x + half, y), (half - x, -y), (-x - half, -y)
    return ()


def hexagon(field: Field, part: list[int], manners: Counter[str]) -> tuple[Point, ...]:
    """Return the corners of a part's hexagons; () if it has none. `manners` counts its contacts by their manner."""
    if manners[HEX_ROW] + manners[HEX_COLUMN] < 1.2 * len(part):
        return ()
    rows = manners[HEX_ROW] > manners[HEX_COLUMN]
    kind, stacked = (HEX_ROW, SIDE_Y) if rows else (HEX_COLUMN, SIDE_X)
    if manners[stacked] > 0.2 * len(part):
        return ()
    steps = [(abs(a.x - b.x), abs(a.y - b.y)) for i in part for j, k in field.touching[i].items() if k == kind
             for a, b in [(field.boxes[i], field.boxes[j])]]
    dx, dy = median(s[0] for s in steps), median(s[1] for s in steps)
    if rows:
        return ((0, -2 * dy / 3), (dx, -dy / 3), (dx, dy / 3), (0, 2 * dy / 3), (-dx, dy / 3), (-dx, -dy / 3))
    return ((2 * dx / 3, 0), (dx / 3, dy), (-dx / 3, dy), (-2 * dx / 3, 0), (-dx / 3, -dy), (dx / 3, -dy))
