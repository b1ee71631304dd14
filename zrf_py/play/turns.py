"""Complete turns: the moves of players, which rules may split into several legs.

Legs can go in circles (a piece may hop back and forth), so the turns of a position are found by breadth-first search
over positions: one turn for each distinct result (board, counters, stores), by a shortest sequence of legs. Several
legs that restore the board are not a turn; a player can decline to move only by a pass that the rules offer.
"""

from collections import deque
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.text.diagnostics import ZrfError

MOST_POSITIONS = 10_000
"""Limit on positions visited within one turn, since positions may never repeat if legs change a counter."""


@dataclass(frozen=True, slots=True)
class CompleteTurn:
    """The legs of a complete turn, and the position after it."""

    legs: tuple[Move, ...]
    end: Position


@runtime_checkable
class Quick(Protocol):
    """An engine with its own methods to find turns and to count moves and turns; they return None where they fail."""

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None: ...

    def perft(self, position: Position, depth: int) -> int | None: ...

    def turn_perft(self, position: Position, depth: int) -> int | None: ...


def turns(engine: Engine, position: Position, most: int | None = None) -> list[CompleteTurn]:
    """Return all complete turns, or within a turn all its completions; empty if the game is over.

    :raises ZrfError: if `search_turns` is used and visits more than `most` positions (None: `MOST_POSITIONS`).
    """
    if isinstance(engine, Quick) and (quick := engine.find_turns(position)) is not None:
        return [CompleteTurn(legs, end) for legs, end in quick]
    return search_turns(engine, position, most)


def search_turns(engine: Engine, position: Position, most: int | None = None) -> list[CompleteTurn]:
    """Like `turns`, by breadth-first search with the engine's moves: the reference implementation."""
    most = MOST_POSITIONS if most is None else most
    complete: dict[object, CompleteTurn] = {}
    visited: set[object] = {_identity(position)}
    queue: deque[tuple[Position, tuple[Move, ...]]] = deque([(position, ())])
    while queue:
        reached, legs = queue.popleft()
        for move in engine.moves(reached):
            after = engine.after(reached, move)
            key = _identity(after)
            if after.chain is None:
                if not legs or _board(after) != _board(position):
                    complete.setdefault(key, CompleteTurn((*legs, move), after))
            elif key not in visited:
                if len(visited) >= most:
                    raise ZrfError(f"there are more than {most:,} ways to continue this turn", "too-many-turns",
                                   help="play the turn leg by leg")
                visited.add(key)
                queue.append((after, (*legs, move)))
    return list(complete.values())


def _board(position: Position) -> object:
    return position.owner, position.piece, position.attributes


def _identity(position: Position) -> object:
    """Return a key of a position; within a turn it contains the squares of the last leg, which may limit the next."""
    if position.chain is None:
        return position.owner, position.piece, position.attributes, position.counters, position.stores, position.turn
    return position.key(), position.stores, position.last_from, position.last_to
