"""Perft: counts of move sequences, to compare engines and rules files with published numbers."""

from collections.abc import Callable, Iterator

from zrf_py.play.turns import Quick, turns
from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position

Child = tuple[tuple[Move, ...], Position]
Tick = Callable[[int], None]
"""Progress callback; its argument is the number of leaves counted since the last call."""


def children(engine: Engine, position: Position, whole_turns: bool = False) -> Iterator[Child]:
    """Yield each move (or complete turn) of a position as (legs, position after it)."""
    if whole_turns:
        for turn in turns(engine, position):
            yield turn.legs, turn.end
    else:
        for move in engine.moves(position):
            yield (move,), engine.after(position, move)


def perft(
    engine: Engine, position: Position, depth: int, whole_turns: bool = False, tick: Tick | None = None,
) -> int:
    """Count the sequences of exactly `depth` moves (or complete turns); games that end earlier are not counted. A
    `Quick` engine counts by itself if it can."""
    if depth <= 0:
        return 1
    leaves = None
    if isinstance(engine, Quick):
        leaves = engine.turn_perft(position, depth) if whole_turns else engine.perft(position, depth)
    if leaves is None and depth == 1:
        leaves = len(turns(engine, position)) if whole_turns else len(engine.moves(position))
    if leaves is None:
        return sum(perft(engine, after, depth - 1, whole_turns, tick)
                   for _, after in children(engine, position, whole_turns))
    if tick:
        tick(leaves)
    return leaves


def divide(
    engine: Engine, position: Position, depth: int, whole_turns: bool = False, tick: Tick | None = None,
) -> Iterator[tuple[tuple[Move, ...], int]]:
    """Yield (legs, count) for each first move (or complete turn), like the `divide` command of chess engines."""
    for legs, after in children(engine, position, whole_turns):
        yield legs, perft(engine, after, depth - 1, whole_turns, tick)
