"""A scene → SVG that stands alone: no fonts, files or scripts from elsewhere.

Layers, in this order: `board`, `marks`, `pieces`, `overlays`. Each place is `<g id="place-N" class="place"
data-place="NAME">`, each piece `<g class="piece" data-place="NAME" data-player="N" data-type="TYPE">`, each kind of
piece off the board `<g class="store" data-player="N" data-type="TYPE">`. Names come from strangers: all text is escaped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

from zrf_py.view.scene import Piece, Scene

LAYERS = ("board", "marks", "pieces", "overlays")


@dataclass(frozen=True, slots=True)
class Style:
    """How to draw: which layers, and where bitmaps are fetched from (`href`: key and file → URL; None embeds them)."""

    layers: tuple[str, ...] = LAYERS
    href: Callable[[str, Path], str] | None = None


def svg(scene: Scene, *, style: Style | None = None) -> str:
    """The drawing as one `<svg>` element."""
    style = style or Style()
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {scene.width:g} {scene.height:g}" '
             f'role="img"><title>{escape(scene.title)}</title>']
    for p in scene.places:
        parts.append(f'<g id="place-{p.index}" class="place" data-place="{escape(p.name)}">'
                     f'<rect x="{p.x - p.w / 2:g}" y="{p.y - p.h / 2:g}" width="{p.w:g}" height="{p.h:g}" '
                     'fill="#eee" stroke="#888"/></g>')
    parts += [_piece(scene, piece) for piece in scene.pieces]
    return "\n".join([*parts, "</svg>\n"])


def _piece(scene: Scene, piece: Piece) -> str:
    place = next(p for p in scene.places if p.index == piece.place)
    return (f'<g class="piece" data-place="{escape(piece.name)}" data-player="{piece.token.player}" '
            f'data-type="{escape(piece.token.type)}"><circle cx="{place.x:g}" cy="{place.y:g}" '
            f'r="{min(place.w, place.h) * .4:g}" fill="#fff" stroke="#000"/>'
            f'<text x="{place.x:g}" y="{place.y:g}" text-anchor="middle">{escape(piece.token.label)}</text></g>')
