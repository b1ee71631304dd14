"""SVG rendering of a scene: self-contained, without external fonts, files or scripts.

Layers, in this order: `board`, `marks`, `overlays`, `pieces`, each a `<g class="layer" data-layer=…>`. Each place is
`<path id="place-N" class="place" data-place="NAME">`, invisible itself: a few merged paths show all places. Each piece
is `<g class="piece" data-place="NAME" data-index="N" data-player="N" data-type="TYPE">`, drawn around (0, 0) and moved
to its place by `transform`; each kind of piece off the board is `<g class="store" data-player="N" data-type="TYPE"
data-count="N">`; marks are `<g class="mark from|to|target" data-index="N">`. Names in rules are untrusted: all are
escaped.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from zrf_py.view.bitmaps import data_uri
from zrf_py.view.geometry import DrawnPlace
from zrf_py.view.overlay import disc, outline, overlay_lines
from zrf_py.view.scene import DrawnStore, Scene, turn_marks
from zrf_py.view.tokens import Tokens
from zrf_py.view.trays import Tray
from zrf_py.view.xml import attributes, number, text

Shape = tuple[str, str]
"""Style, as attributes, and path data."""
PAPER, FRAME, EDGE, LINE, TEXT = "#fbfaf6", "#7d705c", "#a6977d", "#6e6250", "#4a4339"
SHADES = ("#f1e8d6", "#d9c8a8", "#e5d8bf")
GOAL_SHADES = ("#dfe6df", "#bccabf", "#cdd8cf")
GOAL_LINE = "#8fa396"
MOVED, MOVED_LINE, TARGET = "#e69f00", "#9a5b00", "#0b6b4d"


@dataclass(frozen=True, slots=True)
class Style:
    """Options of a drawing.

    `href` returns the URL of a bitmap (key, file, transparent); None embeds bitmaps. `prefix` precedes every id, so
    that one page can hold several drawings. `paper` is the background colour, "" for none. `every`: define all kinds
    of pieces, even those not in the scene. `cropped`: the board without coordinates.
    """

    href: Callable[[str, Path, bool], str] | None = None
    prefix: str = ""
    paper: str = PAPER
    every: bool = False
    cropped: bool = False


def svg(scene: Scene, *, style: Style | None = None) -> str:
    """Draw a scene as one `<svg>` element; lines end in `\\n`."""
    style = style or Style()
    return "\n".join([*Drawing(scene, style).document(), ""])


class Drawing:
    """Generator of a drawing's parts, as lines of SVG."""

    def __init__(self, scene: Scene, style: Style) -> None:
        self.scene, self.style = scene, style
        self.places = {p.index: p for p in scene.places}
        self.tokens = Tokens(scene, style.prefix)

    def document(self) -> Iterator[str]:
        scene = self.scene
        left, top, width, height = 0.0, 0.0, scene.width, scene.height
        if self.style.cropped and not scene.background:
            margin = 0.1 * scene.unit
            left, top, width, height = (a + b * margin for a, b in zip(scene.board, (-1, -1, 2, 2), strict=True))
        yield "<svg " + attributes(
            xmlns="http://www.w3.org/2000/svg", viewBox=" ".join(map(number, (left, top, width, height))),
            width=width, height=height, role="img", font_family="DejaVu Sans, Verdana, Arial, sans-serif") + ">"
        yield f"<title>{text(scene.title)}</title>"
        yield f"<desc>{text(f'{scene.mover} to move' if scene.mover else scene.title)}</desc>"
        body = []
        for layer, lines in (("board", self.board()), ("marks", self.marks()), ("overlays", overlay_lines(scene)),
                             ("pieces", self.pieces())):
            body += [f'<g class="layer" data-layer="{layer}">', *lines, "</g>"]
        for token in scene.kinds if self.style.every else ():
            self.tokens.use(token, scene.unit)
        yield "<defs>"
        yield from self.tokens.definitions(self.href)
        yield "</defs>"
        yield from body
        yield "</svg>"

    def href(self, key: str, transparent: bool) -> str:
        path = self.scene.images[key]
        return self.style.href(key, path, transparent) if self.style.href else data_uri(path, transparent)

    def board(self) -> Iterator[str]:
        scene = self.scene
        yield "<rect " + attributes(class_="paper", width=scene.width, height=scene.height,
                                    fill=self.style.paper or "none") + "/>"
        if scene.background:
            w, h = scene.sizes[scene.background]
            yield "<image " + attributes(
                x=scene.board[0], y=scene.board[1], width=w, height=h, href=self.href(scene.background, False)) + "/>"
        else:
            yield from self._ground()
        yield from map(self._tray, scene.trays)
        if not scene.background:
            yield f'<g {attributes(stroke=EDGE, stroke_width=0.025 * scene.unit)}>'
            yield from merged([shape for place in scene.places for shape in self._shapes(place)], scene.places)
            yield "</g>"
        yield '<g class="places" fill="none" pointer-events="all">'
        yield from self._places()
        yield f'</g><g fill="{TEXT}" text-anchor="middle">'
        yield from self._labels()
        yield "</g>"

    def _labels(self) -> Iterator[str]:
        """Yield one text element for all labels of a size: browsers lay out each element separately, which is slow."""
        for size in () if self.style.cropped else dict.fromkeys(label.size for label in self.scene.labels):
            yield f"<text {attributes(font_size=size)}>"
            for label in self.scene.labels:
                if label.size == size:
                    yield f"<tspan {attributes(x=label.x, y=label.y + 0.35 * size)}>{text(label.text)}</tspan>"
            yield "</text>"

    def _places(self) -> Iterator[str]:
        """Yield an invisible outline for each place, with its name, for lookup and tooltips."""
        for place in self.scene.places:
            data = attributes(id=f"{self.style.prefix}place-{place.index}", class_="place", data_place=place.name,
                              d=outline(place, circle=not self.scene.background))
            yield f"<path {data}><title>{text(place.name)}</title></path>"

    def _ground(self) -> Iterator[str]:
        """Yield the ground below the places: a frame around cells, a panel and lines below points."""
        scene = self.scene
        cells = "".join(outline(p) for p in scene.places if p.shape != "point")
        if cells:
            yield f'<path {attributes(d=cells, fill=FRAME, stroke=FRAME, stroke_width=0.12 * scene.unit)}' \
                  ' stroke-linejoin="round"/>'
        if scene.panel:
            left, top, width, height = scene.panel
            yield "<rect " + attributes(x=left, y=top, width=width, height=height, rx=0.15 * scene.unit,
                                        fill=SHADES[0], stroke=FRAME, stroke_width=0.06 * scene.unit) + "/>"
        if scene.lines:
            path = "".join(f"M{number(n.x1)} {number(n.y1)}L{number(n.x2)} {number(n.y2)}" for n in scene.lines)
            yield f'<path {attributes(d=path, fill="none", stroke=LINE, stroke_width=0.045 * scene.unit)}' \
                  ' stroke-linecap="round"/>'

    def _shapes(self, place: DrawnPlace) -> Iterator[Shape]:
        """Yield the shapes of a place: a point, or a cell, with a second outline if it is a goal."""
        unit = self.scene.unit
        if place.shape == "point":
            size = 0.15 if place.goal else 0.1 if len(self.places) < 60 else 0.06
            yield (attributes(fill=GOAL_SHADES[1] if place.goal else LINE, stroke=LINE, stroke_width=0.04 * unit),
                   disc(place.x, place.y, size * unit))
            return
        yield attributes(fill=(GOAL_SHADES if place.goal else SHADES)[place.shade]), outline(place)
        if place.goal:
            yield attributes(fill="none", stroke=GOAL_LINE), outline(place, 0.09 * unit)

    def marks(self) -> Iterator[str]:
        scene = self.scene
        for i, kind in turn_marks(scene.moved).items():
            if i not in self.places:
                continue
            path = f"<path {attributes(d=self.trace(i))} {self.touch(kind)}/>"
            yield f'<g class="mark {kind}" data-index="{i}">{path}</g>'
        occupied = {p.place for p in scene.pieces}
        for i in scene.targets:
            p = self.places[i]
            if i in occupied:
                shape = attributes(cx=p.x, cy=p.y, r=0.46 * p.room, fill="none", stroke=TARGET,
                                   stroke_width=0.08 * p.room)
            else:
                shape = attributes(cx=p.x, cy=p.y, r=0.15 * p.room, fill=TARGET, fill_opacity=0.75)
            yield f'<g class="mark target" data-index="{i}"><circle {shape}/></g>'

    def trace(self, place: int) -> str:
        """Return the path of a mark around a place."""
        return outline(self.places[place], 0.05 * self.scene.unit, circle=True)

    def touch(self, kind: str) -> str:
        """Return the style attributes of a mark, "from" or "to"."""
        unit = self.scene.unit
        dashed = f'{number(0.12 * unit)} {number(0.1 * unit)}' if kind == "from" else ""
        return attributes(fill=MOVED, fill_opacity=0.3 if kind == "from" else 0.45, stroke=MOVED_LINE,
                          stroke_width=0.05 * unit, stroke_dasharray=dashed)

    def pieces(self) -> Iterator[str]:
        for piece in self.scene.pieces:
            place = self.places[piece.place]
            points = piece.token.turned is not None
            data = attributes(class_="piece points" if points else "piece", data_place=piece.name,
                              data_index=piece.place, data_player=piece.token.player, data_type=piece.token.type,
                              transform=f"translate({number(place.x)} {number(place.y)})")
            yield f"<g {data}><title>{text(piece.title)}</title>{self.tokens.use(piece.token, place.room)}</g>"
        yield from self._counts()
        yield from self._empty_slots()
        yield from map(self._store, self.scene.stores)

    def _counts(self) -> Iterator[str]:
        """Yield the number of pieces on each stack with more than one."""
        high = Counter(self.places[p.place].stack for p in self.scene.pieces)
        for low, count in high.items():
            if low >= 0 and count > 1:
                place, size = self.places[low], 0.34 * self.scene.unit
                x, y = place.x + 0.34 * place.w, place.y + 0.34 * place.h
                yield (f'<g class="count"><circle {attributes(cx=x, cy=y, r=0.62 * size, fill=PAPER, stroke=LINE)}/>'
                       f'<text {attributes(x=x, y=y + 0.35 * size, font_size=size, fill=TEXT, text_anchor="middle")}>'
                       f"{count}</text></g>")

    def _tray(self, tray: Tray) -> str:
        unit = tray.unit
        shape = attributes(x=tray.x, y=tray.y + 0.04 * unit, width=tray.w, height=tray.h - 0.08 * unit, rx=0.14 * unit,
                           fill=SHADES[1], fill_opacity=0.4)
        return f'<rect {attributes(class_="tray", data_player=tray.player)} {shape}/>'

    def _empty_slots(self) -> Iterator[str]:
        """Yield a faint piece for each empty slot of the trays."""
        held = {(store.token.player, store.token.kind) for store in self.scene.stores}
        tokens = {(token.player, token.kind): token for token in self.scene.kinds}
        for tray in self.scene.trays:
            for kind, x, y in tray.slots:
                if (tray.player, kind) not in held:
                    token = tokens[tray.player, kind]
                    data = attributes(class_="slot points" if token.turned is not None else "slot",
                                      transform=f"translate({number(x)} {number(y)})", opacity=0.2)
                    yield f"<g {data}>{self.tokens.use(token, 0.8 * tray.unit, fit=True)}</g>"

    def _store(self, store: DrawnStore) -> str:
        unit = store.size / 0.8
        points = store.token.turned is not None
        data = attributes(class_="store points" if points else "store", data_player=store.token.player,
                          data_type=store.token.type, data_count=store.count,
                          transform=f"translate({number(store.x)} {number(store.y)})")
        high = (0.34 if store.count < 10 else 0.26) * unit
        count = attributes(x=0.52 * store.size, y=0.12 * unit, font_size=high, fill=TEXT)
        return (f"<g {data}><title>{text(store.title)}</title>{self.tokens.use(store.token, store.size, fit=True)}"
                f"<text {count}>×{store.count}</text></g>")


_SAME_SPOT = 0.35
"""Two places overlap if their centres are closer, in both axes, than this fraction of the sum of their sizes."""


def merged(shapes: list[Shape], places: Sequence[DrawnPlace]) -> Iterator[str]:
    """Yield the shapes of all places, merged into one path per style.

    If places overlap, the drawing order matters, and each shape stays a path of its own.
    """
    if not _any_overlap(places):
        by_style: dict[str, str] = defaultdict(str)
        for style, path in sorted(shapes, key=lambda shape: 'fill="none"' in shape[0]):  # outlines are drawn over fills
            by_style[style] += path
        shapes = list(by_style.items())
    for style, path in shapes:
        yield f'<path d="{path}" {style}/>'


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
