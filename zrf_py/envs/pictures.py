"""Render a position for `render` of an environment: as text or as an array of pixels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zrf_py.play.game import Position
from zrf_py.run.position import NOBODY
from zrf_py.view.bitmaps import pixels
from zrf_py.view.layout import make_layout
from zrf_py.view.png import png
from zrf_py.view.scene import scene
from zrf_py.view.symbols import PieceSymbols

MODES = ["ansi", "rgb_array"]
"""The render modes of all environments."""
WIDTH = 400
"""Width of an image in pixels."""


def picture(position: Position, mode: str | None) -> Any:
    """Render a position: text, an array (height, width, 3) of uint8, or None without a mode.

    :raises ZrfError: if the packages that draw pixels are missing.
    """
    if mode is None:
        return None
    return board_text(position) if mode == "ansi" else board_pixels(position)


def board_text(position: Position) -> str:
    """Return the board as text, with the player to move or the outcome in the last line."""
    game, state = position.game.program.game, position.state
    symbols = PieceSymbols(game)
    layout = make_layout(game.board, symbols.width)
    lines = [[" "] * (max(layout.xs, default=0) + symbols.width) for _ in layout.gaps]
    for place, (line, column) in layout.cells.items():
        owner, at = state.owner[place], layout.xs[column]
        text = "." if owner == NOBODY else symbols.symbol(owner, state.piece[place])
        lines[line][at : at + len(text)] = text
    status = str(position.outcome() or f"{position.player} to move")
    return "\n".join("".join(line).rstrip() for line in [*lines, [status]])


def board_pixels(position: Position) -> NDArray[np.uint8]:
    """Draw the board; return an array (height, width, 3)."""
    width, height, data = pixels(png(scene(position), width=WIDTH))
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)
