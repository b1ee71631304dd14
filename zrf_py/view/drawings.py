"""A position → the SVG of a board in the browser, and the small one of the gallery."""

import base64
import hashlib
from collections.abc import Iterable
from pathlib import Path

from zrf_py.play.game import Position
from zrf_py.view.bitmaps import as_png
from zrf_py.view.scene import OVERLAYS, scene
from zrf_py.view.svg import Style, svg

Bitmaps = dict[str, tuple[str, bool]]
"""Bitmaps that a drawing refers to: name in its addresses → file, and whether green is transparent."""


def board_svg(
    position: Position, overlays: Iterable[str] = (), plain: bool = False, letters: bool = False,
) -> tuple[str, Bitmaps]:
    """The board as it is played on, without the bitmaps of the rules: the browser fetches and keeps them.

    `plain`: they aren't used at all; `letters` instead of signs of a script. Marks for the last
    move are in it, those for targets are the page's own.
    """
    bitmaps: Bitmaps = {}

    def address(key: str, path: Path, transparent: bool) -> str:
        age = path.stat().st_mtime_ns if path.exists() else 0
        name = hashlib.sha256(f"{path}|{transparent}|{age}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        bitmaps[name] = (str(path), transparent)
        return f"/bitmap/{name}"

    drawn = scene(position, overlays=[o for o in overlays if o in OVERLAYS], bitmaps=not plain,
                  letters=letters)
    return svg(drawn, style=Style(href=address, every=True)), bitmaps


def picture_svg(position: Position) -> str:
    """The board without marks and on no paper, since pages are light or dark; with everything it needs in it."""
    return svg(scene(position, last_move=()), style=Style(paper=""))


def bitmap(path: str, transparent: bool) -> str:
    """A bitmap as PNG, in base 64; empty if it can't be read."""
    return base64.b64encode(as_png(Path(path), transparent)).decode("ascii")
