"""Merging of many SVG shapes into few paths, which browsers render much faster."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from zrf_py.view.geometry import DrawnPlace
from zrf_py.view.xml import number

_SHAPE = re.compile(r'<path d="([^"]*)"([^>]*)/>|<circle cx="([^"]*)" cy="([^"]*)" r="([^"]*)"([^>]*)/>')
_SAME_SPOT = 0.35
"""Two places overlap if their centres are nearer than this fraction of the sum of their sizes."""


def merged(drawn: Iterable[str], places: Sequence[DrawnPlace]) -> Iterator[str]:
    """Merge shapes (`<path>` and `<circle>` elements, one text for each place) into one path per style.

    If places overlap, the drawing order matters, and each shape stays a path of its own.
    """
    shapes = [_shape(element) for text in drawn for element in _SHAPE.finditer(text)]
    if not _any_overlap(places):
        shapes.sort(key=lambda shape: shape[0] == "" or 'fill="none"' in shape[0])  # outlines are drawn over fills
        by_style = {look: "" for look, _ in shapes}
        for look, path in shapes:
            by_style[look] += path
        shapes = list(by_style.items())
    for look, path in shapes:
        yield f'<path d="{path}"{look}/>'


def _shape(element: re.Match[str]) -> tuple[str, str]:
    """Return (style attributes, path data) of an element; circles become arcs."""
    if element[1] is not None:
        return element[2], element[1]
    x, y, r = map(float, element.group(3, 4, 5))
    arc, across = f"a{number(r)} {number(r)} 0 1 0", number(2 * r)
    return element[6], f"M{number(x - r)} {number(y)}{arc} {across} 0{arc} -{across} 0Z"


def _any_overlap(places: Sequence[DrawnPlace]) -> bool:
    """Return whether two places overlap; each is compared with those near it only, as boards may be large."""
    size = 2 * max((max(place.w, place.h) for place in places), default=1) or 1
    cells: dict[tuple[int, int], list[DrawnPlace]] = {}
    for place in places:
        x, y = int(place.x // size), int(place.y // size)
        if any(_overlap(place, other) for near in product((x - 1, x, x + 1), (y - 1, y, y + 1))
               for other in cells.get(near, ())):
            return True
        cells.setdefault((x, y), []).append(place)
    return False


def _overlap(a: DrawnPlace, b: DrawnPlace) -> bool:
    return abs(a.x - b.x) < _SAME_SPOT * (a.w + b.w) and abs(a.y - b.y) < _SAME_SPOT * (a.h + b.h)
