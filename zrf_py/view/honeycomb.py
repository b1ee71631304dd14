"""Recognition of hexagonal cells by distances and links; their rectangles are enlarged until they touch like hexagons.

On a triangular net, links only follow its lines. If links also cross the edge between two neighbours, like the
diagonals of hexagonal chess, the places are cells, however small their rectangles are in the rules file.
"""

from collections import defaultdict
from math import hypot

from zrf_py.view.field import Field, Rect

_NEAR, _ACROSS = (0.85, 1.18), (1.5, 1.95)
"""Ranges of distance, in steps: to neighbours, and to places across an edge between two of them (about √3)."""
_INNER, _JOINED, _SLANTED = 0.2, 0.9, 0.6
"""Minimum shares: of places with six neighbours; of linked pairs among neighbours; of linked pairs across an edge."""


def honeycomb(field: Field, links: set[tuple[int, int]]) -> dict[int, Rect]:
    """Return rectangles as wide as a step around the same centres; {} if the places are not hexagons."""
    step = field.spacing
    near, across = _pairs(field, step)
    six: dict[int, int] = defaultdict(int)
    for a, b in near:
        six[a] += 1
        six[b] += 1
    counts = [six[i] for i in field.boxes]
    if not across or max(counts, default=0) != 6 or counts.count(6) < _INNER * len(counts) or 0 in counts:
        return {}
    if len(near & links) < _JOINED * len(near) or len(across & links) < _SLANTED * len(across):
        return {}
    half = step / 2
    return {i: (b.x - half, b.y - half, b.x + half, b.y + half) for i, b in field.boxes.items()}


def _pairs(field: Field, step: float) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the pairs of places about a step apart, and the pairs about √3 steps apart."""
    near, across = set(), set()
    for i, a in field.boxes.items():
        reach = _ACROSS[1] * step
        for j in field.within(a.x - reach, a.y - reach, a.x + reach, a.y + reach):
            if i < j:
                far = hypot(field.boxes[j].x - a.x, field.boxes[j].y - a.y) / step
                if _NEAR[0] <= far <= _NEAR[1]:
                    near.add((i, j))
                elif _ACROSS[0] <= far <= _ACROSS[1]:
                    across.add((i, j))
    return near, across
