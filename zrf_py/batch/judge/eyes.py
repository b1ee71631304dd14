"""A position → what it is worth to each side: the judge's idea of who leads."""

from __future__ import annotations

from zrf_py.batch.games import sides
from zrf_py.batch.judge.notes import Eye
from zrf_py.play.players import Greedy
from zrf_py.run.engine import Engine
from zrf_py.run.native import Native
from zrf_py.run.position import Position

PLAYOUTS = 48
PLIES = 600


def by_playouts(engine: Engine, seed: int) -> Eye:
    """The share of random games that each side wins from there; a game without a winner is shared."""
    native = engine if isinstance(engine, Native) else Native(engine.program)
    groups = sides(engine.program)

    def look(position: Position) -> list[float]:
        found = native.playouts(PLAYOUTS, seed, PLIES, position)
        won = [sum(found.won[player] for player in side) / len(side) for side in groups]
        rest = found.drawn + found.cut_off
        return [(count + rest / len(groups)) / PLAYOUTS for count in won]

    return look


def by_worth(engine: Engine, seed: int) -> Eye:
    """Pieces weighed by their mobility, and the way to the goal; on no particular scale."""
    greedy = Greedy(engine)
    groups = sides(engine.program)

    def look(position: Position) -> list[float]:
        return [sum(greedy.material(position, p) + greedy.progress(position, p) for p in side) for side in groups]

    return look


EYES = {"playouts": by_playouts, "worth": by_worth}
