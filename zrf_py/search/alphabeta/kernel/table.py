"""Transposition table: bounds and best moves of positions, one entry per slot, always replaced."""

from zrf_py.jit.language import shift_right
from zrf_py.search.memory import INFINITE, SURE, ply, search, table_data, table_key

EXACT, LOWER_BOUND, UPPER_BOUND = 1, 2, 3


def probe_table(p: int, key: int) -> int:
    """Look up a ply's position; return the index of a move to try first, -1 for none, -2 if `search.value` is set."""
    slot = key & search.table_mask
    if table_key[slot] != key:
        return -1
    data = table_data[slot]
    index = (data & 65535) - 1
    if p == 0 or (data >> 16 & 4095) < (ply[p].depth if ply[p].depth > 0 else 0):
        return index
    value = shift_right(data, 32) - 2147483648
    if value > SURE:
        value -= p
    if value < -SURE:
        value += p
    bound = data >> 28 & 3
    if ply[p].beta - ply[p].alpha > 1 and ply[p].chained == 0 and ply[p].depth > 0:
        return index
    fails_high = bound == LOWER_BOUND and value >= ply[p].beta
    fails_low = bound == UPPER_BOUND and value <= ply[p].alpha
    if bound == EXACT or fails_high or fails_low:
        search.value = value
        search.proven = data >> 30 & 1
        return -2
    return index


def store_entry(p: int, value: int) -> None:
    """Store the value, bound and best move of a ply's position."""
    if value <= -INFINITE or value >= INFINITE:
        return
    bound = EXACT
    if value >= ply[p].beta:
        bound = LOWER_BOUND
    elif ply[p].raised == 0:
        bound = UPPER_BOUND
    if value > SURE:
        value += p
    if value < -SURE:
        value -= p
    depth = ply[p].depth if ply[p].depth > 0 else 0
    slot = ply[p].key & search.table_mask
    table_key[slot] = ply[p].key
    facts = (ply[p].best_index + 1 & 65535) | depth << 16 | bound << 28 | ply[p].proven << 30
    table_data[slot] = facts | value + 2147483648 << 32
