"""Layout of a checked board for drawing: `plan_of` returns a `BoardPlan` with shapes, shades, lines and labels.

A rules file gives only the rectangles of places on its own bitmap. Touching rectangles are cells: squares, or hexagons
if every other row is shifted by half. Rectangles with gaps between them, or linked over empty ground, are points on
lines. An isolated rectangle without links is a square beside the board.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from statistics import median

from zrf_py.front.model import Board
from zrf_py.play.beside import stacks_of
from zrf_py.text.grouping import by_key
from zrf_py.view.cells import hexagon, leaning_cell
from zrf_py.view.field import CORNER, HEX_ROW, SIDE_X, SIDE_Y, Box, Field, Point, Rect, spread, unstacked
from zrf_py.view.honeycomb import honeycomb
from zrf_py.view.layout import Layout, make_layout, visible

NO_GEOMETRY = 48.0
"""Size in pixels of places without a rectangle in the rules file."""
LEAST_NET = 9
MAX_PIXEL = 100_000
"""Largest coordinate, in pixels: places beyond it are not drawn."""


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A drawn place: `index` is its number in the rules, (x, y) its centre, w and h its size, in pixels.

    `shape` is "square" (any upright rectangle), "hex" (`outline` has the corners) or "point" (on lines). `shade` is 0,
    1 or 2 on a chequered board, else 0; `goal` is True if an end condition names the place; `zones` are the names of
    its zones. `room` is the maximum width of a piece. `stack` is the lowest place of its stack (linked off-board
    places with the same rectangle), -1 without one.
    """

    index: int
    name: str
    x: float
    y: float
    w: float
    h: float
    shape: str
    shade: int = 0
    goal: bool = False
    zones: tuple[str, ...] = ()
    outline: tuple[Point, ...] = ()
    room: float = 0
    stack: int = -1


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line of the board between the centres of two places."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Label:
    """A coordinate label at the edge of the board, centred on (x, y); `size` is its height."""

    x: float
    y: float
    text: str
    size: float


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """Layout of a board: `bounds` is its left, top, right and bottom, `panel` the same for the background below points.

    See `Scene` for the other fields.
    """

    bounds: Rect
    panel: Rect | None
    unit: float
    places: tuple[DrawnPlace, ...]
    lines: tuple[BoardLine, ...]
    labels: tuple[Label, ...]


def plan_of(board: Board, shaded: bool, picture: tuple[int, int] | None = None, moved: bool = True,
            stones: bool = False) -> BoardPlan:
    """Lay out a board, in pixels of the rules file; places beyond its bitmap, of size `picture`, are not drawn.

    `shaded`: chequer the cells if there are diagonal links. `moved`: bring parts with wide gaps closer together.
    `stones`: pieces are only ever dropped, so the squares of a large board become points of a grid, as in Go.
    """
    drawn = _drawn(board, picture)
    stacks = {i: low for i, low in stacks_of(board).items() if i in drawn}
    written = {i: r for i, r in drawn.items() if stacks.get(i, i) == i}
    rectangles = unstacked(_apart(written)) if written else _fallback(board)
    field = Field(_fitted(rectangles))
    links = _links(board, field)
    cellular = honeycomb(field, links)
    field = Field(cellular) if cellular else field
    points = set() if cellular else (stones and _grid(field)) or _points(field, links)
    if moved and not points:
        field = Field(_closer(field))
    cells = _cells(board, field, points, links, shaded)
    cells = [replace(cell, stack=stacks.get(cell.index, -1)) for cell in cells]
    lowest = {cell.index: cell for cell in cells}
    cells += [replace(lowest[low], index=i, name=board.places[i].name) for i, low in stacks.items() if i != low]
    panel = _panel(field, points) if points else None
    reach = [panel] if panel else []
    reach += [(x, y, x, y) for p in cells for x, y in p.outline]
    bounds = _around([field.bounds(), *reach])
    labels = _labels(field, make_layout(board, 1), bounds) if rectangles == written else ()
    labels = labels or _names([cell for cell in cells if cell.stack in (-1, cell.index)], field.unit, bounds)
    lines = tuple(_lines(field, links, points)) if points else ()
    largest_first = tuple(sorted(cells, key=lambda p: (-p.w * p.h, p.index)))
    return BoardPlan(bounds, panel, field.unit, largest_first, lines, labels)


def _panel(field: Field, points: set[int]) -> Rect:
    """Return the panel below points, which extends a little more than half a step beyond the outermost ones."""
    around = 0.62 * min(field.spacing, 1.5 * field.unit)
    boxes = [field.boxes[i] for i in points]
    return _around([(b.x - max(around, b.w / 2), b.y - max(around, b.h / 2), b.x + max(around, b.w / 2),
                     b.y + max(around, b.h / 2)) for b in boxes])


def _around(rectangles: list[Rect]) -> Rect:
    left, top, right, bottom = zip(*rectangles, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _fallback(board: Board) -> dict[int, Rect]:
    """Return rectangles for a board without usable ones: at the given corners if these differ, else by graph layout."""
    drawn = [i for i, p in enumerate(board.places) if not p.dummy]
    corners = {i: board.places[i].rectangle[:2] for i in drawn}
    if len(set(corners.values())) > 0.9 * len(drawn) > 1:
        step = min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in pairwise(corners.values())) or NO_GEOMETRY
        return {i: (x, y, x + step, y + step) for i, (x, y) in corners.items()}
    number = {p: n for n, p in enumerate(drawn)}
    pairs = [(number[a], number[b]) for table in board.links for a, b in enumerate(table)
             if a in number and b in number]
    step = NO_GEOMETRY * (1.6 if pairs and len(drawn) <= 120 else 1)
    return {p: (x * step, y * step, x * step + NO_GEOMETRY, y * step + NO_GEOMETRY)
            for p, (x, y) in zip(drawn, spread(len(drawn), pairs), strict=True)}


def _drawn(board: Board, picture: tuple[int, int] | None) -> dict[int, Rect]:
    """Return the rectangles of the places that are drawn, as in the rules file."""
    drawn: dict[int, Rect] = {i: r for i, r in visible(board).items() if max(r) <= MAX_PIXEL}
    if picture:
        inside = {i: r for i, r in drawn.items() if r[0] + r[2] <= 2 * picture[0] and r[1] + r[3] <= 2 * picture[1]}
        return inside or drawn
    return drawn


def _closer(field: Field) -> dict[int, Rect]:
    """Bring the parts of a board closer together, where wide empty bands separate them; return the new rectangles."""
    across = _bands([(b.x - b.w / 2, b.x + b.w / 2) for b in field.boxes.values()], field.unit)
    down = _bands([(b.y - b.h / 2, b.y + b.h / 2) for b in field.boxes.values()], field.unit)
    moved = {}
    for i, b in field.boxes.items():
        x, y = b.x - sum(w for at, w in across if at < b.x), b.y - sum(h for at, h in down if at < b.y)
        moved[i] = (x - b.w / 2, y - b.h / 2, x + b.w / 2, y + b.h / 2)
    return moved


def _bands(intervals: list[tuple[float, float]], unit: float) -> list[tuple[float, float]]:
    """Return (start, excess width) of each empty band wider than 2.5 units along one axis."""
    bands = []
    reached: float | None = None
    for start, end in sorted(intervals):
        if reached is not None and start - reached > 2.5 * unit:
            bands.append((reached, start - reached - unit))
        reached = end if reached is None else max(reached, end)
    return bands


def _apart(rectangles: dict[int, Rect]) -> dict[int, Rect]:
    """Shrink the rectangles if each covers a dozen others on average, which no picture can show."""
    left, top, right, bottom = _around([*rectangles.values(), (0, 0, 1, 1)])
    share = sum((c - a) * (d - b) for a, b, c, d in rectangles.values()) / ((right - left) * (bottom - top))
    if share < 12 or len(set(rectangles.values())) < 0.5 * len(rectangles):
        return rectangles
    size = max(((right - left) * (bottom - top) / len(rectangles)) ** 0.5, 1)
    middles = {i: ((a + c) / 2, (b + d) / 2) for i, (a, b, c, d) in rectangles.items()}
    return {i: (x - size / 2, y - size / 2, x + size / 2, y + size / 2) for i, (x, y) in middles.items()}


def _fitted(rectangles: dict[int, Rect]) -> dict[int, Rect]:
    """Shrink rectangles that overlap the next one of their size in the same row or column."""
    field = Field(rectangles)
    fitted = {}
    for i, a in field.boxes.items():
        near = [field.boxes[j] for j in field.within(a.x - a.w, a.y - a.h, a.x + a.w, a.y + a.h) if j != i]
        like = [b for b in near if 0.7 < b.w / a.w < 1.4 and 0.7 < b.h / a.h < 1.4]
        w = min([abs(b.x - a.x) for b in like if abs(b.y - a.y) < 0.1 * a.h and b.x != a.x] + [a.w])
        h = min([abs(b.y - a.y) for b in like if abs(b.x - a.x) < 0.1 * a.w and b.y != a.y] + [a.h])
        w, h = (w if w > 0.3 * a.w else a.w), (h if h > 0.3 * a.h else a.h)
        fitted[i] = (a.x - w / 2, a.y - h / 2, a.x + w / 2, a.y + h / 2)
    return fitted


def _links(board: Board, field: Field) -> set[tuple[int, int]]:
    """Return the linked pairs (lower, higher) of drawn places; only those linked both ways, if most are.

    A few one-way links then only serve the rules (to visit all places in turn, for instance), not the players.
    """
    links = {(a, b) for table in board.links for a, b in enumerate(table)
             if b >= 0 and a != b and a in field.boxes and b in field.boxes}
    pairs = {(min(a, b), max(a, b)) for a, b in links}
    both = {(a, b) for a, b in pairs if (a, b) in links and (b, a) in links}
    return both if len(both) > 0.6 * len(pairs) else pairs


def _points(field: Field, links: set[tuple[int, int]]) -> set[int]:
    """Return the places that are drawn as points on lines: all linked places if more than half of them touch no other
    place or are linked across a gap; else the places of each part in which 25 to 85 % of the corners are linked, on
    rising diagonals as well as on falling ones."""
    linked = {i for pair in links for i in pair}
    alone = {i for i in linked if not field.touching[i]}
    over = {i for a, b in links if b not in field.touching[a] and field.is_clear(a, b) for i in (a, b)}
    if len(linked) > 2 and len(alone | over) > 0.5 * len(linked):
        return linked
    return {i for part in field.parts if _is_web(field, part, links) for i in part}


def _grid(field: Field) -> set[int]:
    """Return all places if they form a square grid of odd size, 9 x 9 or more, like a Go board; else none."""
    across = {round(b.x) for b in field.boxes.values()}
    down = {round(b.y) for b in field.boxes.values()}
    is_net = len(across) == len(down) >= LEAST_NET and len(across) % 2 and len(across) ** 2 == len(field.boxes)
    return set(field.boxes) if is_net else set()


def _is_web(field: Field, part: list[int], links: set[tuple[int, int]]) -> bool:
    corners: Counter[bool] = Counter()
    joined: Counter[bool] = Counter()
    for a in part:
        for b, manner in field.touching[a].items():
            if a < b and manner == CORNER:
                corners[_falls(field, a, b)] += 1
                joined[_falls(field, a, b)] += (a, b) in links
    return all(0.25 * corners[slant] < joined[slant] < 0.85 * corners[slant] for slant in (True, False))


def _falls(field: Field, i: int, j: int) -> bool:
    """Return True if the line between two places runs from the upper left to the lower right."""
    a, b = field.boxes[i], field.boxes[j]
    return (a.x < b.x) == (a.y < b.y)


def _lines(field: Field, links: set[tuple[int, int]], points: set[int]) -> list[BoardLine]:
    """Return lines for the links that keep clear of other places; no crossing diagonals if most diagonals cross."""
    clear = [(a, b) for a, b in sorted(links) if a in points and b in points and field.is_clear(a, b)]
    slanting = [pair for pair in clear if _is_slanting(field, *pair)]
    middles = Counter(_middle(field, *pair) for pair in slanting)
    crossing = {pair for pair in slanting if middles[_middle(field, *pair)] > 1}
    if len(crossing) > 0.5 * len(slanting):
        clear = [pair for pair in clear if pair not in crossing]
    boxes = field.boxes
    return [BoardLine(boxes[a].x, boxes[a].y, boxes[b].x, boxes[b].y) for a, b in clear]


def _is_slanting(field: Field, i: int, j: int) -> bool:
    a, b = field.boxes[i], field.boxes[j]
    dx, dy = abs(a.x - b.x), abs(a.y - b.y)
    return min(dx, dy) > 0.2 * max(dx, dy)


def _middle(field: Field, i: int, j: int) -> tuple[int, int]:
    a, b = field.boxes[i], field.boxes[j]
    return round((a.x + b.x) / 4), round((a.y + b.y) / 4)


def _is_slantwise(field: Field, part: list[int], neighbours: Mapping[int, list[int]], kind: str) -> bool:
    """Return True if a part has diagonal links: across corners of squares, or between hexagons that don't touch."""
    own = set(part)
    links = [(i, j) for i in part for j in neighbours.get(i, ()) if j in own]
    if kind != "hex":
        return sum(field.touching[i].get(j) == CORNER for i, j in links) > 0.1 * len(links)
    return sum(j not in field.touching[i] for i, j in links) > 0.2 * len(links)


def _cells(
    board: Board, field: Field, points: set[int], links: set[tuple[int, int]], shaded: bool,
) -> list[DrawnPlace]:
    places = []
    neighbours = by_key(links)
    zones = by_key((i, name) for name, by_player in zip(board.zone_names, board.zones, strict=True)
                   for i in {i for squares in by_player for i in squares})
    for part in field.parts:
        manners = Counter(kind for i in part for kind in field.touching[i].values())
        leaning = leaning_cell(field, part, links)
        hexagons = leaning or hexagon(field, part, manners)
        kind = "leaning" if leaning else "hex" if hexagons else "square"
        checkered = shaded and not points and _is_slantwise(field, part, neighbours, kind)
        shades = _shades(field, part, kind, links) if checkered else {}
        room = 2 * min((hypot(*_foot(a, b)) for a, b in pairwise(hexagons)), default=0)
        for i in part:
            box = field.boxes[i]
            shape = "hex" if hexagons else "square"
            place = DrawnPlace(i, board.places[i].name, box.x, box.y, box.w, box.h, shape, shades.get(i, 0),
                          zones=tuple(zones.get(i, ())), room=min(box.w, box.h))
            if i in points:
                wide = min(0.8 * field.spacing, 1.25 * place.room)
                place = replace(place, shape="point", room=min(max(place.room, wide), field.spacing))
            elif hexagons:
                place = replace(place, outline=tuple((box.x + x, box.y + y) for x, y in hexagons), room=room)
            places.append(place)
    return places


def _foot(a: Point, b: Point) -> Point:
    """Return the point of the line a–b nearest to (0, 0)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = -(a[0] * dx + a[1] * dy) / (dx * dx + dy * dy or 1)
    return a[0] + t * dx, a[1] + t * dy


def _shades(field: Field, part: list[int], kind: str, links: set[tuple[int, int]]) -> dict[int, int]:
    """Colour a part by flood fill: two shades for squares, three for hexagons; the lower left cell is dark (1)."""
    start = max(part, key=lambda i: (field.boxes[i].y, -field.boxes[i].x))
    shades = {start: 1}
    line = [start]
    for i in line:
        for j, manner in field.touching[i].items():
            if j not in shades and (kind != "leaning" or (i, j) in links):
                shades[j] = _next_shade(shades[i], field.boxes[i], field.boxes[j], manner, kind)
                line.append(j)
    return shades


def _next_shade(shade: int, a: Box, b: Box, manner: str, kind: str) -> int:
    if kind != "hex":
        return shade if manner == CORNER else 1 - shade
    along = b.x - a.x if manner in (SIDE_X, HEX_ROW) else b.y - a.y
    straight = manner in (SIDE_X, SIDE_Y)
    return (shade + (1 if (along > 0) == straight else 2)) % 3


def _labels(field: Field, layout: Layout, bounds: Rect) -> tuple[Label, ...]:
    """Place the labels of columns below the labelled part of the board, those of rows to its left."""
    named = [label for label in layout.line_labels if label]
    if len(set(named)) < max(len(named), 0.6 * len(layout.line_labels), 1):
        return ()
    cells = [(line, column, field.boxes[i]) for i, (line, column) in layout.cells.items()
             if i in field.boxes and layout.column_labels[column] and layout.line_labels[line]]
    columns = by_key((column, box) for _, column, box in cells)
    lines = by_key((line, box) for line, _, box in cells)
    size = _label_size(field, layout, columns, bounds)
    inside = [b for boxes in columns.values() for b in boxes]
    bottom = max((b.y + b.h / 2 for b in inside), default=0)
    left = min((b.x - b.w / 2 for b in inside), default=0)
    bottom = (bounds[3] if bounds[3] - bottom < field.unit else bottom) + max(0.3 * field.unit, 0.8 * size)
    left = (bounds[0] if left - bounds[0] < field.unit else left) - max(0.32 * field.unit, 0.75 * size)
    labels = [Label(median(b.x for b in boxes), bottom, layout.column_labels[c], size) for c, boxes in columns.items()]
    labels += [Label(left, median(b.y for b in boxes), layout.line_labels[r], size) for r, boxes in lines.items()]
    return tuple(labels)


def _names(cells: Sequence[DrawnPlace], unit: float, bounds: Rect) -> tuple[Label, ...]:
    """Return the names of places as labels inside them; none if one has more than 4 letters, or places are small."""
    if any(len(cell.name) > 4 for cell in cells) or unit < 0.03 * (bounds[2] - bounds[0]):
        return ()
    return tuple(Label(*_spot(cell, 0.15 * unit), cell.name, 0.15 * unit) for cell in cells)


def _spot(cell: DrawnPlace, size: float) -> Point:
    """Return the centre of a name of height `size`: at the bottom of a cell, or to the lower right of a point."""
    if cell.shape == "point":
        return cell.x + 0.42 * cell.room, cell.y + 0.42 * cell.room
    bottom = max((y for _, y in cell.outline), default=cell.y + cell.h / 2)
    is_pointed = sum(y > bottom - 0.05 * cell.h for _, y in cell.outline) == 1
    return cell.x, bottom - (0.55 + (0.3 * len(cell.name) if is_pointed else 0.1)) * size


def _label_size(field: Field, layout: Layout, columns: Mapping[int, Sequence[Box]], bounds: Rect) -> float:
    """Return the height of labels: larger on boards with many squares, if neighbouring labels still don't touch."""
    usual = 0.3 * field.unit
    middles = sorted(median(b.x for b in boxes) for boxes in columns.values())
    gap = min((right - left for left, right in pairwise(middles)), default=field.unit)
    longest = max((len(layout.column_labels[c]) for c in columns), default=1)
    return max(usual, min(0.027 * (bounds[2] - bounds[0]), 1.2 * gap / longest, 0.5 * gap))
