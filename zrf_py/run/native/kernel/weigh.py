"""Sums kept up to date with every change of the board: the hash of the position and what each player's side is worth.

Nothing here needs undoing: `unmake` changes the board back, and the sums with it.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.memory import (
    CHAIN,
    CHAIN_TYPE,
    COUNTERS_AT,
    HAS_ATTRIBUTES,
    LAST_FROM,
    LAST_TO,
    MADE_AT,
    MUST,
    OUT,
    PLAYERS,
    PLUS,
    SQUARES,
    STEP,
    TURN,
    TYPES,
    attributes,
    cell,
    params,
    state,
    stores,
)
from zrf_py.run.native.kernel.notes import (
    ENTRY,
    HASH,
    LAST_MATTERS,
    LINES,
    hand_worth,
    last_matters,
    line_blocked,
    line_entry,
    line_from,
    line_has,
    line_length,
    line_player,
    line_weight,
    plan,
    search,
    standing,
    worth,
)
from zrf_py.run.native.kernel.words import entry, inline, shift_right


@inline
def scatter(value: int) -> int:
    """Well-spread bits from a number; another mapping than `mix`."""
    value = (value ^ shift_right(value, 32)) * -2960836687589269643
    value = (value ^ shift_right(value, 29)) * -7723592293110705685
    return value ^ shift_right(value, 32)


@inline
def cell_mark(square: int, held: int) -> int:
    return scatter(held * 4294967296 + square + 1) if held else 0


@inline
def mask_mark(square: int, mask: int) -> int:
    return scatter(scatter(mask + 7777777) + square) if mask else 0


@inline
def store_mark(at: int, count: int) -> int:
    return scatter((at + 1) * 1048576 + count) * 31


@inline
def number_of(square: int, held: int) -> int:
    """Where tables by [owner + 1][type + 1][square] have the number of a cell."""
    return ((held & 255) * (params[TYPES] + 1) + (held >> 8)) * params[SQUARES] + square


@inline
def worth_of(square: int, held: int) -> int:
    return worth[number_of(square, held)]


@inline
def weigh_cell(square: int, old: int, new: int) -> None:
    """What `replace_cell` does besides."""
    search[HASH] = search[HASH] ^ cell_mark(square, old) ^ cell_mark(square, new)
    standing[old & 255] = standing[old & 255] - worth_of(square, old)
    standing[new & 255] = standing[new & 255] + worth_of(square, new)
    if plan[LINES]:
        weigh_lines(square, old, new)


@inline
def weigh_attributes(square: int, old: int, new: int) -> None:
    search[HASH] = search[HASH] ^ mask_mark(square, old) ^ mask_mark(square, new)


@inline
def weigh_store(at: int, old: int, new: int) -> None:
    if at < params[PLAYERS] * params[TYPES]:
        search[HASH] = search[HASH] ^ store_mark(at, old) ^ store_mark(at, new)
        player = at // params[TYPES] + 1
        standing[player] = standing[player] + (new - old) * hand_worth[at]


@inline
def fits(held: int, at: int) -> int:
    """Whether a cell is what a place of a line wants."""
    there = 0
    if held >> 8 == line_entry[at + 3]:
        owner = line_entry[at + 1]
        if owner == 0:
            there = 1
        else:
            there = ((held & 255) == owner) != line_entry[at + 2]
    return there != line_entry[at + 4]


@inline
def value_of_line(line: int) -> int:
    if line_blocked[line]:
        return 0
    return line_weight[line_length[line] - line_has[line]]


def weigh_lines(square: int, old: int, new: int) -> None:
    for k in range(line_from[square], line_from[square + 1]):
        at = k * ENTRY
        line = line_entry[at]
        before = value_of_line(line)
        was = fits(old, at)
        now = fits(new, at)
        line_has[line] = line_has[line] + now - was
        line_blocked[line] = line_blocked[line] + (now == 0 and new != 0) - (was == 0 and old != 0)
        owner = line_player[line]
        if owner >= 0:
            standing[owner + 1] = standing[owner + 1] + value_of_line(line) - before
        else:
            standing[-owner] = standing[-owner] - value_of_line(line) + before


@entry
def weigh_all() -> None:
    """Work out the sums of the loaded position."""
    search[HASH] = 0
    for i in range(params[PLAYERS] + 1):
        standing[i] = 0
    for line in range(plan[LINES]):
        line_has[line] = 0
        line_blocked[line] = 0
    for k in range(line_from[params[SQUARES]] if plan[LINES] else 0):
        line = line_entry[k * ENTRY]
        line_has[line] = line_has[line] + fits(0, k * ENTRY)
    for line in range(plan[LINES]):
        owner = line_player[line]
        if owner >= 0:
            standing[owner + 1] = standing[owner + 1] + value_of_line(line)
        else:
            standing[-owner] = standing[-owner] - value_of_line(line)
    for square in range(params[SQUARES]):
        if cell[square]:
            weigh_cell(square, 0, cell[square])
            if params[HAS_ATTRIBUTES]:
                weigh_attributes(square, 0, attributes[square])
    for at in range(params[PLAYERS] * params[TYPES]):
        search[HASH] = search[HASH] ^ store_mark(at, stores[at])
        owner = at // params[TYPES] + 1
        standing[owner] = standing[owner] + stores[at] * hand_worth[at]


@entry
def place_key() -> int:
    """64 bits for what makes positions the same in the game's own eyes; see `Position.key`. Within a turn the last leg
    counts, where blocks ask for it."""
    found = search[HASH] ^ scatter(state[TURN] * 3 + 7)
    if params[PLUS]:
        found = found ^ scatter(state[OUT] * 64 + state[STEP] * 4 + state[MUST] + 3000017)
        for at in range(params[COUNTERS_AT], params[MADE_AT]):
            found = found ^ store_mark(at, stores[at])
    if state[CHAIN] >= 0:
        found = found ^ scatter(state[CHAIN] * 65536 + state[CHAIN_TYPE] + 1000003)
        if plan[LAST_MATTERS]:
            found = found ^ scatter((state[LAST_FROM] + 1) * 1048576 + state[LAST_TO] + 5000011)
    return found


@inline
def last_key() -> int:
    """What the last turn adds to the key, where it may decide what follows."""
    if state[CHAIN] < 0 and plan[LAST_MATTERS] and state[LAST_TO] >= 0:
        kind = cell[state[LAST_TO]] >> 8
        if last_matters[kind * 64 + (state[LAST_TO] - state[LAST_FROM] & 63)]:
            return scatter((state[LAST_FROM] + 1) * 1048576 + state[LAST_TO] + 9000011)
    return 0
