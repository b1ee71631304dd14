"""Move ordering: hash move, winning arrivals, captures and promotions (by victim, then attacker), killers, history."""

from zrf_py.jit.language import inline, shift_right
from zrf_py.native.kernel import board, keys
from zrf_py.native.kernel.memory import cell, moves, params, state, turn_side
from zrf_py.search.evaluation.kernel import incremental
from zrf_py.search.memory import (
    ARRIVING, HISTORY, SKIPS, history, killers, type_value, order_index, order_move, order_score, ply, root_skip,
    search,
)


@inline
def history_index(m: int) -> int:
    """Return a move's 16-bit signature for killers and history: usually the same for that move in similar positions."""
    return keys.mix(moves[m + 1] * 31 + moves[m + 2] * 2 if moves[m] & 68719476735 else 5) & 65535


@inline
def victim_value(square: int, me: int) -> int:
    held = cell[square]
    if held == 0:
        return 0
    return type_value[held >> 8] if (held & 255) != me + 1 else -type_value[held >> 8]


def capture_gain(m: int) -> int:
    """Return the value of a move's captures and promotions; 0 for a quiet move."""
    head = moves[m]
    me = turn_side[state.turn]
    gain = 0
    at = m + board.HEAD
    for _i in range(head & board.SMALL):
        part = moves[at]
        how = part & 255
        if how != board.DROP:
            to = part >> 28 & board.SQUARE
            gain += victim_value(to, me) if to != (part >> 8 & board.SQUARE) - 1 else 0
            kind = shift_right(part, 48)
            if kind and how == board.MOVE:
                gain += type_value[kind] - type_value[cell[(part >> 8 & board.SQUARE) - 1] >> 8]
        at += 1
    for _i in range(head >> 12 & board.SMALL):
        part = moves[at]
        square = part >> 8 & board.SQUARE
        if part & 255 == 0:
            gain += victim_value(square, me)
        elif part & 255 == 3 and cell[square]:
            gain += type_value[(part >> 28 & 262143) + 1] - type_value[cell[square] >> 8]
        at += 1
    for _i in range(head >> 24 & board.SMALL):
        gain += victim_value(moves[at], me)
        at += 1
    return gain


@inline
def square_gain(m: int) -> int:
    """Return the change of the moved piece's piece-square value."""
    if moves[m] & board.SMALL == 0:
        return 0
    part = moves[m + board.HEAD]
    if part & 255 == board.DROP:
        held = turn_side[state.turn] + 1 | shift_right(part, 48) << 8
        return incremental.value_on(part >> 28 & board.SQUARE, held)
    start = (part >> 8 & board.SQUARE) - 1
    if cell[start] == 0:
        return 0
    return incremental.value_on(part >> 28 & board.SQUARE, cell[start]) - incremental.value_on(start, cell[start])


@inline
def attacker_value(m: int) -> int:
    """Return the value of the moving piece's type; 0 for a drop, or without movements."""
    if moves[m] & board.SMALL == 0 or moves[m + board.HEAD] & 255 > board.COPY:
        return 0
    return type_value[cell[(moves[m + board.HEAD] >> 8 & board.SQUARE) - 1] >> 8]


def square_at_risk(m: int) -> int:
    """If a capture is a single movement of a piece worth more than the gain, return its end square, else -1."""
    if moves[m] & board.SMALL != 1 or capture_gain(m) >= attacker_value(m):
        return -1
    return moves[m + board.HEAD] >> 28 & board.SQUARE


def score_moves(p: int, base: int, wanted: int, tactical: int) -> None:
    """Index and score the moves of a position: all, or only captures and winning arrivals (`tactical`)."""
    first = ply[p].order
    number = 0
    to = first
    m = base
    end = state.top
    me = ply[p].mover
    while m < end:
        if p > 0 or number >= SKIPS or root_skip[number] == 0:
            score = move_score(p, m, me, number == wanted, tactical)
            if score >= 0 or tactical == 0:
                order_move[to] = m
                order_index[to] = number
                order_score[to] = score
                to += 1
        number += 1
        m += board.length(m)
    ply[p].legal = number
    ply[p].count = to - first
    search.order_top = to


@inline
def move_score(p: int, m: int, me: int, wanted: int, tactical: int) -> int:
    """Return the score by which a move is ordered; for a quiet move -1, if only tactical moves are wanted."""
    taken = capture_gain(m)
    better = square_gain(m) if search.per_arrival or tactical == 0 else 0
    if tactical and taken <= 0 and better < ARRIVING:
        return -1
    if wanted:
        return 1 << 50
    if better >= ARRIVING:
        return 1 << 49
    if taken > 0:
        return (1 << 40) + taken * 64 - attacker_value(m)
    number = history_index(m)
    if killers[2 * p] == number or killers[2 * p + 1] == number:
        return 1 << 36
    return history[me * HISTORY + number] + better + (taken << 10)


@inline
def pick_next(p: int) -> int:
    """Swap the best remaining move to the front (selection sort); return its index in the lists, -1 if none is left."""
    first = ply[p].order + ply[p].tried
    end = ply[p].order + ply[p].count
    if first >= end:
        return -1
    best = first
    for i in range(first + 1, end):
        if order_score[i] > order_score[best]:
            best = i
    if best != first:
        order_move[best], order_move[first] = order_move[first], order_move[best]
        order_score[best], order_score[first] = order_score[first], order_score[best]
        order_index[best], order_index[first] = order_index[first], order_index[best]
    return first


def record_cutoff(p: int) -> None:
    """Record a quiet move that caused a cutoff: as a killer, and in the history table."""
    number = history_index(ply[p].move)
    if killers[2 * p] != number:
        killers[2 * p + 1] = killers[2 * p]
        killers[2 * p] = number
    depth = ply[p].depth if ply[p].depth > 0 else 0
    at = ply[p].mover * HISTORY + number
    history[at] = history[at] + depth * depth
    lower_history(p)
    if history[at] > 1 << 28:
        for i in range(params.players * HISTORY):
            history[i] = history[i] >> 1


def lower_history(p: int) -> None:
    """Lower the history of the quiet moves that were tried before the one that caused a cutoff."""
    first = ply[p].order
    for i in range(first, first + ply[p].tried - 1):
        if order_score[i] < 1 << 40:
            at = ply[p].mover * HISTORY + history_index(order_move[i])
            history[at] = history[at] - shift_right(history[at], 3)
