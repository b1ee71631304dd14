"""Validation of arguments for fleets and environments, and their error messages."""

from typing import Any

from zrf_py.envs.actions import Actions
from zrf_py.envs.planes import Planes
from zrf_py.play.foreign import missing_rules
from zrf_py.play.game import Game, load
from zrf_py.text.arguments import integer
from zrf_py.text.diagnostics import ZrfError

MOST = 1 << 24
"""Upper bound on the number of games in a fleet, and on `max_plies`."""


def playable(game: Game | str, variant: str | int | None) -> tuple[Game, Actions, Planes]:
    """Load a game; return it with its action space and observation planes.

    :raises ZrfError: if there is no such game, if it has no turns or moves, or if its action space is too large.
    """
    if not isinstance(game, Game | str):
        raise bad(f"the game is {game!r}", "give a game's name, the path of a rules file, or a result of `zrf_py.load`")
    opened = game if isinstance(game, Game) else load(game, variant)
    planes = Planes(opened.program)
    advice = "no player can choose an action; `zrf show` shows the game"
    if not opened.program.game.turns or not planes.ordinary:
        raise bad(f"in {opened.title}, no player moves", advice)
    actions = Actions.of(opened.program)
    if (why := missing_rules(opened.program)) or not len(actions):
        raise bad(f"{opened.title} has no moves{why and ': '}{why}", advice)
    return opened, actions, planes


def illegal(prefix: str, action: Any, actions: Actions, legal: list[int]) -> ZrfError:
    """Return the error for an illegal action; it lists up to six legal ones."""
    number = integer(action)
    text = f" (`{actions.texts[number]}`)" if number is not None and 0 <= number < len(actions) else ""
    shown = action if number is None else number
    return ZrfError(f"{prefix}action {shown!r}{text} is not legal; no move was played", "illegal-action",
                    help="legal actions are: " + ", ".join(f"{a} (`{actions.texts[a]}`)" for a in legal[:6])
                    + (f", and {len(legal) - 6} more" if len(legal) > 6 else ""))


def bad(message: str, instead: str) -> ZrfError:
    """Return the error for an invalid argument; `instead` is the advice."""
    return ZrfError(message, "bad-fleet", help=instead)
