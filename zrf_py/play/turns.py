"""Complete turns: what a player calls a move, where the rules make it several legs.

Legs can go round in circles (a man may hop back and forth), so the turns of a position are searched breadth first
over the positions reached and not over the ways to them: one turn for each distinct result, by a shortest way.
Legs that lead back to the board as it was are no turn; not to move is one only where the rules offer a pass.
"""

from collections import deque
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zrf_py.run.engine import Engine
from zrf_py.run.position import Move, Position
from zrf_py.text.diagnostics import Diagnostic, ZrfError

MOST_POSITIONS = 10_000
"""Positions within one turn that are looked at. Where legs count something, no two of them are alike."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Legs played one after the other, and the position in which the next player moves."""

    legs: tuple[Move, ...]
    end: Position


@runtime_checkable
class FindsTurns(Protocol):
    """An engine that finds turns faster than by being asked for one position after the other; None where it can't."""

    def find_turns(self, position: Position) -> list[tuple[tuple[Move, ...], Position]] | None: ...


def turns(engine: Engine, position: Position, most: int | None = None) -> list[Turn]:
    """Every complete turn; of one under way, every way to complete it. Empty when the game is over.

    :raises ZrfError: if there are more than `most` positions on the way, or as many as usual.
    """
    if isinstance(engine, FindsTurns):
        quick = engine.find_turns(position)
        if quick is not None:
            return [Turn(legs, end) for legs, end in quick]
    return search_turns(engine, position, most)


def search_turns(engine: Engine, position: Position, most: int | None = None) -> list[Turn]:
    """The same, asking the engine for moves: the definition."""
    most = MOST_POSITIONS if most is None else most
    found: dict[object, Turn] = {}
    seen: set[object] = {_identity(position)}
    queue: deque[tuple[Position, tuple[Move, ...]]] = deque([(position, ())])
    while queue:
        here, legs = queue.popleft()
        for move in engine.moves(here):
            after = engine.after(here, move)
            key = _identity(after)
            if after.chain is None:
                if not legs or _board(after) != _board(position):
                    found.setdefault(key, Turn((*legs, move), after))
            elif key not in seen:
                if len(seen) >= most:
                    raise _too_many(most)
                seen.add(key)
                queue.append((after, (*legs, move)))
    return list(found.values())


def _too_many(most: int) -> ZrfError:
    return ZrfError([Diagnostic(
        "too-many-turns", f"there are more than {most:,} ways to go on within this turn", None,
        help="play it leg by leg")])


def _board(position: Position) -> object:
    return position.owner, position.piece, position.attributes


def _identity(position: Position) -> object:
    """What tells two positions within or after a turn apart; within one, the last leg may limit the next."""
    if position.chain is None:
        return position.owner, position.piece, position.attributes, position.stores, position.turn
    return position.key(), position.stores, position.last_from, position.last_to
