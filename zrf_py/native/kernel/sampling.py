"""Count moves, and draw one without writing the others: by sets if `sets.py` can express all blocks, else by block.

`fill_sets` computes the starts of each yield of a group (`yield_masks`) and the running totals of records
(`yield_below`), and returns the number of records. `bits.py` compiles a version for each such game; `fills.py` is the
version for any game.
"""

from zrf_py.jit.language import MANY, bit_count, entry, inline, nth_bit, shift_right, squares_of
from zrf_py.native.kernel import board, fills, legal, vm, walk
from zrf_py.native.kernel.masks import (
    class_from, class_list, group_from, setting, yield_below, yield_count, yield_direct, yield_end, yield_from,
    yield_head, yield_masks, yield_routine, yield_types,
)
from zrf_py.native.kernel.memory import (
    NO_ROOM, PASS_ALWAYS, PASS_FORCED, cell, choices, drop_empty, drop_from, drop_squares, moves,
    occupied, params, priorities, routine_move_type, routine_type, state, stores, turn_side, turn_type,
)


@inline
def random_below(count: int) -> int:
    """Return a uniform number below `count`, from xorshift64*; each probability is off by less than 2^-32."""
    value = state.random
    value = value ^ shift_right(value, 12)
    value = value ^ value << 25
    value = value ^ shift_right(value, 27)
    state.random = value
    return shift_right(shift_right(value * 2685821657736338717, 32) * count, 32)


@inline
def list_records(base: int, end: int) -> int:
    """Write the start of each record to `choices`; return their number."""
    found = 0
    m = base
    while m < end:
        choices[found] = m
        m = board.following(m)
        found += 1
    return found


def count_moves(limit: int) -> int:
    """Count the records that blocks would write on the current position, without passes; may stop at `limit`."""
    side = turn_side[state.turn]
    chain = state.chain
    move_type = turn_type[state.turn]
    if chain >= 0:
        move_type = state.chain_type
    if setting.sets:
        return count_by_sets(side, move_type, chain)
    if params.priorities and move_type < 0:
        for i in range(params.priorities):
            count = count_blocks(side, priorities[i], chain, limit)
            if count:
                state.drawn_type = priorities[i]
                return count
    state.drawn_type = move_type
    return count_blocks(side, move_type, chain, limit)


def count_by_sets(side: int, move_type: int, chain: int) -> int:
    """Like `count_moves`, by sets; `yield_masks` then has the moves."""
    if setting.one_group:
        state.group = 0
        return fills.fill_sets(0, side, chain)
    row = (side * (setting.move_types + 1) + move_type + 1) * 2 + (chain >= 0)
    for k in range(class_from[row], class_from[row + 1]):
        count = fills.fill_sets(class_list[k], side, chain)
        if count:
            state.group = class_list[k]
            return count
    return 0


def count_blocks(side: int, move_type: int, chain: int, limit: int) -> int:
    """Like `count_moves`, but piece by piece, as in `generate`."""
    legal.begin_generation()
    if chain >= 0:
        return count_piece(chain, side, move_type, limit)
    found = 0
    for square in squares_of(occupied, side + 1, params.words):
        found += count_piece(square, side, move_type, limit - found)
        if found >= limit or state.error:
            return found
    state.dropping = 1
    for i in range(params.drop_routines):
        if found < limit and state.error == 0:
            found += count_drops(i, side, move_type, limit - found)
    state.dropping = 0
    return found


def count_drops(i: int, side: int, move_type: int, limit: int) -> int:
    """Count the records of one drop block."""
    routine = params.routines + i
    if move_type >= 0 and routine_move_type[routine] != move_type:
        return 0
    if stores[side * params.types + routine_type[routine]] <= 0:
        return 0
    found = 0
    at = i * params.players + side
    for k in range(drop_from[at], drop_from[at + 1]):
        if drop_empty[i] == 0 or cell[drop_squares[k]] == 0:
            found += count_drop(i, drop_squares[k], side, limit - found)
        if found >= limit or state.error:
            return found
    return found


def draw_counted(left: int) -> int:
    """Write the records of the block that has record number `left` of the last count; return that record (-1: none)."""
    base = state.top
    legal.begin_generation()
    side = turn_side[state.turn]
    if state.chain >= 0:
        return record_from(base, draw_piece(state.chain, side, state.drawn_type, left))
    for square in squares_of(occupied, side + 1, params.words):
        count = count_piece(square, side, state.drawn_type, MANY)
        if left < count:
            return record_from(base, draw_piece(square, side, state.drawn_type, left))
        left -= count
    return -1


@inline
def record_from(base: int, number: int) -> int:
    """Return a record by its number among those from `base` on."""
    m = base
    for _i in range(number):
        m = board.following(m)
    return m


def draw_piece(square: int, side: int, move_type: int, left: int) -> int:
    """Write the records of the block that writes the piece's record number `left`; return its number among them.
    This and the two functions below are stubs; a game's own code (`blocks.py`) implements those that it calls."""
    return 0


def count_piece(square: int, side: int, move_type: int, limit: int) -> int:
    """Count the records of the piece on a square; may stop at `limit`."""
    return 0


def count_drop(i: int, square: int, side: int, limit: int) -> int:
    """Count the records of drop block `i` on a square; may stop at `limit`."""
    return 0


@inline
def passes(count: int) -> int:
    """Return the number of passes (0 or 1) that the rules offer besides `count` records."""
    if state.chain >= 0:
        return params.pass_partial
    if params.pass_turn == PASS_FORCED:
        return count == 0
    return params.pass_turn == PASS_ALWAYS


@entry
def count_legal() -> int:
    """Count the legal moves of a game in which every generated move is legal."""
    if state.result >= 0:
        return 0
    count = count_moves(MANY)
    return count + passes(count)


@entry
def draw(left: int) -> int:
    """Write record number `left` of those counted last, and return it; -1 if its block writes none."""
    start = find(left)
    return write_yield(state.drawn, start, state.drawn_type)


@inline
def find(left: int) -> int:
    """Return the start square of record number `left` of those counted last; set `drawn` and `drawn_type` for it."""
    words = params.words
    group = 0 if setting.one_group else state.group
    first = group_from[group]
    i = first
    for k in range(first + 1, group_from[group + 1]):
        i += yield_below[k] <= left  # a running sum, because the branches of a search would be mispredicted
    left -= yield_below[i]
    state.drawn = i
    state.drawn_type = 0
    if setting.most_types > 1:
        state.drawn_type = left % yield_count[i]
        left = left // yield_count[i]
    at = i * words
    skipped = 0
    seen = 0
    for word in range(words - 1):  # without early exit, which would be mispredicted
        seen += bit_count(yield_masks[i * words + word])
        at += seen <= left
        skipped = seen if seen <= left else skipped
    return (at - i * words) * 64 + nth_bit(yield_masks[at], left - skipped)


@inline
def write_yield(i: int, start: int, which: int) -> int:
    """Write one record of a yield, directly if it is one movement, else by running the block; return it, or -1."""
    base = state.top
    if yield_direct[i] == 0:
        return draw_from(i, start)
    if base + 16 > params.moves_room:
        state.error = NO_ROOM
        return -1
    routine = yield_routine[i]
    from_ = yield_from[i * params.squares + start]
    end = yield_end[i * params.squares + start]
    moves[base] = yield_head[i]
    moves[base + 1] = from_ + 1 | end + 1 << 20 | routine_move_type[routine] + 1 << 40
    if routine >= params.routines:
        moves[base + 2] = walk.movement(board.DROP, -1, end, routine_type[routine])
    else:
        moves[base + 2] = walk.movement(board.MOVE, from_, end, yield_types[i * setting.most_types + which])
    state.top = base + 3
    return base


@inline
def run_yield(i: int, start: int) -> None:
    """Run the block of a yield on a square."""
    legal.begin_generation()
    if yield_routine[i] >= params.routines:
        state.dropping = 1
        legal.run_drop(yield_routine[i] - params.routines, start, turn_side[state.turn])
    else:
        vm.run(yield_routine[i], start, turn_side[state.turn])


def draw_from(i: int, start: int) -> int:
    """Write the records of a yield on a square, and return one drawn from them; -1 if there is none."""
    base = state.top
    run_yield(i, start)
    if state.top > base and base + board.length(base) == state.top:
        return base
    count = list_records(base, state.top)
    return choices[random_below(count)] if count else -1
