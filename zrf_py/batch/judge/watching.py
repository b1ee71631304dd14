"""Jobs of watched games, and the function that plays one."""

from collections.abc import Mapping
from typing import Any

from zrf_py.batch import contestants, games, jobs, match
from zrf_py.batch.judge.evaluators import EVALUATORS
from zrf_py.batch.judge.notes import Notes
from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.position import Position


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
        contestants.check_name(name)
    return jobs.Job(watched_game, program, {
        "names": list(names), "evaluator": evaluator, "seconds": limits.seconds, "nodes": limits.nodes, "seed": seed,
        "opening": opening, "max_turns": max_turns,
    })
