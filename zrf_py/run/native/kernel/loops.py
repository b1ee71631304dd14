"""Long work in slices: counting leaves, playing random games. Each call stops after about `budget` positions.

Python calls again until nothing is left, so that Ctrl-C is heard at once.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import length, mix, unmake
from zrf_py.run.native.kernel.goals import final_result, winners
from zrf_py.run.native.kernel.legal import after, legal
from zrf_py.run.native.kernel.memory import (
    ERROR,
    FRAME,
    GAMES,
    LEVEL,
    NODES,
    PLIES,
    PLY,
    RANDOM,
    RESULT,
    TOP,
    line_end,
    line_next,
    state,
    tally,
)
from zrf_py.run.native.kernel.words import entry, inline, shift_right


@inline
def count_records(base: int, end: int) -> int:
    found = 0
    m = base
    while m < end:
        m += length(m)
        found += 1
    return found


@entry
def perft_begin() -> None:
    """Put the root's moves on ply 0; the position must be loaded."""
    base = legal()
    state[LEVEL] = 0
    state[NODES] = 0
    line_next[0] = base
    line_end[0] = state[TOP]


@entry
def perft(depth: int, budget: int) -> int:
    """Go on counting; 1 when everything is counted. state[NODES] is the number of leaves so far."""
    level = state[LEVEL]
    nodes = state[NODES]
    while level >= 0 and budget > 0 and state[ERROR] == 0:
        m = line_next[level]
        if level == depth - 1:
            nodes += count_records(m, line_end[level])
            m = line_end[level]
        if m >= line_end[level]:
            level -= 1
            if level >= 0:
                state[TOP] = line_end[level]
                unmake()
            continue
        line_next[level] = m + length(m)
        after(m)
        budget -= 1
        if state[ERROR] == 0:
            level += 1
            line_next[level] = legal()
            line_end[level] = state[TOP]
    state[LEVEL] = level
    state[NODES] = nodes
    return level < 0


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
def record_number(base: int, number: int) -> int:
    m = base
    for _i in range(number):
        m += length(m)
    return m


@entry
def playouts(games: int, most: int, budget: int) -> int:
    """Go on playing random games from the loaded position; 1 when `games` are finished.

    `state[GAMES]` counts games, `state[PLIES]` plies of all games, `tally` results: [mask of winners], and in the
    last element the games that were cut off after `most` plies.
    """
    while state[GAMES] < games and budget > 0 and state[ERROR] == 0:
        base = legal()
        count = count_records(base, state[TOP])
        finished = 1
        if state[RESULT] >= 0:
            count_result(state[RESULT])
        elif count == 0:
            count_result(final_result())
        elif state[PLY] >= most:
            tally[256] = tally[256] + 1
        else:
            finished = 0
        state[TOP] = base
        budget -= 1
        if finished:
            state[GAMES] = state[GAMES] + 1
            while state[FRAME] > 0:
                unmake()
            state[PLY] = 0
        else:
            after(record_number(base, random_below(count)))
            state[PLY] = state[PLY] + 1
            state[PLIES] = state[PLIES] + 1
    return state[GAMES] >= games


@inline
def count_result(result: int) -> None:
    mask = winners(result) & 255
    tally[mask] = tally[mask] + 1


@entry
def seed(number: int) -> None:
    state[RANDOM] = mix(number + 1) | 1
    state[GAMES] = 0
    state[PLIES] = 0
    state[PLY] = 0
    for i in range(257):
        tally[i] = 0
