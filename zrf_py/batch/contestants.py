"""Names of computer players → those who choose turns in batch games; the only place of the folder that makes them.

What a player works out about a game, and what it remembers of one, is made new for each game: so a game depends on
nothing that was played before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from zrf_py.play.players import PLAYERS, Greedy
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import suggest

Chooser = Callable[[Position, Random], tuple[Move, ...]]
"""(position, chance) → the legs of a complete turn."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a player may use for a turn, in seconds or positions; None: as it likes."""

    seconds: float | None = None
    nodes: int | None = None


NO_LIMITS = Limits()


def check_name(name: str) -> None:
    """
    See whether there is such a player.

    :raises ZrfError: if there isn't.
    """
    if name not in PLAYERS:
        guess = suggest(name, list(PLAYERS))
        raise ZrfError([Diagnostic("unknown-player-kind", f"nobody plays under the name `{name}`", None,
                                   help=f"did you mean `{guess}`?" if guess else f"there are {', '.join(PLAYERS)}")])


def make(name: str, engine: Engine, limits: Limits) -> Chooser:
    """
    A player for one game.

    :raises ZrfError: if there is none of this name.
    """
    check_name(name)
    if name == "greedy":
        return Greedy(engine).choose
    choose = PLAYERS[name]
    return lambda position, random: choose(engine, position, random)
