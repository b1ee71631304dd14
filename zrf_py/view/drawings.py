"""Drawings of a position: the SVG of a board in the browser, and the small one of the gallery."""

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path

from zrf_py.paths import age_of
from zrf_py.play.game import Position
from zrf_py.view.bitmaps import as_png
from zrf_py.view.scene import OVERLAYS, scene
from zrf_py.view.svg import Style, svg

Bitmaps = dict[str, tuple[str, bool]]
"""Bitmaps that a drawing refers to: name in its addresses → file, and whether green is transparent."""


def board_svg(
    position: Position, overlays: Iterable[str] = (), plain: bool = False, letters: bool = False,
) -> tuple[str, Bitmaps]:
    """Draw the board for play; return the SVG, and the bitmaps of the rules, which the browser fetches and caches.

    `plain`: no bitmaps; `letters`: letters instead of signs such as kanji. The last move is marked; pages mark targets.
    """
    bitmaps: Bitmaps = {}

    def address(key: str, path: Path, transparent: bool) -> str:
        name = hashlib.sha256(f"{path}|{transparent}|{age_of(path)}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        bitmaps[name] = (str(path), transparent)
        return f"/bitmap/{name}"

    drawn = scene(position, overlays=[o for o in overlays if o in OVERLAYS], bitmaps=not plain, letters=letters,
                  held=False)
    return svg(drawn, style=Style(href=address, every=True)), bitmaps


def picture_svg(position: Position) -> str:
    """Draw the board alone, without a background (so that it fits light and dark pages), marks, coordinates or pieces
    off the board; bitmaps are embedded."""
    return svg(scene(position, last_move=(), held=False), style=Style(paper="", cropped=True))


def bitmap(path: str, transparent: bool) -> str:
    """Return a bitmap as PNG, in base64; "" if it can't be read."""
    return base64.b64encode(as_png(Path(path), transparent)).decode("ascii")
