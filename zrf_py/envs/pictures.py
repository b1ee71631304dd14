"""Pictures of a position, as `render` of an environment gives them: lines of text, or an array of pixels."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs.asked import bad
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
"""Pixels from left to right."""


def want_mode(mode: str | None) -> str | None:
    """A render mode, or None for none.

    :raises ZrfError: if it is something else.
    """
    if mode is not None and mode not in MODES:
        raise bad(f"render_mode is {mode!r}", "write `ansi` or `rgb_array`, or leave it out")
    return mode


def picture(position: Position, mode: str | None) -> Any:
    """The position in a render mode: text, an array (height, width, 3) of uint8, or None.

    :raises ZrfError: if pixels are wanted and the packages that draw them are missing.
    """
    if mode is None:
        return None
    return board_text(position) if mode == "ansi" else board_pixels(position)


def board_text(position: Position) -> str:
    """The board as lines of text, and below it the player to move or how the game has ended."""
    game, state = position.game.program.game, position.state
    symbols = PieceSymbols(game)
    layout = make_layout(game.board, symbols.width)
    lines = [[" "] * (max(layout.xs, default=0) + symbols.width) for _ in layout.gaps]
    for place, (line, column) in layout.cells.items():
        owner, at = state.owner[place], layout.xs[column]
        text = "." if owner == NOBODY else symbols.symbol(owner, state.piece[place])
        lines[line][at : at + len(text)] = text
    said = str(position.outcome() or f"{position.player} to move")
    return "\n".join("".join(line).rstrip() for line in [*lines, [said]])


def board_pixels(position: Position) -> NDArray[np.uint8]:
    """The drawn board, (height, width, 3)."""
    width, height, data = pixels(png(scene(position), width=WIDTH))
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)
