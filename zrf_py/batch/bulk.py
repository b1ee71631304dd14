"""Random games in bulk: a job of chunks run by the engine's `playouts`, and their totals."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from zrf_py.batch.jobs import Job, Result, seeded
from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import Playouts, playouts

CHUNK = 100
"""Games per chunk: a fraction of a second of work where the engine is fast."""


def chunk(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play the games of one chunk; return the fields of their `Playouts`."""
    seed = seeded(parameters["seed"], "chunk", number).getrandbits(62)
    return asdict(playouts(engine, parameters["chunk"], seed, parameters["max_plies"]))


def bulk_job(program: Program, games: int, seed: int = 1, max_plies: int = 2000, size: int = CHUNK) -> tuple[Job, int]:
    """Return a job of random games and its number of tasks; the last chunk has full size, too."""
    parameters = {"chunk": size, "seed": seed, "max_plies": max_plies}
    return Job(chunk, program, parameters), -(-games // size)


def total(results: Iterable[Result]) -> Playouts:
    """Add up the chunks, without those that failed."""
    good = [r for r in results if "fault" not in r]
    won = [sum(counts) for counts in zip(*(r["won"] for r in good), strict=True)]
    games, plies, drawn, cut_off = (sum(r[name] for r in good) for name in ("games", "plies", "drawn", "cut_off"))
    return Playouts(games, plies, tuple(won), drawn, cut_off)
