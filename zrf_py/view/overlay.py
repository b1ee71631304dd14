"""SVG overlays for zones, links and directions, drawn between board and pieces; outlines of places as path data."""

from collections.abc import Iterator

from zrf_py.text.grouping import by_key
from zrf_py.view.geometry import DrawnPlace
from zrf_py.view.scene import Arrow, Scene
from zrf_py.view.xml import attributes, number, text


def outline(place: DrawnPlace, inset: float = 0, circle: bool = False) -> str:
    """Return a place's outline as path data, `inset` pixels inside its edge; `circle`: points on lines are round."""
    x, y = place.x, place.y
    if place.shape == "hex":
        scale = 1 - 2 * inset / (place.room or 1)
        corners = [f"{number(x + (a - x) * scale)} {number(y + (b - y) * scale)}" for a, b in place.outline]
        return "M" + "L".join(corners) + "Z"
    if place.shape == "point" and circle:
        return disc(x, y, max(place.room / 2 - inset, 0.1))
    w, h = place.w - 2 * inset, place.h - 2 * inset
    return f"M{number(x - w / 2)} {number(y - h / 2)}h{number(w)}v{number(h)}h{number(-w)}Z"


def disc(x: float, y: float, r: float) -> str:
    """Return a circle as path data."""
    arc = f"a{number(r)} {number(r)} 0 1 0"
    return f"M{number(x - r)} {number(y)}{arc} {number(2 * r)} 0{arc} {number(-2 * r)} 0Z"


COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b4fa0", "#555555")
DASHES = ("", "6 3", "2 3", "9 3 2 3", "1 2", "12 4")


def overlay_lines(scene: Scene) -> Iterator[str]:
    """Yield the SVG of the scene's overlays."""
    places = {p.index: p for p in scene.places}
    if "zones" in scene.overlays:
        yield from _zones(scene, places)
    if "links" in scene.overlays:
        yield from _links(scene, places)
    if "directions" in scene.overlays:
        yield from _directions(scene, places)


def _zones(scene: Scene, places: dict[int, DrawnPlace]) -> Iterator[str]:
    """Yield a frame for each place of each zone, with the zone's colour and dashes; frames in one place are nested."""
    depth = dict.fromkeys(places, 0)
    unit = scene.unit
    for n, zone in enumerate(scene.zones):
        path = []
        for i in zone.places:
            p, inset = places[i], (0.07 + 0.065 * (depth[i] % 6)) * unit
            depth[i] += 1
            path.append(outline(p, min(inset, 0.4 * p.room), circle=True))
        colour = COLOURS[n % len(COLOURS)]
        dashes = " ".join(number(float(d) * unit / 48) for d in DASHES[n // 2 % len(DASHES)].split())
        line = attributes(fill=colour, fill_opacity=0.12, stroke=colour, stroke_width=0.055 * unit,
                          stroke_dasharray=dashes)
        caption = f"{zone.name} ({', '.join(zone.players)})"
        size = 0.3 * unit
        yield f'<g {attributes(class_="zone", data_zone=zone.name)}><title>{text(caption)}</title>' \
              f'<path d="{"".join(path)}" {line}/>' \
              f'<rect {attributes(x=zone.x, y=zone.y - size / 2, width=size, height=size)} {line}/>' \
              f'<text {attributes(x=zone.x + 0.45 * unit, y=zone.y + 0.1 * unit, font_size=size, fill="#4a4339")}>' \
              f'{text(caption)}</text></g>'


def _links(scene: Scene, places: dict[int, DrawnPlace]) -> Iterator[str]:
    """Yield a line for each pair of linked places, with an arrowhead for one-way links."""
    drawn: set[tuple[int, int]] = set()
    for arrow in scene.arrows:
        a, b = arrow.start, arrow.end
        pair = (min(a, b), max(a, b)) if arrow.both else (a, b)
        if pair not in drawn:
            drawn.add(pair)
            yield _arrow(scene, places, arrow, 0.5, not arrow.both)


def _directions(scene: Scene, places: dict[int, DrawnPlace]) -> Iterator[str]:
    """Yield the names of directions inside each place, on the side to which they lead."""
    names = by_key(((arrow.start, arrow.end), arrow.direction) for arrow in scene.arrows)
    yield '<g class="directions" fill="#004c78" stroke="#fbfaf6" paint-order="stroke" text-anchor="middle">'
    for (start, end), directions in names.items():
        a, b = places[start], places[end]
        far = max(abs(b.x - a.x), abs(b.y - a.y)) or 1
        x, y = a.x + (b.x - a.x) / far * 0.34 * a.room, a.y + (b.y - a.y) / far * 0.34 * a.room
        size = 0.17 * a.room
        yield f"<text {attributes(x=x, y=y + size / 3, font_size=size, stroke_width=size / 4)}>" \
              f"{text('/'.join(directions))}</text>"
    yield "</g>"


def _arrow(scene: Scene, places: dict[int, DrawnPlace], arrow: Arrow, share: float, head: bool) -> str:
    a, b = places[arrow.start], places[arrow.end]
    line = attributes(x1=a.x, y1=a.y, x2=b.x, y2=b.y, stroke="#0072b2", stroke_width=0.04 * scene.unit,
                      stroke_opacity=share)
    if not head:
        return f"<line {line}/>"
    dx, dy = b.x - a.x, b.y - a.y
    length = (dx * dx + dy * dy) ** 0.5 or 1
    ux, uy, size = dx / length, dy / length, 0.16 * scene.unit
    x, y = a.x + dx * 0.62, a.y + dy * 0.62
    tip = f"M{number(x + ux * size)} {number(y + uy * size)}L{number(x - uy * size / 2)} {number(y + ux * size / 2)}" \
          f"L{number(x + uy * size / 2)} {number(y - ux * size / 2)}Z"
    return f'<line {line}/><path {attributes(d=tip, fill="#0072b2")}/>'
