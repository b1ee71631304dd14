"""Prisoners: the pieces that each player has captured from others and that have left the board for good.

Not every removed piece is a prisoner. Some rules encode numbers as pieces (a bowl with four seeds is a type of its
own): every move removes such pieces and creates others, so types that a block can create on the board are not counted.
Nor are a player's own pieces, except in games for one player.
"""

from collections import Counter
from functools import lru_cache
from itertools import chain

from zrf_py.ir.ops import OPS, SELF, Program
from zrf_py.play.game import Position

Prisoner = tuple[int, int, int]
"""(captor, owner, type), as indexes."""


@lru_cache(maxsize=32)
def kinds(program: Program) -> frozenset[int]:
    """Return the types whose captures are counted."""
    created = {r.piece if op.a == SELF else op.a for r in program.routines for op in r.code if OPS[op.name].puts}
    return frozenset(k for k, piece in enumerate(program.game.pieces) if k not in created and not piece.dummy)


def is_alone(program: Program) -> bool:
    """Return True for a game for one player, whose own captured pieces count as prisoners."""
    return len(program.game.playing) < 2


def taken(position: Position) -> dict[Prisoner, int]:
    """Count the prisoners so far; captures that went into a store are not counted, since the store shows them."""
    program = position.game.program
    counted, alone = kinds(program), is_alone(program)
    prisoners: Counter[Prisoner] = Counter()
    for after in position.line() if counted else ():
        before = after.previous
        if before is None or after.move is None or not after.state.taken:
            continue
        stores = zip(chain(*before.state.stores), chain(*after.state.stores), strict=True)
        if any(now > was for was, now in stores):
            continue
        counted_before = len(before.state.taken) if before.in_turn else 0
        side = after.move.raw.side
        prisoners.update((side, player, kind) for player, kind in after.state.taken[counted_before:]
                         if kind in counted and (alone or player != side))
    return prisoners
