"""Random openings: a few random turns after which the game is still open, chosen to be as even as possible."""

from random import Random

from zrf_py.batch.games import Played, play, sides
from zrf_py.batch.jobs import seeded
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import is_quick, playouts
from zrf_py.run.position import Position

TRIES = 6
"""Candidates for an opening; the most even one is chosen."""
PLAYOUTS = 60
PLAYOUT_PLIES = 400


def opening(engine: Engine, seed: int, number: int, turns: int) -> Played:
    """Return opening `number`: `turns` random turns from the start (fewer if the game ends).

    Of several candidates the one is chosen after which random games are won most evenly, if the engine plays them fast.
    No opening ends the game or allows an immediate win, unless all candidates do.
    """
    best: tuple[float, int] | None = None
    candidates: list[Played] = []
    for attempt in range(TRIES if turns else 1):
        random = seeded(seed, "opening", number, attempt)
        played = play(engine, engine.start(), {}, random, turns)
        candidates.append(played)
        rating = _unevenness(engine, played, random), attempt
        if best is None or rating < best:
            best = rating
        if best[0] == 0.0:
            break
    assert best
    return candidates[best[1]]


def _unevenness(engine: Engine, played: Played, random: Random) -> float:
    """Return the unevenness of an opening: 0 (even) to 1; more if the game is over or won at once."""
    if played.outcome is not None:
        return 3.0
    if _is_won_at_once(engine, played.end):
        return 2.0
    if not is_quick(engine):
        return 0.0
    games = playouts(engine, PLAYOUTS, random.getrandbits(60), PLAYOUT_PLIES, played.end)
    won = [sum(games.won[player] for player in side) / len(side) for side in sides(engine.program)]
    return (max(won) - min(won)) / PLAYOUTS if won else 0.0


def _is_won_at_once(engine: Engine, position: Position) -> bool:
    """Return whether some move ends the game, on the board or by leaving the opponent without moves."""
    return any(engine.outcome(engine.after(position, move)) is not None for move in engine.moves(position))
