"""Games and positions ↔ pickles.

A game of the shelf is pickled as its name, any other one with its rules, since where it is read its file need not be. A
position is pickled as the first position of its game and the moves since. All positions of one pickle share the game,
and a game that the reading process has is used again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import Any
from weakref import WeakValueDictionary

from zrf_py.library import shelf, shelf_name
from zrf_py.play import packing
from zrf_py.play.engines import make_engine
from zrf_py.play.move import Move
from zrf_py.run import position as run
from zrf_py.text.diagnostics import Diagnostic, ZrfError

Game = Any
Position = Any
"""Those of `play/game.py`, which depends on this."""
Load = Callable[[Path, int], Game]
Step = run.Move | str | tuple[run.Position, run.Move | None, str]
"""A move, an edit, or a state that was put there with what is known of how it came about."""
_opened: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""Games that were pickled or unpickled, by digest."""
_opening = RLock()


def reduce_game(game: Game, load: Load) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    """What `Game.__reduce__` returns."""
    with _opening:
        _opened.setdefault(game.digest, game)
    if name := shelf_name(game.path):
        return _of_the_shelf, (load, game.digest, name, game.program.game.number)
    return _with_its_rules, (type(game), game.digest, game.packed, game.variants, game.path)


def _of_the_shelf(load: Load, digest: str, name: str, number: int) -> Game:
    return _reopened(digest, lambda: load(shelf()[name], number), name)


def _with_its_rules(kind: type[Any], digest: str, packed: bytes, variants: tuple[str, ...], path: Path | None) -> Game:
    def unpacked() -> Game:
        program = packing.unpack(packed)
        return kind(program, variants, make_engine(program, "auto", patient=True), path)

    return _reopened(digest, unpacked, "the game")


def _reopened(digest: str, open_anew: Callable[[], Game], name: str) -> Game:
    """:raises ZrfError: if the rules are no longer those of the pickle."""
    with _opening:
        game = _opened.get(digest)
        if game is None:
            game = open_anew()
            if game.digest != digest:
                raise ZrfError([Diagnostic("other-rules", f"{name} has other rules here than in the pickle", None,
                                           help="read it with the release of zrf_py that wrote it")])
            _opened[digest] = game
        return game


def reduce_position(position: Position) -> tuple[Callable[..., Position], tuple[Any, ...]]:
    """What `Position.__reduce__` returns."""
    first, *line = [*position.line()][::-1]
    return _resumed, (type(position), position.game, first.state, [_step(here) for here in line])


def _step(here: Position) -> Step:
    raw = here.move.raw if here.move else None
    return (here.state, raw, here.change) if here.is_given else here.change or raw or (here.state, None, "")


def _resumed(kind: type[Any], game: Game, state: run.Position, steps: list[Step]) -> Position:
    """The position after the moves since the first one, with all positions on the way."""
    here = kind(game, state)
    for step in steps:
        if isinstance(step, str):
            here = here.edited(step)
        elif isinstance(step, run.Move):
            here = here.after(Move(step, game.program, here.state))
        else:
            state, raw, change = step
            move = Move(raw, game.program, here.state) if raw else None
            here = kind(game, state, here, move, change, is_given=True)
    return here
