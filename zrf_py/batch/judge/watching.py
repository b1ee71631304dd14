"""Jobs of watched games, the function that plays one, and the evaluators by which the judge estimates the leader."""

from collections.abc import Mapping
from math import copysign
from typing import Any

from zrf_py.batch import contestants, games, jobs, match
from zrf_py.batch.games import mover_of
from zrf_py.batch.judge.notes import Evaluator, Notes
from zrf_py.ir.ops import Program
from zrf_py.play.players import player
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
    """Return an evaluator that estimates shares of wins by random games; all sides share a game without a winner."""
    groups = engine.program.game.sides

    def look(position: Position) -> list[float]:
        games = playouts(engine, PLAYOUTS, seed, PLIES, position)
        won = [sum(games.won[player] for player in side) / len(side) for side in groups]
        rest = games.drawn + games.cut_off
        return [(count + rest / len(groups)) / PLAYOUTS for count in won]

    return look


def by_worth(engine: Engine, seed: int) -> Evaluator:
    """Return an evaluator that adds up the search weights of each side's pieces on their squares, unscaled."""
    groups = engine.program.game.sides
    worth = weights(engine.program)
    return lambda position: [float(sum(worth.men(position, player) for player in side)) for side in groups]


def by_search(engine: Engine, seed: int) -> Evaluator:
    """Return an evaluator that runs a short search, for two sides without chance."""
    groups = engine.program.game.sides
    search = search_for(engine.program)

    def look(position: Position) -> list[float]:
        value: float = search.analyse(position, (), Limits(nodes=NODES), 1, seed).best.value
        value = value if abs(value) <= SURE else copysign(WON, value)
        mover = mover_of(engine.program, position)
        return [value if mover in side else -value for side in groups]

    return look


EVALUATORS = {"playouts": by_playouts, "worth": by_worth, "search": by_search}


def watched_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> jobs.Result:
    """Play a match game of two players; return its result with notes."""
    notes: list[Notes] = []

    def watching(start: Position) -> games.Watcher:
        evaluator = EVALUATORS[parameters["evaluator"]](engine, parameters["seed"])
        notes.append(Notes(engine.program, start, evaluator))
        return notes[0].watch

    result, played = match.seated_game(engine, parameters, number, watching)
    del result["moves"]
    return {**result, "notes": notes[0].result(played)}


def watched(
    program: Program, names: tuple[str, str], evaluator: str, seed: int, max_turns: int, opening: int = 0,
    limits: contestants.PlayerLimits = contestants.NO_LIMITS,
) -> jobs.Job:
    """Return a job of watched games.

    :raises ZrfError: if a player is unknown.
    """
    for name in names:
        player(name)
    played = match.Match(names, limits, seed, opening, max_turns)
    return jobs.Job(watched_game, program, {**played.parameters, "evaluator": evaluator})
