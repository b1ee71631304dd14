"""Counting moves, and drawing one, without writing the others: for games whose blocks `sets.py` can say in sets.

`fill_sets` (written by `bits.py`, for each game its own) puts the starts of each yield of a group into `yield_masks`
and answers how many records they stand for.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import DROP, MOVE, length
from zrf_py.run.native.kernel.legal import begin_generation, run_drop
from zrf_py.run.native.kernel.masks import (
    MOST_TYPES,
    MOVE_TYPES,
    class_from,
    class_list,
    group_from,
    setting,
    yield_count,
    yield_direct,
    yield_end,
    yield_from,
    yield_head,
    yield_masks,
    yield_routine,
    yield_types,
)
from zrf_py.run.native.kernel.memory import (
    CHAIN,
    CHAIN_TYPE,
    DROPPING,
    ERROR,
    GROUP,
    MOVES_ROOM,
    NO_ROOM,
    PASS_ALWAYS,
    PASS_FORCED,
    PASS_PARTIAL,
    PASS_TURN,
    RANDOM,
    RESULT,
    ROUTINES,
    SQUARES,
    TOP,
    TURN,
    WORDS,
    choices,
    moves,
    params,
    routine_move_type,
    routine_type,
    state,
    turn_side,
    turn_type,
)
from zrf_py.run.native.kernel.vm import run
from zrf_py.run.native.kernel.walk import movement
from zrf_py.run.native.kernel.words import bit_count, entry, inline, nth_bit, shift_right


@inline
def random_below(count: int) -> int:
    """A uniform number below `count`, from xorshift64*; for counts of this size the bias is below 2^-40."""
    value = state[RANDOM]
    value = value ^ shift_right(value, 12)
    value = value ^ value << 25
    value = value ^ shift_right(value, 27)
    state[RANDOM] = value
    return shift_right(shift_right(value * 2685821657736338717, 32) * count, 32)


@inline
def list_records(base: int, end: int) -> int:
    """Put the number of each record's first word into `choices`; how many there are."""
    found = 0
    m = base
    while m < end:
        choices[found] = m
        m += length(m)
        found += 1
    return found


def fill_sets(group: int, side: int, chain: int) -> int:
    """Never run: `bits.py` writes it."""
    return group + side + chain


def count_moves() -> int:
    """How many records the blocks would write on the position at hand, passes left out; which, is in `yield_masks`."""
    side = turn_side[state[TURN]]
    chain = state[CHAIN]
    move_type = turn_type[state[TURN]]
    if chain >= 0:
        move_type = state[CHAIN_TYPE]
    row = (side * (setting[MOVE_TYPES] + 1) + move_type + 1) * 2 + (chain >= 0)
    for k in range(class_from[row], class_from[row + 1]):
        count = fill_sets(class_list[k], side, chain)
        if count:
            state[GROUP] = class_list[k]
            return count
    return 0


@inline
def passes(count: int) -> int:
    """How many passes are offered besides."""
    if state[CHAIN] >= 0:
        return params[PASS_PARTIAL]
    if params[PASS_TURN] == PASS_FORCED:
        return count == 0
    return params[PASS_TURN] == PASS_ALWAYS


@entry
def count_legal() -> int:
    """How many legal moves there are, where no royal piece has to be safe."""
    if state[RESULT] >= 0:
        return 0
    count = count_moves()
    return count + passes(count)


@entry
def draw(left: int) -> int:
    """Write record number `left` of those counted last; -1 if its block writes none."""
    words = params[WORDS]
    for i in range(group_from[state[GROUP]], group_from[state[GROUP] + 1]):
        many = yield_count[i]
        for word in range(words):
            bits = yield_masks[i * words + word]
            here = bit_count(bits) * many
            if left < here:
                if setting[MOST_TYPES] == 1:
                    return write_yield(i, word * 64 + nth_bit(bits, left), 0)
                return write_yield(i, word * 64 + nth_bit(bits, left // many), left % many)
            left -= here
    return -1


@inline
def write_yield(i: int, start: int, which: int) -> int:
    """One record of a yield: at once where it is one movement, else by running the block."""
    base = state[TOP]
    if yield_direct[i] == 0:
        return draw_from(i, start)
    if base + 16 > params[MOVES_ROOM]:
        state[ERROR] = NO_ROOM
        return -1
    routine = yield_routine[i]
    from_ = yield_from[i * params[SQUARES] + start]
    end = yield_end[i * params[SQUARES] + start]
    moves[base] = yield_head[i]
    moves[base + 1] = from_ + 1 | end + 1 << 20 | routine_move_type[routine] + 1 << 40
    if routine >= params[ROUTINES]:
        moves[base + 2] = movement(DROP, -1, end, routine_type[routine])
    else:
        moves[base + 2] = movement(MOVE, from_, end, yield_types[i * setting[MOST_TYPES] + which])
    state[TOP] = base + 3
    return base


def draw_from(i: int, start: int) -> int:
    """Run the block of a yield on a square and draw one of its records."""
    base = state[TOP]
    begin_generation()
    if yield_routine[i] >= params[ROUTINES]:
        state[DROPPING] = 1
        run_drop(yield_routine[i] - params[ROUTINES], start, turn_side[state[TURN]])
    else:
        run(yield_routine[i], start, turn_side[state[TURN]])
    count = list_records(base, state[TOP])
    return choices[random_below(count)] if count else -1
