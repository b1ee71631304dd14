"""Computer players as the board offers them: which there are, what one would play, what a position is worth.

The only place of the application that knows how computer players are made.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

from zrf_py.play.game import Position
from zrf_py.play.players import LEVELS, PLAYERS, player
from zrf_py.run.position import Move
from zrf_py.search.limits import limits
from zrf_py.search.think import thinker

BY_LINK = "link"
"""Somebody at another machine, who came by a link for this seat."""
RANDOM = "random"
HINT_SECONDS = 1.0
UNIT = 250
"""Hundredths that turn even chances into about three to one."""


def kinds() -> list[str]:
    """Names of the computer players, weakest first."""
    return [*PLAYERS, *LEVELS]


def choose(position: Position, who: str, seed: int) -> list[str]:
    """
    A complete turn, as the texts of its legs.

    :raises ZrfError: if there is no such player.
    """
    legs = player(who)(position.game.engine, position.state, Random(seed), position.earlier())
    return [leg.text for leg in position.named(legs)]


def advise(position: Position) -> dict[str, Any]:
    """The best way to go on that is found in a second: `legs` of the turn, and how likely (`chance`) `player` wins.

    That is who is to move. Where chance is, there are no legs, and the player is who moves next for real.
    """
    program = position.game.program
    analysis = thinker(program).analyse(position.state, position.earlier(), limits(time=HINT_SECONDS))
    value = max(-30.0, min(30.0, analysis.value / UNIT))
    found = {"chance": 1 / (1 + math.exp(-value)), "player": position.player, "legs": []}
    if analysis.expected:
        return {**found, "player": program.game.players[analysis.expected.player].name}
    legs: list[Move] = []
    state = position.state
    for leg in analysis.best.moves:
        state = position.game.engine.after(state, leg)
        legs.append(leg)
        if state.chain is None:
            break
    return {**found, "legs": [leg.text for leg in position.named(legs)]}


def prepare(position: Position) -> None:
    """Make what a search needs for a game, by looking at a few positions of it."""
    if position.moves():
        thinker(position.game.program).analyse(position.state, (), limits(strength=1))
