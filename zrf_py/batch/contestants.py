"""Names and limits of the computer players of batch games."""

from dataclasses import dataclass

from zrf_py.ir.ops import Program
from zrf_py.play.players import player
from zrf_py.search.traits import game_traits

LADDER = ("random", "ai:1", "ai:3", "ai:5")
"""Players from weak to strong, each clearly stronger than the one before if skill matters."""
SHORT_LADDER = ("random", "greedy")
"""`LADDER` for games with chance, where search takes long."""


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """Limits of a player per turn, in addition to its own: seconds, positions; None: no limit."""

    seconds: float | None = None
    nodes: int | None = None


NO_LIMITS = PlayerLimits()


def check_name(name: str) -> None:
    """Check the name of a player.

    :raises ZrfError: if there is no such player.
    """
    player(name)


def ladder(program: Program) -> tuple[str, ...]:
    """Return the players, weak to strong, used to find out whether skill matters in a game."""
    return SHORT_LADDER if game_traits(program).chance else LADDER
