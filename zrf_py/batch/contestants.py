"""Names and limits of the computer players of batch games, and the processor time that they use."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from zrf_py.ir.ops import Program
from zrf_py.play.players import Choose, Searching, player
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import GLANCE, Limits
from zrf_py.search.traits import game_traits

LADDER = ("random", "ai:1", "ai:3", "ai:5")
"""Players from weak to strong, each clearly stronger than the one before if skill matters."""
SHORT_LADDER = ("random", "greedy")
"""`LADDER` for games with chance, where search takes long."""


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """Limits of a player per turn, in addition to its own: seconds, positions, seconds of processor time; None: no
    limit."""

    seconds: float | None = None
    nodes: int | None = None
    cpu: float | None = None


NO_LIMITS = PlayerLimits()


def check_name(name: str) -> None:
    """Check the name of a player.

    :raises ZrfError: if there is no such player.
    """
    player(name)


def ladder(program: Program) -> tuple[str, ...]:
    """Return the players, weak to strong, used to find out whether skill matters in a game."""
    return SHORT_LADDER if game_traits(program).chance else LADDER


@dataclass
class Contestant:
    """A player of a game; counts its turns and the processor seconds used for them."""

    choose: Choose
    turns: int = 0
    seconds: float = 0.0

    def __call__(
        self, engine: Engine, position: Position, random: Random, past: Sequence[Position] = (),
    ) -> tuple[Move, ...]:
        began = time.thread_time()
        legs = self.choose(engine, position, random, past)
        self.seconds += time.thread_time() - began
        self.turns += 1
        return legs


def contestant(name: str, engine: Engine, limits: PlayerLimits) -> Contestant:
    """Return a player for one game, ready to move: what the search prepares once for a game is not part of its time.

    :raises ZrfError: if there is no such player.
    """
    choose = player(name, limits.seconds, limits.nodes, limits.cpu)
    if isinstance(choose, Searching):
        _prepare(engine, choose.kind)
    return Contestant(choose)


@lru_cache(maxsize=8)
def _prepare(engine: Engine, kind: str) -> None:
    """Search the start position for a moment, which compiles and measures the game."""
    if engine.moves(engine.start()):
        search_for(engine.program).analyse(engine.start(), (), Limits(nodes=GLANCE), kind=kind)
