"""Counting move sequences, to compare engines and rules files with published numbers."""

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

from zrf_py.play.turns import turns
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position

Child = tuple[tuple[Move, ...], Position]
Tick = Callable[[int], None]
"""Called now and then with how many leaves were counted since the last call."""


@runtime_checkable
class Counts(Protocol):
    """An engine that counts faster than by being asked for one position after the other."""

    def perft(self, position: Position, depth: int) -> int: ...

    def turn_perft(self, position: Position, depth: int) -> int | None:
        """The same for complete turns; None where it can't."""
        ...


def children(engine: Engine, position: Position, whole_turns: bool = False) -> Iterator[Child]:
    """Each move (or complete turn) of a position as its legs, and the position after it."""
    if whole_turns:
        for turn in turns(engine, position):
            yield turn.legs, turn.end
    else:
        for move in engine.moves(position):
            yield (move,), engine.after(position, move)


def perft(
    engine: Engine, position: Position, depth: int, whole_turns: bool = False, tick: Tick | None = None,
) -> int:
    """How many sequences of `depth` moves there are; a game that ends earlier counts for nothing.

    An engine that can count by itself (a method `perft`) does so.
    """
    if depth <= 0:
        return 1
    if isinstance(engine, Counts):
        quick = engine.turn_perft(position, depth) if whole_turns else engine.perft(position, depth)
        if quick is not None:
            if tick:
                tick(quick)
            return quick
    if depth == 1:
        leaves = len(turns(engine, position)) if whole_turns else len(engine.moves(position))
        if tick:
            tick(leaves)
        return leaves
    return sum(perft(engine, after, depth - 1, whole_turns, tick)
               for _, after in children(engine, position, whole_turns))


def divide(
    engine: Engine, position: Position, depth: int, whole_turns: bool = False, tick: Tick | None = None,
) -> Iterator[tuple[tuple[Move, ...], int]]:
    """The count below each first move."""
    for legs, after in children(engine, position, whole_turns):
        yield legs, perft(engine, after, depth - 1, whole_turns, tick)
