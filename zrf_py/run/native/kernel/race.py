"""The end of a race that needs many squares: how far the last men are from goal squares that are still free."""

from __future__ import annotations

from zrf_py.run.native.kernel.memory import SQUARES, TYPES, WORDS, cell, occupied, params
from zrf_py.run.native.kernel.notes import PER_STEP, race_far, race_goal, search
from zrf_py.run.native.kernel.words import bit_count, lowest_bit

LAST_MEN = 4
"""So many men outside at most; with more, the sums of squares tell enough."""
FAR = 10
"""Steps that a man is from home, at most, for what is counted here."""


def homecoming(player: int) -> int:
    """What it is worth that only few men are outside, and how near they are: the more the better."""
    words = params[WORDS]
    outside = 0
    for word in range(words):
        outside += bit_count(occupied[(player + 1) * words + word] & ~race_goal[player * words + word])
    if outside > LAST_MEN:
        return 0
    steps = LAST_MEN * FAR
    for word in range(words):
        bits = occupied[(player + 1) * words + word] & ~race_goal[player * words + word]
        while bits:
            steps -= way_home(player, word * 64 + lowest_bit(bits))
            bits = bits & (bits - 1)
    return steps * search[PER_STEP]


def way_home(player: int, square: int) -> int:
    """Steps to the nearest goal square that none of the player's own men stands on."""
    words = params[WORDS]
    base = ((player * params[TYPES] + (cell[square] >> 8) - 1) * params[SQUARES] + square) * params[SQUARES]
    best = FAR
    for word in range(words):
        bits = race_goal[player * words + word] & ~occupied[(player + 1) * words + word]
        while bits:
            far = race_far[base + word * 64 + lowest_bit(bits)]
            if far >= 0 and far < best:
                best = far
            bits = bits & (bits - 1)
    return best
