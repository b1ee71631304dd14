"""Evaluators of positions for each side, by which the judge estimates the leader."""

from math import copysign

from zrf_py.batch.games import mover_of, sides
from zrf_py.batch.judge.notes import Evaluator
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import playouts
from zrf_py.run.position import Position
from zrf_py.search.evaluation.weights import weights
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits
from zrf_py.search.memory import SURE

NODES = 600
"""Positions searched per evaluation."""
WON = 1e9
"""Value of a proven win."""
PLAYOUTS = 48
PLIES = 600


def by_playouts(engine: Engine, seed: int) -> Evaluator:
    """Return an evaluator by playouts: each side's share of wins; a game without a winner counts equally for all."""
    groups = sides(engine.program)

    def look(position: Position) -> list[float]:
        games = playouts(engine, PLAYOUTS, seed, PLIES, position)
        won = [sum(games.won[player] for player in side) / len(side) for side in groups]
        rest = games.drawn + games.cut_off
        return [(count + rest / len(groups)) / PLAYOUTS for count in won]

    return look


def by_worth(engine: Engine, seed: int) -> Evaluator:
    """Return an evaluator by the search weights of pieces on squares, summed for each side; not normalised."""
    groups = sides(engine.program)
    worth = weights(engine.program)

    def value(position: Position, player: int) -> int:
        board = worth.board[player]
        held = sum(n * worth.hand[player][kind] for kind, n in enumerate(position.stores[player]) if n > 0)
        return held + sum(board[position.piece[s]][s] for s, owner in enumerate(position.owner) if owner == player)

    return lambda position: [float(sum(value(position, player) for player in side)) for side in groups]


def by_search(engine: Engine, seed: int) -> Evaluator:
    """Return an evaluator by a short search, for two sides without chance."""
    groups = sides(engine.program)
    search = search_for(engine.program)

    def look(position: Position) -> list[float]:
        value: float = search.analyse(position, (), Limits(nodes=NODES), 1, seed).best.value
        value = value if abs(value) <= SURE else copysign(WON, value)
        mover = mover_of(engine.program, position)
        return [value if mover in side else -value for side in groups]

    return look


EVALUATORS = {"playouts": by_playouts, "worth": by_worth, "search": by_search}
