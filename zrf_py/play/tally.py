"""Random games from a position, by machine code where there is some → what they came to, by name."""

from collections.abc import Mapping
from dataclasses import dataclass

from zrf_py.play.engines import Auto
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import playouts
from zrf_py.run.position import Position
from zrf_py.text.diagnostics import ZrfError


@dataclass(frozen=True)
class Tally:
    """What random games came to: how many of them each player has won, were drawn, cut off; `plies` of all together."""

    games: int
    plies: int
    won: Mapping[str, int]
    drawn: int
    cut_off: int


def random_games(engine: Engine, start: Position, games: int, seed: int, max_plies: int) -> Tally:
    """
    Random games from a position to their end or for `max_plies` legs; what was before it doesn't count for repetition.

    :raises ZrfError: if there is no game to play, or the position is the end of one.
    :raises RulesFault: if a block of the rules never ends on one of the positions.
    """
    if engine.outcome(start):
        raise ZrfError("the game is over here", "bad-number")
    quick = engine.native() if isinstance(engine, Auto) else None
    found = playouts(quick or engine, games, seed, max_plies, start)
    names = [p.name for p in engine.program.game.players]
    return Tally(games, found.plies, dict(zip(names, found.won, strict=True)), found.drawn, found.cut_off)
