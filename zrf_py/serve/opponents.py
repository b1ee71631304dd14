"""Computer players as the board offers them: which there are, and what one would play in a position.

The only place of the application that knows how computer players are made.
"""

from __future__ import annotations

from random import Random

from zrf_py.play.game import Position
from zrf_py.play.players import PLAYERS

HUMAN = "human"
BY_LINK = "link"
"""Somebody at another machine, who came by a link for this seat."""
RANDOM = "random"


def kinds() -> list[str]:
    """Names of the computer players, weakest first."""
    return list(PLAYERS)


def best() -> str:
    """Who is asked for a hint."""
    return kinds()[-1]


def choose(position: Position, who: str, seed: int) -> tuple[list[str], float | None]:
    """
    A complete turn as the texts of its legs, and what the player thinks of the position, if it says: from -1 (lost for
    the player to move) to 1 (won).

    :raises KeyError: if there is no such player.
    """
    raw = PLAYERS[who](position.game.engine, position.state, Random(seed))
    texts = []
    for leg in raw:
        move = next(m for m in position.moves() if m.raw == leg)
        texts.append(move.text)
        position = position.play(move)
    return texts, None
