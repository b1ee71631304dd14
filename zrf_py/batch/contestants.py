"""Names of computer players → those who choose turns in batch games; the only place of the folder that makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.play.players import Greedy, Searching, player
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.search.nature import nature

Chooser = Callable[[Position, Sequence[Position], Random], tuple[Move, ...]]
"""(position, the positions of the game before it, chance) → the legs of a complete turn."""

LADDER = ("random", "ai:1", "ai:3", "ai:5")
"""Players from weak to strong, each clearly above the one before in a game where skill matters."""
SHORT_LADDER = ("random", "greedy")
"""Where search takes long: games with chance."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a player may use for a turn, in seconds or positions, beyond the limits of its own; None: as it likes."""

    seconds: float | None = None
    nodes: int | None = None


NO_LIMITS = Limits()


def check_name(name: str) -> None:
    """
    See whether there is such a player.

    :raises ZrfError: if there isn't.
    """
    player(name)


def make(name: str, engine: Engine, limits: Limits) -> Chooser:
    """
    A player for one game.

    :raises ZrfError: if there is none of this name.
    """
    choose = player(name)
    if name == "greedy":
        greedy = Greedy(engine)  # what it works out about a game is worked out once
        return lambda position, past, random: greedy.choose(position, random)
    if isinstance(choose, Searching):
        searching = _limited(choose, limits)
        return lambda position, past, random: searching.turn(engine, position, random, past)
    return lambda position, past, random: choose(engine, position, random)


def _limited(searching: Searching, limits: Limits) -> Searching:
    """The same player within further limits."""
    own = searching.limits
    times = [t for t in (own.time, limits.seconds) if t is not None]
    nodes = [n for n in (own.nodes, limits.nodes) if n is not None]
    return replace(searching, limits=replace(
        own, time=min(times, default=None), nodes=min(nodes, default=None)))


def ladder(program: Program) -> tuple[str, ...]:
    """The players, weak to strong, that tell whether skill matters in a game."""
    return SHORT_LADDER if nature(program).chance else LADDER
