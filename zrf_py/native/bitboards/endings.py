"""What is known about a game's end conditions before it is played."""

from collections.abc import Iterator

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program

MOST = 64
"""Goals asked (for all players together) up to which they are written out."""


def is_short(program: Program) -> bool:
    """Whether the end conditions are worth code of their own."""
    asked = sum(len(end.players or (0,)) * len(tuple(leaves(end.goal))) for end in program.game.ends)
    return 0 < asked <= MOST


def asks_changes(program: Program) -> bool:
    """Whether an end condition may be asked with what a turn has changed, in a game whose turns only put own pieces."""
    return not is_short(program) or not all(map(is_own, _occupants(program)))


def is_own(occupant: model.Occupant) -> bool:
    """Whether it stands there only where the player has put it."""
    return occupant.owner == "own" and not occupant.negated


def _occupants(program: Program) -> Iterator[model.Occupant]:
    """Those of all patterns."""
    parts = (part for end in program.game.ends for part in leaves(end.goal) if isinstance(part, model.Relative))
    return (item for part in parts for item in part.items if not isinstance(item, int))
