"""Looking ahead within a turn: can it be finished legally, which chain is the longest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zrf_py.run.native.kernel.board import length, mix, must_of, partial_of, play, position_hash, push_frame, unmake
from zrf_py.run.native.kernel.memory import (
    AHEAD,
    CHAIN,
    ENDLESS_TURN,
    ERROR,
    HAS_ROYALS,
    HAS_UNFINISHED,
    HASH,
    LAST_FROM,
    LOOKS,
    MAXIMAL,
    MUST,
    NO_ERROR,
    NULL_TURNS,
    ORIGIN,
    PASS_PARTIAL,
    PLUS,
    SEEN,
    TAKEN_TO,
    TOP,
    moves,
    params,
    path,
    scores,
    state,
    taken,
    values,
)
from zrf_py.run.native.kernel.turn import advance, chains, next_turn
from zrf_py.run.native.kernel.words import inline

if TYPE_CHECKING:
    from zrf_py.run.native.kernel.legal import candidates, royal_in_danger

MAX_CHAIN = 200
"""Legs that are looked ahead in one turn."""
MAX_LOOKS = 50000
"""Legs that are tried to find the longest chain."""
CHAINS_FROM = 256
"""Where the hashes of a chain begin in `path` while the longest is looked for."""


@inline
def can_finish(m: int) -> int:
    """Whether the turn can be finished legally with a move.

    It can't where it must end on a leg that may not be the last, with a board it began with (unless null turns are
    allowed), or with a royal piece of somebody else in the next player's reach.
    """
    if params[HAS_ROYALS] == 0 and partial_of(m) == -2 and (params[NULL_TURNS] or state[CHAIN] < 0):
        return True
    state[SEEN] = 0
    return finishes(m, 0)


def some_finishes(base: int, end: int, wanted: int) -> int:
    """Whether the turn can be finished with one of the records of a move type, royal pieces apart.

    While a turn is looked ahead the answer is yes.
    """
    if state[AHEAD]:
        return True
    m = base
    found = 0
    while m < end and found == 0 and state[ERROR] == NO_ERROR:
        if wanted < 0 or (moves[m + 1] >> 40) - 1 == wanted:
            state[SEEN] = 0
            found = finishes(m, 1)
        m += length(m)
    return found


def finishes(m: int, any_end: int) -> int:
    """The same for one move; `any_end`: royal pieces may be left in danger."""
    ahead = state[AHEAD]
    state[AHEAD] = 1
    found = 0
    in_chain = state[CHAIN] >= 0
    if push_frame():
        play(m)
        if chains(m):
            found = goes_on_to_finish(any_end)
        else:
            next_turn()
            found = may_be_last(m, in_chain) and (any_end or params[HAS_ROYALS] == 0 or royal_in_danger() == 0)
        unmake()
    state[AHEAD] = ahead
    return found


@inline
def may_be_last(m: int, in_chain: int) -> int:
    """After the end of a turn: whether its last leg may be the last; royal pieces apart."""
    if params[HAS_UNFINISHED] == 0:
        return True
    return must_of(m) == 0 and (params[NULL_TURNS] or in_chain == 0 or state[HASH] != state[ORIGIN])


def may_end(m: int) -> int:
    """After the end of a turn of several legs: whether it may end so."""
    return may_be_last(m, True) and (params[HAS_ROYALS] == 0 or royal_in_danger() == 0)


def goes_on_to_finish(any_end: int) -> int:
    """The same in the middle of a chain: some way to end it is enough."""
    key = position_hash() ^ mix(state[LAST_FROM] + 77)
    for i in range(state[SEEN]):
        if path[i] == key:
            return False
    if state[SEEN] > MAX_CHAIN:
        return False
    path[state[SEEN]] = key
    state[SEEN] = state[SEEN] + 1
    if params[PASS_PARTIAL] and (params[PLUS] == 0 or state[MUST] == 0) and ends_well(any_end):
        return True
    base = state[TOP]
    candidates()
    end = state[TOP]
    m = base
    found = 0
    while m < end and found == 0 and state[ERROR] == NO_ERROR:
        found = finishes(m, any_end)
        m += length(m)
    state[TOP] = base
    return found


def ends_well(any_end: int) -> int:
    """Whether the chain may end here and now."""
    if push_frame() == 0:
        return False
    state[CHAIN] = -1
    next_turn()
    found = params[NULL_TURNS] or state[HASH] != state[ORIGIN]
    if found and any_end == 0 and params[HAS_ROYALS]:
        found = royal_in_danger() == 0
    unmake()
    return found


# ------------------------------------------------------------------------------------------------- maximal captures


def keep_longest(base: int) -> None:
    """Only the legs that begin a longest chain; of those, with option 2, the ones that capture most value."""
    end = state[TOP]
    best = 0
    count = 0
    state[LOOKS] = 0
    m = base
    while m < end:
        scores[count] = reach_of(m, 0)
        if state[ERROR]:
            return
        if scores[count] > best or count == 0:
            best = scores[count]
        count += 1
        m += length(m)
    m = base
    to = base
    count = 0
    while m < end:
        size = length(m)
        if scores[count] == best:
            for k in range(size):
                moves[to + k] = moves[m + k]
            to += size
        count += 1
        m += size
    state[TOP] = to


def reach_of(m: int, depth: int) -> int:
    """legs << 32 + value of the longest chain that begins with a move."""
    state[LOOKS] = state[LOOKS] + 1
    if state[LOOKS] > MAX_LOOKS:
        state[ERROR] = ENDLESS_TURN
        return 0
    taken_before = state[TAKEN_TO]
    legs = 4294967296 if partial_of(m) > -2 else 0
    if advance(m) == 0:
        return 0
    chained = chains(m)
    value = 0
    if params[MAXIMAL] == 2:
        for i in range(taken_before, state[TAKEN_TO]):
            value += values[(taken[i] >> 8) - 1]
    more = 0
    if chained and depth <= MAX_CHAIN and state[ERROR] == NO_ERROR:
        more = further(depth)
    unmake()
    return legs + value + more


def further(depth: int) -> int:
    """The best that may follow in a chain; a position met twice on the way counts nothing."""
    key = position_hash()
    for i in range(depth):
        if path[CHAINS_FROM + i] == key:
            return 0
    path[CHAINS_FROM + depth] = key
    base = state[TOP]
    candidates()
    end = state[TOP]
    best = 0
    m = base
    while m < end and state[ERROR] == NO_ERROR:
        score = reach_of(m, depth + 1)
        if score > best:
            best = score
        m += length(m)
    state[TOP] = base
    return best
