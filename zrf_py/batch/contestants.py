"""Names of computer players → those who choose turns in batch games; the only place of the folder that makes them."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.play.players import Choose, Searching, player
from zrf_py.search.traits import game_traits

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


def make(name: str, limits: Limits, program: Program) -> Choose:
    """
    A player within limits; who searches has learned with the game's own code before the first move, so that the same
    seeds give the same games on every machine.

    :raises ZrfError: if there is none of this name.
    """
    found = player(name, limits.seconds, limits.nodes)
    if isinstance(found, Searching):
        found.settle(program)
    return found


def ladder(program: Program) -> tuple[str, ...]:
    """The players, weak to strong, that tell whether skill matters in a game."""
    return SHORT_LADDER if game_traits(program).chance else LADDER
