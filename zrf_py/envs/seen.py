"""Observations of single positions, without a fleet."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs.planes import Planes
from zrf_py.ir.ops import Program
from zrf_py.play.game import Position
from zrf_py.text import arguments


@lru_cache(maxsize=16)
def planes_of(program: Program) -> Planes:
    """Return the planes of a game (cached)."""
    return Planes(program)


def features(position: Position, player: str = "") -> NDArray[np.int8]:
    """Return the observation of a position, (planes, squares), for `player` (default: the player to move).

    It equals `Fleet.observation`; `Fleet.planes` names the planes.

    >>> from zrf_py import load
    >>> features(load("tictactoe").start().play("b2")).sum(axis=1).tolist()
    [0, 1, 0, 9]

    :raises ZrfError: if the game has no such player.
    """
    arguments.want("position", position, Position, "a `zrf_py.Position`, such as `game.start()`")
    arguments.want("player", player, str, "the name of a player, or nothing for the player to move")
    planes, names = planes_of(position.game.program), [p.name for p in position.game.program.game.players]
    if player and player not in names:
        raise arguments.bad("player", player, "give one of " + ", ".join(names))
    viewer = names.index(player) if player else -1
    return planes.observe(position.state, position.repetitions, viewer)
