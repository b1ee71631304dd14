"""The record of a leg → its action: the number of its name. `actions.py` makes the tables by the same rules."""

from zrf_py.jit.language import inline, shift_right
from zrf_py.native.kernel import board, keys
from zrf_py.native.kernel.memory import moves, params
from zrf_py.envs.kernel.memory import fleet, leg_action, leg_direct, leg_key

MOVEMENT_SALT, ENDS_SALT, EFFECT_SALT, CAPTURE_SALT = 11, 23, 41, 67
PARTIAL = 36
"""The bit of a record's first word from which on it says whether and how the turn may go on."""


@inline
def action_of(m: int) -> int:
    """The action of a record; -1 if it has none."""
    if fleet.direct and moves[m] & fleet.direct_head == 1:
        part = moves[m + 2]
        end = part >> 28 & board.SQUARE
        kind = shift_right(part, 48)
        start = part >> 8 & board.SQUARE
        if part & 255 == board.MOVE and kind == 0:
            return leg_direct[(start - 1) * params.squares + end]
        if part & 255 == board.DROP and start == 0:
            return leg_direct[(params.squares + kind - 1) * params.squares + end]
    return look_up(key_of(m))


def look_up(key: int) -> int:
    at = key & fleet.key_mask
    while leg_key[at]:
        if leg_key[at] == key:
            return leg_action[at]
        at = at + 1 & fleet.key_mask
    return -1


def key_of(m: int) -> int:
    """A hash of what names hold of a record; never 0."""
    head = moves[m]
    movements = head & board.SMALL
    how = shift_right(head, PARTIAL)
    key = keys.mix(how + 1)
    ends = moves[m + 1] & 1099511627775
    if movements == 0:
        key = keys.mix(key ^ ends + ENDS_SALT)
    elif how & board.WIDE:
        key = keys.mix(key ^ (ends >> 20 << 20) + ENDS_SALT)
    at = m + board.HEAD
    for i in range(movements):
        if i == 0 or fleet.name_movements:
            key = keys.mix(key ^ moves[at + i] + MOVEMENT_SALT)
    arrival = -1
    if movements:
        arrival = moves[at] >> 28 & board.SQUARE
    at += movements
    effects = head >> 12 & board.SMALL
    for i in range(effects):
        if is_named(moves[at + i], arrival):
            key = keys.mix(key ^ moves[at + i] + EFFECT_SALT)
    at += effects
    if fleet.name_captures:
        together = 0
        for i in range(head >> 24 & board.SMALL):
            together += keys.mix(moves[at + i] + CAPTURE_SALT)
        key = key ^ together
    return key if key else 1


@inline
def is_named(effect: int, arrival: int) -> int:
    """Whether names hold an effect."""
    which = effect & 255
    if fleet.name_effects >> which & 1:
        return True
    return fleet.name_promotion and which == board.CHANGE_TYPE and effect >> 8 & board.SQUARE == arrival
