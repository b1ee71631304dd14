"""What callers give, looked at before anything is done with it."""

import operator
from typing import Any

from zrf_py.envs.actions import Actions
from zrf_py.envs.planes import Planes
from zrf_py.play.game import Game, load
from zrf_py.text.diagnostics import Diagnostic, ZrfError


def playable(game: Game | str, variant: str | int | None) -> tuple[Game, Actions, Planes]:
    """A game with its actions and what is seen of it.

    :raises ZrfError: if there is no such game, or nobody could choose anything in it, or there is too much to choose.
    """
    if not isinstance(game, Game | str):
        raise bad(f"the game is {game!r}", "give its name, the path of a rules file, or what `zrf_py.load` returns")
    found = game if isinstance(game, Game) else load(game, variant)
    planes = Planes(found.program)
    if not found.program.game.turns or not planes.ordinary:
        raise bad(f"{found.title} has no turns", "nobody could choose an action; look at it with `zrf show`")
    actions = Actions.of(found.program)
    if not len(actions):
        raise bad(f"{found.title} has no moves", "nobody could choose an action; look at it with `zrf show`")
    return found, actions, planes


def want(name: str, value: Any, least: int, most: int) -> int:
    """A whole number within bounds, of Python or of numpy.

    :raises ZrfError: if it is something else.
    """
    number = whole(value)
    if number is None or not least <= number <= most:
        raise bad(f"{name} is {value!r}", f"give a whole number from {least:,} to {most:,}")
    return number


def whole(value: Any) -> int | None:
    """A whole number, of Python or of numpy; None for anything else."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def illegal(where: str, action: Any, actions: Actions, legal: list[int]) -> ZrfError:
    """The error for an action that is not legal: what it is, and some that are."""
    number = whole(action)
    text = f" (`{actions.texts[number]}`)" if number is not None and 0 <= number < len(actions) else ""
    given = action if number is None else number
    return ZrfError([Diagnostic(
        "illegal-action", f"{where}action {given!r}{text} is not legal here; nothing was played", None,
        help=f"there are {len(legal)} legal ones: " + ", ".join(f"{a} (`{actions.texts[a]}`)" for a in legal[:6]))])


def bad(what: str, instead: str) -> ZrfError:
    """The error for what does not fit: what it is, and what to give instead."""
    return ZrfError([Diagnostic("bad-fleet", what, None, help=instead)])
