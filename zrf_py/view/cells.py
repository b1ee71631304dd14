"""A part of a board → the corners of its cells around their centres, where they are no upright squares."""

from collections import Counter, defaultdict
from statistics import median

from zrf_py.view.field import HEX_COLUMN, HEX_ROW, SIDE_X, SIDE_Y, Box, Field, Point

_ALL, _NONE = 0.9, 0.1
"""Shares of pairs that are joined: along the edges of squares, and across their corners."""


def leaning_cell(field: Field, part: list[int], links: set[tuple[int, int]]) -> tuple[Point, ...]:
    """Squares seen from the side, as on boards of several floors; nothing if the part isn't made of them.

    They touch as hexagons do, but men go to only one of the two places above; on hexagons they go to both.
    """
    steps: dict[str, list[Point]] = defaultdict(list)
    joined: dict[str, int] = defaultdict(int)
    for i in part:
        for j, how in field.touching[i].items():
            a, b = field.boxes[i], field.boxes[j]
            dx, dy = b.x - a.x, b.y - a.y
            way = SIDE_X if how == SIDE_X else "" if how != HEX_ROW or dy >= 0 else "right" if dx > 0 else "left"
            if way:
                steps[way].append((abs(dx) if way == SIDE_X else dx, dy))
                joined[way] += (i, j) in links or (j, i) in links
    share = {way: joined[way] / len(steps[way]) for way in steps}
    for up, across in (("right", "left"), ("left", "right")):
        if share.get(SIDE_X, 0) >= _ALL and share.get(up, 0) >= _ALL and across in share and share[across] <= _NONE:
            x, y = (median(step[k] for step in steps[up]) / 2 for k in (0, 1))
            half = median(step[0] for step in steps[SIDE_X]) / 2
            return (x - half, y), (x + half, y), (half - x, -y), (-x - half, -y)
    return ()


def hexagon(field: Field, part: list[int], how: Counter[str]) -> tuple[Point, ...]:
    """Hexagons; nothing if the part isn't made of hexagons."""
    if how[HEX_ROW] + how[HEX_COLUMN] < 1.2 * len(part):
        return ()
    rows = how[HEX_ROW] > how[HEX_COLUMN]
    kind, stacked = (HEX_ROW, SIDE_Y) if rows else (HEX_COLUMN, SIDE_X)
    if how[stacked] > 0.2 * len(part):
        return ()
    steps = [_step(field.boxes[i], field.boxes[j]) for i in part for j, k in field.touching[i].items() if k == kind]
    dx, dy = median(s[0] for s in steps), median(s[1] for s in steps)
    if rows:
        return ((0, -2 * dy / 3), (dx, -dy / 3), (dx, dy / 3), (0, 2 * dy / 3), (-dx, dy / 3), (-dx, -dy / 3))
    return ((2 * dx / 3, 0), (dx / 3, dy), (-dx / 3, dy), (-2 * dx / 3, 0), (-dx / 3, -dy), (dx / 3, -dy))


def _step(a: Box, b: Box) -> Point:
    return abs(a.x - b.x), abs(a.y - b.y)
