"""Spatial queries on the rectangles of a board: touching neighbours, connected parts, unobstructed lines."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import floor, hypot
from statistics import median

from zrf_py.front.model import steps_from
from zrf_py.text.grouping import by_key

Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Point = tuple[float, float]

SIDE_X, SIDE_Y, CORNER, HEX_ROW, HEX_COLUMN = "side-x", "side-y", "corner", "hex-row", "hex-column"
_TOUCH, _LEVEL = (0.8, 1.35), 0.2
_HALF, _STEP = (0.33, 0.67), (0.55, 1.35)


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle given by its centre and size."""

    x: float
    y: float
    w: float
    h: float


class Field:
    """Spatial index (a grid of buckets) of a board's places; `unit` is the median of their smaller sides."""

    def __init__(self, rectangles: Mapping[int, Rect]) -> None:
        self.boxes = {i: Box((a + c) / 2, (b + d) / 2, c - a, d - b) for i, (a, b, c, d) in rectangles.items()}
        self.unit = median([min(b.w, b.h) for b in self.boxes.values()] or [48])
        left, top, right, bottom = self.bounds()
        self._bucket = max(self.unit, ((right - left) * (bottom - top) / (len(self.boxes) or 1)) ** 0.5, 1)
        self._clear: dict[tuple[int, int], bool] = {}
        self._buckets = by_key((self._key(box.x, box.y), i) for i, box in self.boxes.items())

    def _key(self, x: float, y: float) -> tuple[int, int]:
        return floor(x / self._bucket), floor(y / self._bucket)

    def within(self, left: float, top: float, right: float, bottom: float) -> Iterator[int]:
        """Yield the places whose centres are in a rectangle, and perhaps some outside it."""
        (x1, y1), (x2, y2) = self._key(left, top), self._key(right, bottom)
        if (x2 - x1 + 1) * (y2 - y1 + 1) > len(self._buckets):
            yield from self.boxes
            return
        for x in range(x1, x2 + 1):
            for y in range(y1, y2 + 1):
                yield from self._buckets.get((x, y), ())

    @cached_property
    def touching(self) -> dict[int, dict[int, str]]:
        """Neighbours of each place, with the manner of touching: at a side, at a corner, or like hexagons."""
        neighbours: dict[int, dict[int, str]] = {}
        for i, a in self.boxes.items():
            near = self.within(a.x - 1.9 * a.w, a.y - 1.9 * a.h, a.x + 1.9 * a.w, a.y + 1.9 * a.h)
            neighbours[i] = {j: manner for j in near if j != i and (manner := _touch(a, self.boxes[j]))}
        return neighbours

    @cached_property
    def parts(self) -> list[list[int]]:
        """Connected components of `touching`."""
        visited: set[int] = set()
        parts = []
        for start in self.boxes:
            if start not in visited:
                parts.append([*steps_from([start], self.touching.__getitem__)])
                visited.update(parts[-1])
        return parts

    @cached_property
    def spacing(self) -> float:
        """Median distance from a place to the nearest other one."""
        return median([self._nearest(i) for i in self.boxes] or [self.unit])

    def _nearest(self, i: int) -> float:
        a, reach = self.boxes[i], self.unit
        while True:
            others = [hypot(b.x - a.x, b.y - a.y) for j in
                      self.within(a.x - reach, a.y - reach, a.x + reach, a.y + reach) if (b := self.boxes[j]) is not a]
            if (others and min(others) <= reach) or reach > 64 * self.unit:
                return min(others, default=self.unit)
            reach *= 2

    def is_clear(self, i: int, j: int) -> bool:
        """Return True if the line between two places keeps clear of all others."""
        if (i, j) not in self._clear:
            self._clear[i, j] = self._is_clear(i, j)
        return self._clear[i, j]

    def _is_clear(self, i: int, j: int) -> bool:
        a, b = self.boxes[i], self.boxes[j]
        if len(self.boxes) > 200 and hypot(b.x - a.x, b.y - a.y) > 12 * self.spacing:
            return False
        room = 0.6 * min(self.spacing, hypot(b.x - a.x, b.y - a.y))
        near = self.within(min(a.x, b.x) - room, min(a.y, b.y) - room, max(a.x, b.x) + room, max(a.y, b.y) + room)
        return all(_distance(self.boxes[k], a, b) >= room for k in near if k not in (i, j))

    def bounds(self) -> Rect:
        """Return the bounding rectangle of all places; 48 x 48 pixels without places."""
        boxes = self.boxes.values()
        return (min((b.x - b.w / 2 for b in boxes), default=0), min((b.y - b.h / 2 for b in boxes), default=0),
                max((b.x + b.w / 2 for b in boxes), default=48), max((b.y + b.h / 2 for b in boxes), default=48))


def _touch(a: Box, b: Box) -> str:
    """Return the manner in which two boxes touch; "" if they don't, or differ much in size."""
    w, h = (a.w + b.w) / 2, (a.h + b.h) / 2
    if max(a.w, b.w) > 1.4 * min(a.w, b.w) or max(a.h, b.h) > 1.4 * min(a.h, b.h):
        return ""
    dx, dy = abs(a.x - b.x) / w, abs(a.y - b.y) / h
    beside, below = _TOUCH[0] <= dx <= _TOUCH[1], _TOUCH[0] <= dy <= _TOUCH[1]
    if beside and below:
        return CORNER
    if beside and dy < _LEVEL:
        return SIDE_X
    if below and dx < _LEVEL:
        return SIDE_Y
    if _HALF[0] <= dx <= _HALF[1] and _STEP[0] <= dy <= _STEP[1]:
        return HEX_ROW
    if _HALF[0] <= dy <= _HALF[1] and _STEP[0] <= dx <= _STEP[1]:
        return HEX_COLUMN
    return ""


def _distance(point: Box, a: Box, b: Box) -> float:
    """Return the distance from a point to the segment a–b."""
    dx, dy = b.x - a.x, b.y - a.y
    length = dx * dx + dy * dy
    t = 0.0 if not length else max(0.0, min(1.0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length))
    return hypot(point.x - a.x - t * dx, point.y - a.y - t * dy)


def unstacked(rectangles: Mapping[int, Rect]) -> dict[int, Rect]:
    """Move places apart that lie on top of each other: each further layer becomes a board beside the first.

    Places of different sizes that share a centre stay: one is a part of the other, or a mark on it.
    """
    field = Field(rectangles)
    spots: dict[tuple[int, int], list[int]] = defaultdict(list)
    depth: dict[int, int] = defaultdict(int)
    layer: dict[int, int] = {}
    for i, a in field.boxes.items():
        x, y = int(a.x / field.unit), int(a.y / field.unit)
        near = [spot for dx in (0, -1, 1) for dy in (0, -1, 1) for spot in spots.get((x + dx, y + dy), ())]
        lowest = next((spot for spot in near if _same_spot(a, field.boxes[spot])), None)
        if lowest is None:
            spots[x, y].append(i)
            layer[i] = 0
        else:
            depth[lowest] += 1
            layer[i] = depth[lowest]
    layers = max(layer.values(), default=0) + 1
    if layers == 1:
        return dict(rectangles)
    left, top, right, bottom = field.bounds()
    columns = round(layers**0.5 + 0.49)
    dx, dy = right - left + field.unit, bottom - top + field.unit
    moved = {}
    for i, (x1, y1, x2, y2) in rectangles.items():
        x, y = layer[i] % columns * dx, layer[i] // columns * dy
        moved[i] = (x1 + x, y1 + y, x2 + x, y2 + y)
    return moved


def _same_spot(a: Box, b: Box) -> bool:
    return abs(a.x - b.x) < 0.3 * a.w and abs(a.y - b.y) < 0.3 * a.h and 0.5 < (a.w * a.h) / (b.w * b.h) < 2


def spread(count: int, pairs: Iterable[tuple[int, int]]) -> list[tuple[float, float]]:
    """Return `count` points, the closest about 1 apart: by graph layout, if linked and at most 120; else on a grid."""
    columns = max(1, round(count**0.5 + 0.49))
    points = [(float(i % columns), float(i // columns)) for i in range(count)]
    neighbours: dict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        neighbours[a].add(b)
        neighbours[b].add(a)
    if not neighbours or count > 120:
        return points
    steps = [steps_from([i], lambda place: sorted(neighbours[place])) for i in range(count)]
    distances = [[near.get(i, round(count**0.5) + 1) for i in range(count)] for near in steps]
    for _ in range(60):
        points = [_pulled(i, points, distances[i]) for i in range(count)]
    shortest = min((hypot(a[0] - b[0], a[1] - b[1]) for i, a in enumerate(points) for b in points[:i]), default=1)
    scale = 1 / max(shortest, 0.2)
    left, top = min(p[0] for p in points), min(p[1] for p in points)
    return [((x - left) * scale, (y - top) * scale) for x, y in points]


def _pulled(i: int, points: list[tuple[float, float]], distances: list[int]) -> tuple[float, float]:
    """Return a point's new position by one step of stress majorisation towards the given distances."""
    x, y = points[i]
    total = sx = sy = 0.0
    for j, (px, py) in enumerate(points):
        if j == i:
            continue
        far = hypot(x - px, y - py) or 0.01
        weight = 1 / distances[j] ** 2
        sx += weight * (px + distances[j] * (x - px + 0.003 * (i - j)) / far)
        sy += weight * (py + distances[j] * (y - py) / far)
        total += weight
    return (sx / total, sy / total) if total else (x, y)
