"""zrf_py: an open engine for board-game rules files.

Nine names are public: `load` reads a rules file and gives a `Game`, `loads` does it with a text; a game's `start()` is
a `Position`; its `moves()` are `Move`s; `play` gives the next position; `outcome()` is an `Outcome` when the game is
over; what can't be used raises `ZrfError`, and `RulesFault`, a kind of it, where rules can't be followed on a
position; `check` lists the problems of a file. Threads may share all of it.

>>> import zrf_py
>>> position = zrf_py.load("tictactoe").start()
>>> position = position.play(position.moves()[0])
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zrf_py.play.game import Game, Move, Outcome, Position, check, load, loads
    from zrf_py.run.faults import RulesFault
    from zrf_py.text.diagnostics import ZrfError

__all__ = ["Game", "Move", "Outcome", "Position", "RulesFault", "ZrfError", "check", "load", "loads"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """The public names, imported when first used, so that `import zrf_py` costs nothing."""
    if name == "ZrfError":
        from zrf_py.text import diagnostics as home
    elif name == "RulesFault":
        from zrf_py.run import faults as home  # type: ignore[no-redef]
    elif name in __all__:
        from zrf_py.play import game as home  # type: ignore[no-redef]
    else:
        raise AttributeError(f"module 'zrf_py' has no attribute '{name}'")
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
