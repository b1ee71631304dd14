"""Static analysis of a game's end conditions."""

from collections.abc import Iterator

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program

MOST = 64
"""Maximum number of tests in goals, summed over the players; with more, the end conditions are not compiled."""


def is_short(program: Program) -> bool:
    """Return whether the game has end conditions, with few enough tests (`MOST`) to be compiled."""
    tests = sum(len(end.players or (0,)) * len(tuple(leaves(end.goal))) for end in program.game.ends)
    return 0 < tests <= MOST


def asks_changes(program: Program) -> bool:
    """Return whether end conditions may depend on the squares a turn wrote, given that turns place only own pieces."""
    return not is_short(program) or not all(map(is_own, _occupants(program)))


def is_local(goal: model.Goal) -> bool:
    """Return whether a goal is a pattern or patterns joined by `or`, so that only changed squares can make it true."""
    match goal:
        case model.Relative():
            return True
        case model.AllOf("or", parts):
            return all(isinstance(part, model.Relative) for part in parts)
    return False


def is_own(occupant: model.Occupant) -> bool:
    """Return whether an occupant can only be the player's own piece."""
    return occupant.owner == "own" and not occupant.negated


def _occupants(program: Program) -> Iterator[model.Occupant]:
    """Yield the occupants of all patterns."""
    parts = (part for end in program.game.ends for part in leaves(end.goal) if isinstance(part, model.Relative))
    return (item for part in parts for item in part.items if not isinstance(item, int))
