"""The moves of a ply: which look promising, in what order they are tried."""

from __future__ import annotations

from zrf_py.run.native.kernel.board import COPY, DROP, HEAD, MOVE, SMALL, SQUARE, length
from zrf_py.run.native.kernel.memory import TOP, TURN, cell, moves, state, turn_side
from zrf_py.run.native.kernel.notes import (
    ARRIVING,
    HISTORY,
    ORDER_TOP,
    PER_DRIFT,
    SKIPS,
    history,
    killers,
    kind_worth,
    order_index,
    order_move,
    order_score,
    ply_count,
    ply_legal,
    ply_mover,
    ply_order,
    ply_tried,
    root_skip,
    search,
)
from zrf_py.run.native.kernel.weigh import scatter, worth_of
from zrf_py.run.native.kernel.words import inline, shift_right


@inline
def signature(m: int) -> int:
    """A number for a move that is mostly the same in similar positions, in 16 bits."""
    return scatter(moves[m + 1] * 31 + moves[m + 2] * 2 if moves[m] & 68719476735 else 5) & 65535


@inline
def taken_worth(square: int, me: int) -> int:
    held = cell[square]
    if held == 0:
        return 0
    return kind_worth[held >> 8] if (held & 255) != me + 1 else -kind_worth[held >> 8]


def gain(m: int) -> int:
    """What a move takes and promotes, by the worth of the types; 0: a quiet move."""
    head = moves[m]
    me = turn_side[state[TURN]]
    found = 0
    at = m + HEAD
    for _i in range(head & SMALL):
        part = moves[at]
        how = part & 255
        if how != DROP:
            found += taken_worth(part >> 28 & SQUARE, me) if part >> 28 & SQUARE != (part >> 8 & SQUARE) - 1 else 0
            kind = shift_right(part, 48)
            if kind and how == MOVE:
                found += kind_worth[kind] - kind_worth[cell[(part >> 8 & SQUARE) - 1] >> 8]
        at += 1
    for _i in range(head >> 12 & SMALL):
        part = moves[at]
        square = part >> 8 & SQUARE
        if part & 255 == 0:
            found += taken_worth(square, me)
        elif part & 255 == 3 and cell[square]:
            found += kind_worth[(part >> 28 & 262143) + 1] - kind_worth[cell[square] >> 8]
        at += 1
    for _i in range(head >> 24 & SMALL):
        found += taken_worth(moves[at], me)
        at += 1
    return found


@inline
def drift(m: int) -> int:
    """What the place of a moved piece gains."""
    if moves[m] & SMALL == 0:
        return 0
    part = moves[m + HEAD]
    if part & 255 == DROP:
        held = turn_side[state[TURN]] + 1 | shift_right(part, 48) << 8
        return worth_of(part >> 28 & SQUARE, held)
    start = (part >> 8 & SQUARE) - 1
    if cell[start] == 0:
        return 0
    return worth_of(part >> 28 & SQUARE, cell[start]) - worth_of(start, cell[start])


@inline
def first_worth(m: int) -> int:
    """The worth of the type that makes the move."""
    if moves[m] & SMALL == 0 or moves[m + HEAD] & 255 > COPY:
        return 0
    return kind_worth[cell[(moves[m + HEAD] >> 8 & SQUARE) - 1] >> 8]


# -------------------------------------------------------------------------------------------------- lists of moves


def only_captures(p: int) -> int:
    """Keep the moves of the list that take or arrive; 1 if there is nothing but captures."""
    first = ply_order[p]
    to = first
    count = ply_count[p]
    taking = 1
    for i in range(first, first + count):
        if order_score[i] == 1 << 50:
            order_score[i] = (1 << 50) - 1 + is_loud(order_move[i])
        if order_score[i] < 1 << 40 or order_score[i] == (1 << 50) - 1:
            taking = 0
    if taking:
        return True
    for i in range(first, first + count):
        if order_score[i] >= 1 << 40 and order_score[i] != (1 << 50) - 1:
            order_move[to] = order_move[i]
            order_score[to] = order_score[i]
            order_index[to] = order_index[i]
            to += 1
    ply_count[p] = to - first
    search[ORDER_TOP] = to
    return False


def list_moves(p: int, base: int, wanted: int) -> None:
    """Number the moves of a position and say how promising each is."""
    first = ply_order[p]
    number = 0
    to = first
    m = base
    end = state[TOP]
    me = ply_mover[p]
    while m < end:
        if p > 0 or number >= SKIPS or root_skip[number] == 0:
            order_move[to] = m
            order_index[to] = number
            order_score[to] = promise(p, m, me, number == wanted)
            to += 1
        number += 1
        m += length(m)
    ply_legal[p] = number
    ply_count[p] = to - first
    search[ORDER_TOP] = to


def is_loud(m: int) -> int:
    """Whether a move takes something, or arrives where that wins."""
    return gain(m) > 0 or drift(m) >= ARRIVING


@inline
def promise(p: int, m: int, me: int, wanted: int) -> int:
    if wanted:
        return 1 << 50
    taken = gain(m)
    better = drift(m)
    if better >= ARRIVING:
        return 1 << 49
    if taken > 0:
        return (1 << 40) + taken * 64 - first_worth(m)
    number = signature(m)
    if killers[2 * p] == number or killers[2 * p + 1] == number:
        return 1 << 36
    return history[me * HISTORY + number] + better * search[PER_DRIFT] + (taken << 10)


@inline
def pick_next(p: int) -> int:
    """Put the most promising move that is left in front; its place in the lists, or -1."""
    first = ply_order[p] + ply_tried[p]
    end = ply_order[p] + ply_count[p]
    if first >= end:
        return -1
    best = first
    for i in range(first + 1, end):
        if order_score[i] > order_score[best]:
            best = i
    if best != first:
        m = order_move[best]
        score = order_score[best]
        index = order_index[best]
        order_move[best] = order_move[first]
        order_score[best] = order_score[first]
        order_index[best] = order_index[first]
        order_move[first] = m
        order_score[first] = score
        order_index[first] = index
    return first
