"""Look-ahead within a turn: whether it can be finished legally, and the longest chain."""

from zrf_py.jit.language import inline
from zrf_py.native.kernel import board, keys, legal, turn
from zrf_py.native.kernel.memory import ENDLESS_TURN, NO_ERROR, moves, params, path, scores, state, taken, values


MAX_CHAIN = 200
"""Limit on look-ahead within a turn: positions tried to finish it, and legs of the longest chain."""
MAX_LOOKS = 50000
"""Limit on legs tried for the longest chain."""
CHAINS_FROM = 256
"""Start of the chain's hashes in `path` during the search for the longest."""


@inline
def can_finish(m: int) -> int:
    """Return whether the turn can be finished legally with a move.

    It cannot if, at the end of every continuation, the leg may not be the last, the board is the same as before the
    turn (unless null turns are allowed), or the next player could capture a royal piece.
    """
    if params.has_royals == 0 and board.partial_of(m) == -2 and (params.null_turns or state.chain < 0):
        return True
    state.seen = 0
    return finishes(m, 0)


def some_finishes(base: int, end: int, wanted: int) -> int:
    """Return whether a record of move type `wanted` (-1: any) can finish the turn, ignoring royal pieces.

    Within another look-ahead, return True without any test.
    """
    if state.ahead:
        return True
    m = base
    found = 0
    while m < end and found == 0 and state.error == NO_ERROR:
        if wanted < 0 or (moves[m + 1] >> 40) - 1 == wanted:
            state.seen = 0
            found = finishes(m, 1)
        m += board.length(m)
    return found


def finishes(m: int, any_end: int) -> int:
    """Return whether one move can finish the turn; `any_end`: royal pieces may be left in danger."""
    ahead = state.ahead
    state.ahead = 1
    found = 0
    in_chain = state.chain >= 0
    if board.push_frame():
        board.play(m)
        if turn.chains(m):
            found = goes_on_to_finish(any_end)
        else:
            turn.next_turn()
            found = may_be_last(m, in_chain) and (any_end or params.has_royals == 0 or legal.royal_in_danger() == 0)
        board.unmake()
    state.ahead = ahead
    return found


@inline
def may_be_last(m: int, in_chain: int) -> int:
    """Return whether the leg `m`, with which the turn has just ended, may be its last one, ignoring royal pieces."""
    if params.has_unfinished == 0:
        return True
    return board.must_of(m) == 0 and (params.null_turns or in_chain == 0 or state.hash != state.origin)


def goes_on_to_finish(any_end: int) -> int:
    """Return whether the turn can be finished from here; False if this was tried before, or too often (`MAX_CHAIN`)."""
    key = keys.of_position() ^ keys.mix(state.last_from + 77)
    for i in range(state.seen):
        if path[i] == key:
            return False
    if state.seen > MAX_CHAIN:
        return False
    path[state.seen] = key
    state.seen = state.seen + 1
    if params.pass_partial and (params.plus == 0 or state.must == 0) and ends_well(any_end):
        return True
    base = state.top
    legal.candidates()
    end = state.top
    m = base
    found = 0
    while m < end and found == 0 and state.error == NO_ERROR:
        found = finishes(m, any_end)
        m += board.length(m)
    state.top = base
    return found


def ends_well(any_end: int) -> int:
    """Return whether the chain may end at the current position."""
    if board.push_frame() == 0:
        return False
    state.chain = -1
    turn.next_turn()
    found = params.null_turns or state.hash != state.origin
    if found and any_end == 0 and params.has_royals:
        found = legal.royal_in_danger() == 0
    board.unmake()
    return found


# ------------------------------------------------------------------------------------------------- maximal captures


def keep_longest(base: int) -> None:
    """Keep only the legs that begin a longest chain; with "maximal captures" 2, only those of the highest value."""
    end = state.top
    best = 0
    count = 0
    state.looks = 0
    m = base
    while m < end:
        scores[count] = reach_of(m, 0)
        if state.error:
            return
        if scores[count] > best or count == 0:
            best = scores[count]
        count += 1
        m += board.length(m)
    m = base
    to = base
    count = 0
    while m < end:
        size = board.length(m)
        if scores[count] == best:
            for k in range(size):
                moves[to + k] = moves[m + k]
            to += size
        count += 1
        m += size
    state.top = to


def reach_of(m: int, depth: int) -> int:
    """Return (partial legs << 32) + value of the captures ("maximal captures" 2 only) of the longest chain that begins
    with a move; set the error ENDLESS_TURN after `MAX_LOOKS` legs examined in all."""
    state.looks = state.looks + 1
    if state.looks > MAX_LOOKS:
        state.error = ENDLESS_TURN
        return 0
    taken_before = state.taken_to
    legs = 4294967296 if board.partial_of(m) > -2 else 0
    if turn.advance(m) == 0:
        return 0
    chained = turn.chains(m)
    value = 0
    if params.maximal == 2:
        for i in range(taken_before, state.taken_to):
            value += values[(taken[i] >> 8) - 1]
    more = 0
    if chained and depth <= MAX_CHAIN and state.error == NO_ERROR:
        more = further(depth)
    board.unmake()
    return legs + value + more


def further(depth: int) -> int:
    """Return the best score of the rest of a chain; a position that recurs within it counts 0."""
    key = keys.of_position()
    for i in range(depth):
        if path[CHAINS_FROM + i] == key:
            return 0
    path[CHAINS_FROM + depth] = key
    base = state.top
    legal.candidates()
    end = state.top
    best = 0
    m = base
    while m < end and state.error == NO_ERROR:
        score = reach_of(m, depth + 1)
        if score > best:
            best = score
        m += board.length(m)
    state.top = base
    return best
