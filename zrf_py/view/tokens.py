"""SVG symbols for kinds of pieces: bitmaps, figures, or discs with a symbol or letters on them.

Each kind is defined once, as a `<symbol>` of 100 x 100 (a bitmap: of its own size), and referenced by every piece.
"""

from collections.abc import Callable, Iterator
from typing import Any

from zrf_py.view.looks import MARK, Look, table
from zrf_py.view.scene import Scene, Token
from zrf_py.view.xml import attributes, number, text

DISC = "M8 50a42 42 0 1 0 84 0a42 42 0 1 0 -84 0Z"
_LETTER = (4.0, 6.0)
MARKED = "#e69f00"


class Tokens:
    """Registry of the kinds of pieces that a drawing uses."""

    def __init__(self, scene: Scene, prefix: str) -> None:
        self.scene, self.prefix = scene, prefix
        self.used: dict[tuple[int, int], Token] = {}

    def use(self, token: Token, room: float, fit: bool = False) -> str:
        """Return the `<use>` of a piece around (0, 0), `room` wide; a bitmap keeps its size, unless it must `fit`."""
        self.used[token.player, token.kind] = token
        w = h = room
        if token.image:
            w, h = map(float, self.scene.sizes[token.image])
            shrink = min(1.0, room / max(w, h)) if fit else 1.0
            w, h = w * shrink, h * shrink
        return "<use " + attributes(href=f"#{self._id(token)}", x=-w / 2, y=-h / 2, width=w, height=h) + "/>"

    def _id(self, token: Token) -> str:
        return f"{self.prefix}piece-{token.player}-{token.kind}"

    def definitions(self, href: Callable[[str, bool], str]) -> Iterator[str]:
        """Yield the `<symbol>` of each kind in use."""
        for token in self.used.values():
            if token.image:
                w, h = self.scene.sizes[token.image]
                picture = "<image " + attributes(width=w, height=h, href=href(token.image, True)) + "/>"
                yield f'<symbol id="{self._id(token)}" viewBox="0 0 {w} {h}">{picture}</symbol>'
            else:
                yield f'<symbol id="{self._id(token)}" viewBox="0 0 100 100">{"".join(self._drawn(token))}</symbol>'

    def _drawn(self, token: Token) -> Iterator[str]:
        seat = self.scene.players[token.player]
        glyph: dict[str, Any] = table()["glyphs"].get(token.glyph.rstrip(MARK), {})
        edge = "#25221e" if seat.fill != "#38342f" else "#12100e"  # darker around a dark piece
        if token.shape:
            yield from _of_a_set(token)
        elif glyph.get("base"):
            yield _path(glyph["body"], fill=seat.fill, stroke=edge, stroke_width=4, stroke_linejoin="round")
            if "pips" in glyph:
                yield _path(glyph["pips"], fill=seat.ink)
            else:
                yield from _rim(seat, glyph["body"])
            yield _path(glyph.get("detail", ""), fill="none", stroke=seat.ink, stroke_width=6)
        elif glyph.get("body") and self.scene.bare:
            yield from _figure(seat, glyph)
        else:
            yield _path(DISC, fill=seat.fill, stroke=edge, stroke_width=3.5)
            yield f'<circle {attributes(cx=50, cy=50, r=31, fill=seat.ink, fill_opacity=0.07)}/>'
            yield from _rim(seat, DISC)
            if glyph.get("body"):
                yield '<g transform="translate(19 18) scale(.62)">' + "".join(_on_disc(seat, glyph)) + "</g>"
            elif not glyph:
                yield _letters(token.label, seat.ink)
        for i in range(token.glyph.count(MARK)):
            yield f'<circle {attributes(cx=84, cy=20 + 17 * i, r=7, fill=MARKED, stroke=edge, stroke_width=2.5)}/>'


WEDGE = "M50 6 L76 17 L88 94 H12 L24 17 Z"
WOOD, WOOD_EDGE, IVORY = "#f3d9a0", "#7a5a24", "#fdf3dc"


def _of_a_set(token: Token) -> Iterator[str]:
    """Draw a wooden wedge that points in the player's direction, or a coin in the player's colour, with its sign."""
    if token.shape == "wedge":
        turn = ' transform="rotate(180 50 50)"' if token.turned else ""
        body = _path(WEDGE, fill=WOOD, stroke=WOOD_EDGE, stroke_width=4, stroke_linejoin="round")
        yield f"<g{turn}>{body}{_sign(token, 31, 30, 3.2)}</g>"
        return
    yield _path(DISC, fill=IVORY, stroke=token.ink, stroke_width=5)
    yield f'<circle {attributes(cx=50, cy=50, r=35, fill="none", stroke=token.ink, stroke_width=2.5)}/>'
    yield _sign(token, 29, 29, 3.5)


def _sign(token: Token, left: float, top: float, scale: float) -> str:
    strokes = table()["signs"].get(token.sign)
    if not strokes:
        return _letters(token.label, token.ink)
    return (f'<g transform="translate({number(left)} {number(top)}) scale({number(scale)})">'
            + _path(strokes, fill="none", stroke=token.ink, stroke_width=1.25, stroke_linecap="round",
                    stroke_linejoin="round")
            + "</g>")


def _path(data: str, **values: float | str) -> str:
    return f"<path {attributes(d=data, **values)}/>" if data else ""


def _figure(seat: Look, glyph: dict[str, Any]) -> Iterator[str]:
    """Draw a figure without a disc; a dark one gets a light outline for contrast on dark squares."""
    dark = seat.ink != "#25221e"
    if dark:
        yield _path(glyph["body"], fill="none", stroke="#fbfaf6", stroke_width=7.5, stroke_linejoin="round")
    yield _path(glyph["body"], fill=seat.fill, stroke="#12100e" if dark else "#25221e", stroke_width=3.5,
                stroke_linejoin="round")
    yield _path(glyph["detail"], fill="none", stroke=seat.ink, stroke_width=3.5, stroke_linecap="round")


def _on_disc(seat: Look, glyph: dict[str, Any]) -> Iterator[str]:
    yield _path(glyph["body"], fill=seat.ink)
    yield _path(glyph["detail"], fill="none", stroke=seat.fill, stroke_width=5, stroke_linecap="round")


def _rim(seat: Look, outline: str) -> Iterator[str]:
    """Draw the rings inside the edge by which players can be told apart without colours."""
    if seat.kind == "neutral" or not seat.rim:
        return
    dashes = {2: "26 26.8", 4: "0.1 11", 5: "24 9 4 9"}.get(seat.rim % 6, "")
    thick = {2: 8.0, 4: 8.0}.get(seat.rim % 6, 4.0)
    scales = {3: (0.86, 0.72), 0: (0.72,)}.get(seat.rim % 6, (0.8,))
    for scale in scales:
        shift = number(50 * (1 - scale))
        yield f'<g transform="translate({shift} {shift}) scale({number(scale)})">' + _path(
            outline, fill="none", stroke=seat.ink, stroke_width=thick, stroke_dasharray=dashes,
            stroke_linecap="round" if seat.rim % 6 == 4 else "") + "</g>"


def _letters(label: str, ink: str) -> str:
    """Draw up to three letters as strokes, which need no font, or as text if one of them isn't in the table."""
    strokes = [table()["letters"].get(c.upper(), "") for c in label[:3]]
    if not all(strokes):
        return f'<text x="50" y="63" font-size="{36 if len(label) < 2 else 30}" text-anchor="middle" ' \
               f'fill="{ink}" font-weight="bold">{text(label[:3])}</text>'
    high = {1: 40.0, 2: 30.0}.get(len(strokes), 24.0)
    scale = high / _LETTER[1]
    step = (_LETTER[0] + 1.8) * scale
    left = 50 - (step * (len(strokes) - 1) + _LETTER[0] * scale) / 2
    paths = "".join(
        f'<path transform="translate({number(left + i * step)} {number(50 - high / 2)}) scale({number(scale)})" '
        f'd="{d}"/>' for i, d in enumerate(strokes))
    return f'<g fill="none" {attributes(stroke=ink, stroke_width=1.05)} stroke-linecap="round" ' \
           f'stroke-linejoin="round">{paths}</g>'
