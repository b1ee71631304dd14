"""zrf_py: an open engine for board-game rules files.

Nine names are public. `load` compiles a rules file into a `Game`, `loads` a text; `Game.start()` returns a `Position`.
`Position.moves()` returns the legal `Move`s, `play()` the next position, `outcome()` the `Outcome`, or None during the
game; `check` lists the problems of a file. Invalid input raises `ZrfError`; rules that fail on a position raise its
subclass `RulesFault`. All objects are thread-safe.

>>> import zrf_py
>>> position = zrf_py.load("tictactoe").start()
>>> position = position.play(position.moves()[0])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zrf_py.play.game import Game, Move, Outcome, Position, check, load, loads
    from zrf_py.run.faults import RulesFault
    from zrf_py.text.diagnostics import ZrfError

__all__ = ["Game", "Move", "Outcome", "Position", "RulesFault", "ZrfError", "check", "load", "loads"]
__version__ = "1.0.0"


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), so that `import zrf_py` is fast."""
    if name not in __all__:
        raise AttributeError(f"module 'zrf_py' has no attribute '{name}'")
    home = {"ZrfError": "text.diagnostics", "RulesFault": "run.faults"}.get(name, "play.game")
    return getattr(import_module(f"zrf_py.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
