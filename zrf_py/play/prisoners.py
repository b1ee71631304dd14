"""The men that have left the board for good: what each player has taken from others.

Not everything that goes is a prisoner. Where rules write numbers as men (a bowl with four seeds is a type of its own),
every move takes such men away and makes others: types that a block can make on the board have no number of their own,
how many of them went says nothing. Neither are men prisoners that one takes of oneself, unless there is nobody else.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from zrf_py.ir.ops import SELF, Program
from zrf_py.play.game import Position

Prisoner = tuple[int, int, int]
"""(player who took, player, type)."""


@lru_cache(maxsize=32)
def kinds(program: Program) -> frozenset[int]:
    """The types of which it can be said how many were taken."""
    routines = [r for own in (*program.moves, *program.drops) for r in own]
    made = {r.piece if op.a == SELF else op.a for r in routines for op in r.code if op.name == "create"}
    return frozenset(k for k, piece in enumerate(program.game.pieces) if k not in made and not piece.dummy)


def is_alone(program: Program) -> bool:
    """Whether there is one player only, who takes what is there."""
    return sum(player.kind == "player" for player in program.game.players) < 2


def taken(position: Position) -> dict[Prisoner, int]:
    """How many of each have been taken so far; what came into a store is seen there."""
    program = position.game.program
    counted, alone = kinds(program), is_alone(program)
    found: Counter[Prisoner] = Counter()
    for after in position.line() if counted else ():
        before = after.previous
        if before is None or after.move is None or not after.state.taken:
            continue
        if after.state.stores != before.state.stores and _gains(before.state.stores, after.state.stores):
            continue
        known = len(before.state.taken) if before.in_turn else 0
        side = after.move.raw.side
        found.update((side, player, kind) for player, kind in after.state.taken[known:]
                     if kind in counted and (alone or player != side))
    return found


def _gains(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> bool:
    """Whether there is more of something in a store than before."""
    return any(b > a for old, new in zip(before, after, strict=True) for a, b in zip(old, new, strict=True))
