"""A position → the SVG of a board in the browser, and the small one of the gallery."""

from __future__ import annotations

from collections.abc import Iterable

from zrf_py.play.game import Position
from zrf_py.view.scene import OVERLAYS, scene
from zrf_py.view.svg import svg


def board_svg(position: Position, overlays: Iterable[str] = ()) -> str:
    """The board as it is played on; marks for the last move are in it, those for targets are the page's own."""
    return svg(scene(position, overlays=[o for o in overlays if o in OVERLAYS]))


def picture_svg(position: Position) -> str:
    """The board without marks."""
    return svg(scene(position, last_move=()))
