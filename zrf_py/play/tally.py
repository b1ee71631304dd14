"""Random playouts from a position, by native code if available, and their results by player."""

from collections.abc import Mapping
from dataclasses import dataclass

from zrf_py.play.engines import Auto
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import playouts
from zrf_py.run.position import Position
from zrf_py.text.diagnostics import ZrfError


@dataclass(frozen=True)
class Tally:
    """Results of random games: numbers of games won by each player, drawn and cut off; the total number of plies."""

    games: int
    plies: int
    won: Mapping[str, int]
    drawn: int
    cut_off: int


def random_games(engine: Engine, start: Position, games: int, seed: int, max_plies: int) -> Tally:
    """Play random games from a position to their end or for `max_plies` legs; repetitions are counted from there on.

    :raises ZrfError: if the game is over.
    :raises RulesFault: if the rules can't be followed on one of the positions.
    """
    if engine.outcome(start):
        raise ZrfError("the game is over in this position", "bad-number")
    quick = engine.native() if isinstance(engine, Auto) else None
    counts = playouts(quick or engine, games, seed, max_plies, start)
    names = [p.name for p in engine.program.game.players]
    return Tally(games, counts.plies, dict(zip(names, counts.won, strict=True)), counts.drawn, counts.cut_off)
