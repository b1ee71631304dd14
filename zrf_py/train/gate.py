"""Matches between two evaluations of one game, at equal processor time or equal numbers of positions.

Weights are used only if they win: the best predictor of held-out positions may lose, as a search evaluates others.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from zrf_py.batch.contestants import Contestant
from zrf_py.batch.jobs import Job, Result
from zrf_py.batch.match import MAX_TURNS, Standing, begin, seated_game, standing
from zrf_py.batch.runner import run
from zrf_py.batch.sprt import SECOND, Sprt
from zrf_py.batch.store import Store
from zrf_py.batch.workers import Workers
from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.search.game_search import GameSearch
from zrf_py.search.limits import Limits
from zrf_py.train.games import packed_weights, search_with

OPENING = 6
"""Random turns at the start of a game; both games of a pair share them."""
NOISE = 6
TEST = Sprt(0, 30)
"""Test of the final match: are the new weights stronger by 30 Elo, or by none?"""


class _Player:
    """A search as a player."""

    def __init__(self, search: GameSearch, limits: Limits) -> None:
        self.search, self.limits = search, limits

    def __call__(
        self, engine: Engine, position: Position, random: Random, past: Sequence[Position] = (),
    ) -> tuple[Move, ...]:
        return self.search.turn(position, past, self.limits, random.getrandbits(31))


def one_game(engine: Engine, parameters: Mapping[str, Any], number: int) -> Result:
    """Play a game of the match, like `batch.match.one_game`."""
    limits = Limits(nodes=parameters["nodes"], cpu=parameters["cpu"], noise=NOISE)
    players = [Contestant(_Player(search_with(engine.program, parameters[name]), limits)) for name in ("new", "old")]
    return seated_game(engine, parameters, number, given=players)[0]


def match(
    program: Program, new: bytes, old: bytes, workers: Workers, games: int, *, seed: int, margin: float,
    cpu: float | None = None, nodes: int | None = None, test: Sprt | None = None,
) -> Standing:
    """Play `new` weights against `old` (b"": the built-in evaluation alone): at most `games` games, with `cpu` seconds
    of processor time or `nodes` positions a turn, fewer if `test` is decided. `margin` as in `openings.opening`.

    :raises ZrfError: as `runner.run` does.
    """
    job = Job(one_game, program, {
        "new": packed_weights(new), "old": packed_weights(old), "seed": seed, "margin": margin, "cpu": cpu,
        "nodes": nodes, "seconds": None, "opening": OPENING, "max_turns": MAX_TURNS})
    under_way = begin(test, program) if test else None
    results = run(job, games, Store(), workers, enough=under_way.add if under_way else None)
    return standing(program, results, under_way)


def is_better(result: Standing) -> bool:
    """Return whether a match shows that the first player is stronger: by its test if decided, else by its interval."""
    return result.decision == SECOND or (not result.decision and result.rating.elo_low > 0)
