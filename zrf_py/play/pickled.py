"""Pickling of games and positions.

A game of the shelf is pickled as its name, any other one with its rules, since its file may be missing where the pickle
is read. A position is pickled as the first position of its game and the moves since. All positions of one pickle share
the game; if the process that reads the pickle already has that game, it is used.
"""

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
"""Classes of `play/game.py`, which imports this module."""
Load = Callable[[Path, int], Game]
Step = run.Move | str | tuple[run.Position, run.Move | None, str]
"""A move, an edit, or (state, move or None, edit or "") for a position made by `Position.at`."""
_opened: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""Games that this process has pickled or unpickled, by digest."""
_opening = RLock()


def reduce_game(game: Game, load: Load) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    """Implement `Game.__reduce__`."""
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
    """Return the opened game with this digest, else open it.

    :raises ZrfError: if its rules differ from those of the pickle.
    """
    with _opening:
        game = _opened.get(digest)
        if game is None:
            game = open_anew()
            if game.digest != digest:
                raise ZrfError([Diagnostic("other-rules", f"the rules of {name} differ from those in the pickle", None,
                                           help="unpickle it with the release of zrf_py that wrote it")])
            _opened[digest] = game
        return game


def reduce_position(position: Position) -> tuple[Callable[..., Position], tuple[Any, ...]]:
    """Implement `Position.__reduce__`."""
    first, *line = [*position.line()][::-1]
    return _resumed, (type(position), position.game, first.state, [_step(entry) for entry in line])


def _step(position: Position) -> Step:
    state, raw = position.state, position.move.raw if position.move else None
    return (state, raw, position.change) if position.is_given else position.change or raw or (state, None, "")


def _resumed(kind: type[Any], game: Game, state: run.Position, steps: list[Step]) -> Position:
    """Replay the steps from the first position; return the last position, with its history."""
    last = kind(game, state)
    for step in steps:
        if isinstance(step, str):
            last = last.edited(step)
        elif isinstance(step, run.Move):
            last = last.after(Move(step, game.program, last.state))
        else:
            state, raw, change = step
            move = Move(raw, game.program, last.state) if raw else None
            last = kind(game, state, last, move, change, is_given=True)
    return last
