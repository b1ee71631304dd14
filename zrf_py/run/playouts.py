"""Random games to their end, and what they came to: with any engine, and quicker with one that plays them by itself."""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zrf_py.run.engine import Engine
from zrf_py.run.position import Position


@dataclass(frozen=True, slots=True)
class Playouts:
    """What random games came to: how many `won[player]`, were `drawn` or cut off; `plies` of all games together."""

    games: int
    plies: int
    won: tuple[int, ...]
    drawn: int
    cut_off: int


@runtime_checkable
class PlaysOut(Protocol):
    """An engine that plays random games quicker than by being asked for one position after the other."""

    @property
    def layout(self) -> object:
        """None for a game that it can't take: then it is no quicker."""
        ...

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000, start: Position | None = None) -> Playouts: ...


def is_quick(engine: Engine) -> bool:
    """Whether random games take so little time that many can be played in passing."""
    return isinstance(engine, PlaysOut) and engine.layout is not None


def playouts(
    engine: Engine, games: int, seed: int = 0, max_plies: int = 2000, start: Position | None = None,
) -> Playouts:
    """Play random games, each move chosen uniformly among the legal ones, to their end or for `max_plies` plies.

    A position that comes for the third time ends a game as the rules say; what was before `start` doesn't count.

    :raises RulesFault: if a block of the rules never ends on one of the positions.
    """
    if isinstance(engine, PlaysOut):
        return engine.playouts(games, seed, max_plies, start)
    return one_by_one(engine, games, seed, max_plies, start or engine.start())


def one_by_one(engine: Engine, games: int, seed: int, max_plies: int, start: Position) -> Playouts:
    """The same by asking an engine for one position after the other."""
    choose = random.Random(seed).choice
    won = [0] * len(engine.program.game.players)
    plies = drawn = cut_off = 0
    for _ in range(games):
        position, length = start, 0
        seen = Counter((start.key(),))
        while (outcome := engine.outcome(position, seen[position.key()])) is None and length < max_plies:
            position = engine.after(position, choose(engine.moves(position)))
            length += 1
            seen[position.key()] += 1
        plies += length
        cut_off += outcome is None
        drawn += outcome is not None and not outcome.winners
        for player in outcome.winners if outcome else ():
            won[player] += 1
    return Playouts(games, plies, tuple(won), drawn, cut_off)
