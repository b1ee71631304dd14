"""What many places look like → a few paths for all of them, which a browser draws much sooner than one for each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from zrf_py.view.geometry import Place
from zrf_py.view.xml import number

_SHAPE = re.compile(r'<path d="([^"]*)"([^>]*)/>|<circle cx="([^"]*)" cy="([^"]*)" r="([^"]*)"([^>]*)/>')
_SAME_SPOT = 0.35
"""Two places lie on each other if their centres are nearer than this share of their sizes together."""


def merged(drawn: Iterable[str], places: Sequence[Place]) -> Iterator[str]:
    """
    The shapes of places (`<path>` and `<circle>` elements, a text for each place) as one path for each way to draw
    them; where places lie on each other their order counts, and each shape stays a path of its own.
    """
    shapes = [_shape(found) for text in drawn for found in _SHAPE.finditer(text)]
    if not any(_lie_on_each_other(a, b) for a, b in combinations(places, 2)):
        shapes.sort(key=lambda shape: shape[0] == "" or 'fill="none"' in shape[0])  # lines lie over what they are in
        ways = {look: "" for look, _ in shapes}
        for look, path in shapes:
            ways[look] += path
        shapes = list(ways.items())
    for look, path in shapes:
        yield f'<path d="{path}"{look}/>'


def _shape(found: re.Match[str]) -> tuple[str, str]:
    """How something is drawn, and its outline."""
    if found[1] is not None:
        return found[2], found[1]
    x, y, r = map(float, found.group(3, 4, 5))
    arc, across = f"a{number(r)} {number(r)} 0 1 0", number(2 * r)
    return found[6], f"M{number(x - r)} {number(y)}{arc} {across} 0{arc} -{across} 0Z"


def _lie_on_each_other(a: Place, b: Place) -> bool:
    return abs(a.x - b.x) < _SAME_SPOT * (a.w + b.w) and abs(a.y - b.y) < _SAME_SPOT * (a.h + b.h)
