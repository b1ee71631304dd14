"""Map records of legs to actions: the first number of a leg's name. `actions.py` does the same in Python."""

from zrf_py.jit.language import inline, shift_right
from zrf_py.native.kernel import board
from zrf_py.native.kernel.memory import moves, params
from zrf_py.envs.kernel.memory import fleet, leg_kind, leg_more, leg_pair


@inline
def action_of(m: int) -> int:
    """Return the action of a record; -1 if there is none."""
    head = moves[m]
    if head & board.SMALL == 0:
        return action_of_still(m)
    part = moves[m + board.HEAD]
    start = (part >> 8 & board.SQUARE) - 1
    end = part >> 28 & board.SQUARE
    kind = shift_right(part, 48) - 1
    if part & 255 == board.DROP:
        if start < 0:
            start = kind
            kind = -1
        start += params.squares
    return named(m, start, end, kind)


def action_of_still(m: int) -> int:
    """Like `action_of`, for a leg without a movement."""
    head = moves[m]
    effects = head >> 12 & board.SMALL
    at = m + board.HEAD
    if effects + (head >> 24 & board.SMALL) == 0:
        return fleet.pass_action
    start = (moves[m + 1] & board.SQUARE) - 1
    end = (moves[m + 1] >> 20 & board.SQUARE) - 1
    if end < 0:
        end = start
    if head >> 24 & board.SMALL:
        end = moves[at + effects]
    for i in range(effects):
        which = moves[at + effects - 1 - i] & 255
        if which < board.SET_COUNTER:
            end = moves[at + effects - 1 - i] >> 8 & board.SQUARE
    return named(m, start, end, -1)


@inline
def named(m: int, start: int, end: int, kind: int) -> int:
    """Return the first action of a name, or -1. If names include type changes, `kind` is read from the record."""
    if fleet.chooses_type:
        kind = chosen_type(m, end, kind)
    if start < 0:
        return -1
    at = leg_pair[start * params.squares + end]
    while at >= 0 and leg_kind[at] != kind:
        at = at + 1 if leg_more[at] else -1
    return at


def chosen_type(m: int, end: int, kind: int) -> int:
    """Return the type that a record sets on square `end`; `kind` if it sets none."""
    head = moves[m]
    at = m + board.HEAD + (head & board.SMALL)
    for i in range(head >> 12 & board.SMALL):
        effect = moves[at + i]
        if effect & 255 == board.CHANGE_TYPE and effect >> 8 & board.SQUARE == end:
            kind = effect >> 28 & 262143
    return kind
