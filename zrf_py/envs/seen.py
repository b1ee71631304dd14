"""A position → what a learner sees of it, without a fleet."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs.planes import Planes
from zrf_py.ir.ops import Program
from zrf_py.play.game import Position


@lru_cache(maxsize=16)
def planes_of(program: Program) -> Planes:
    """The planes of a game."""
    return Planes(program)


def features(position: Position, player: str = "") -> NDArray[np.int8]:
    """
    The planes of a position, (planes, squares), as the player to move sees them, or another one; those of
    `Fleet.observation`, and `Fleet.planes` names them.

    >>> from zrf_py import load
    >>> features(load("tictactoe").start().play("b2")).sum(axis=1).tolist()
    [0, 1, 0, 9]
    """
    planes, players = planes_of(position.game.program), position.game.program.game.players
    viewer = next((i for i, p in enumerate(players) if p.name == player), -1)
    return np.array(planes.observe(position.state, position.repetitions, viewer), np.int8)
