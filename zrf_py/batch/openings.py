"""Seed and number → an opening: a few random turns after which the game is still open, and as even as can be found."""

from random import Random

from zrf_py.batch.games import Played, play, sides
from zrf_py.batch.jobs import seeded
from zrf_py.run.engine import Engine
from zrf_py.run.playouts import is_quick, playouts
from zrf_py.run.position import Position

TRIES = 6
"""Openings of which the most even one is taken."""
PLAYOUTS = 60
PLAYOUT_PLIES = 400


def opening(engine: Engine, seed: int, number: int, turns: int) -> Played:
    """
    The opening of a number: `turns` random turns from the start (fewer where the game would be over).

    Of several the one is taken from which random games are won most evenly, where the engine plays those quickly.
    No opening ends the game or lets the next player win at once, unless all that were tried do.
    """
    best: tuple[float, int] | None = None
    found: list[Played] = []
    for attempt in range(TRIES if turns else 1):
        random = seeded(seed, "opening", number, attempt)
        played = play(engine, engine.start(), {}, random, turns)
        found.append(played)
        rating = _unevenness(engine, played, random), attempt
        if best is None or rating < best:
            best = rating
        if best[0] == 0.0:
            break
    assert best
    return found[best[1]]


def _unevenness(engine: Engine, played: Played, random: Random) -> float:
    """0 for an opening that favours nobody, up to 1; more if the game is over or won at once."""
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
    """Whether a move ends the game, by what stands on the board or because nothing can follow it."""
    return any(engine.outcome(engine.after(position, move)) is not None for move in engine.moves(position))
