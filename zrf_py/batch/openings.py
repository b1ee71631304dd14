"""Random openings: a few random turns after which the game is still open, chosen to be even.

Random games or, if a margin is given, a search decide how even an opening is.
"""

from random import Random

from zrf_py.batch.games import Played, play, sides
from zrf_py.batch.jobs import seeded
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import is_quick, playouts
from zrf_py.run.position import Position
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import Limits

TRIES, MANY_TRIES = 6, 24
"""Candidates for an opening, rated by random games or by a search; the first even enough or the most even is chosen."""
NODES = 2500
"""Positions visited by the search that rates an opening."""
PLAYOUTS = 60
PLAYOUT_PLIES = 400


def opening(engine: Engine, seed: int, number: int, turns: int, margin: float | None = None) -> Played:
    """Return opening `number`: `turns` random turns from the start (fewer if the game ends).

    With a `margin`, it is the first of `MANY_TRIES` candidates whose search value is at most `margin` from 0 (in
    hundredths, as `Analysis.value`), or else the one nearest to 0. Without, it is the one of `TRIES` candidates after
    which the sides win random games most evenly, if the engine plays them fast. No opening ends the game or allows an
    immediate win, unless all candidates do.
    """
    best: tuple[float, int] | None = None
    candidates: list[Played] = []
    for attempt in range(0 if not turns else TRIES if margin is None else MANY_TRIES) or range(1):
        random = seeded(seed, "opening", number, attempt)
        played = play(engine, engine.start(), {}, random, turns)
        candidates.append(played)
        rating = _unevenness(engine, played, random, margin), attempt
        if best is None or rating < best:
            best = rating
        if best[0] == 0.0:
            break
    assert best
    return candidates[best[1]]


def _unevenness(engine: Engine, played: Played, random: Random, margin: float | None = None) -> float:
    """Return the unevenness of an opening: 0 (even) to 1; more if the game is over or won at once."""
    if played.outcome is not None:
        return 3.0
    if _is_won_at_once(engine, played.end):
        return 2.0
    if margin is not None:
        value = search_for(engine.program).analyse(played.end, (), Limits(nodes=NODES)).value
        return 0.0 if abs(value) <= margin else 1 - margin / abs(value)
    if not is_quick(engine):
        return 0.0
    games = playouts(engine, PLAYOUTS, random.getrandbits(60), PLAYOUT_PLIES, played.end)
    won = [sum(games.won[player] for player in side) / len(side) for side in sides(engine.program)]
    return (max(won) - min(won)) / PLAYOUTS if won else 0.0


def _is_won_at_once(engine: Engine, position: Position) -> bool:
    """Return whether some move ends the game, on the board or by leaving the opponent without moves."""
    return any(engine.outcome(engine.after(position, move)) is not None for move in engine.moves(position))
