"""Random playouts and their results, with any engine; faster with one that runs whole games itself."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zrf_py.run.engine import Engine
from zrf_py.run.position import Position


@dataclass(frozen=True, slots=True)
class Playouts:
    """Results of random games: wins by player, draws, games cut off, and the plies of all games together."""

    games: int
    plies: int
    won: tuple[int, ...]
    drawn: int
    cut_off: int


@runtime_checkable
class PlaysOut(Protocol):
    """An engine that runs random games itself, faster than position by position."""

    @property
    def layout(self) -> object:
        """Memory layout; None for a game that the engine's fast path does not support."""
        ...

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000, start: Position | None = None) -> Playouts: ...


def is_quick(engine: Engine) -> bool:
    """Return whether the engine runs whole random games itself, so that many of them take little time."""
    return isinstance(engine, PlaysOut) and engine.layout is not None


def playouts(
    engine: Engine, games: int, seed: int = 0, max_plies: int = 2000, start: Position | None = None,
) -> Playouts:
    """Play games of uniformly random legal moves, to their end or for `max_plies` plies.

    Repetition is counted from `start`; earlier positions of the game don't count.

    :raises RulesFault: if the rules can't be followed on one of the positions.
    """
    if isinstance(engine, PlaysOut):
        return engine.playouts(games, seed, max_plies, start)
    return one_by_one(engine, games, seed, max_plies, start or engine.start())


def one_by_one(engine: Engine, games: int, seed: int, max_plies: int, start: Position) -> Playouts:
    """Like `playouts`, with any engine, position by position."""
    choose = random.Random(seed).choice
    won = [0] * len(engine.program.game.players)
    plies = drawn = cut_off = 0
    for _ in range(games):
        position, length = start, 0
        occurrences = Counter((start.key(),))
        while (outcome := engine.outcome(position, occurrences[position.key()])) is None and length < max_plies:
            position = engine.after(position, choose(engine.moves(position)))
            length += 1
            occurrences[position.key()] += 1
        plies += length
        cut_off += outcome is None
        drawn += outcome is not None and not outcome.winners
        for player in outcome.winners if outcome else ():
            won[player] += 1
    return Playouts(games, plies, tuple(won), drawn, cut_off)
