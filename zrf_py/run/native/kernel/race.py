"""The end of a race that needs many squares: how far the last men are from goal squares that are still free."""

from __future__ import annotations

from zrf_py.run.native.kernel.memory import SQUARES, TYPES, WORDS, cell, occupied, params
from zrf_py.run.native.kernel.notes import PER_STEP, race_choice, race_far, race_free, race_goal, race_man, search
from zrf_py.run.native.kernel.words import bit_count, inline, lowest_bit

LAST_MEN = 6
"""So many men outside at most; with more, the sums of squares tell enough."""
FAR = 10
"""Steps that a man is from home, at most, for what is counted here."""
DONE = 1000000
HOPELESS = 40
"""The same where no square is left that he could reach."""


def homecoming(player: int) -> int:
    """What it is worth that only few men are outside, and how near they are: the more the better.

    Each man has a square of his own in mind; those with the smallest choice choose first.
    """
    words = params[WORDS]
    outside = 0
    for word in range(words):
        outside += bit_count(occupied[(player + 1) * words + word] & ~race_goal[player * words + word])
        race_free[word] = race_goal[player * words + word] & ~occupied[(player + 1) * words + word]
    if outside > LAST_MEN:
        return 0
    men = 0
    for word in range(words):
        bits = occupied[(player + 1) * words + word] & ~race_goal[player * words + word]
        while bits:
            race_man[men] = ways_from(player, word * 64 + lowest_bit(bits))
            race_choice[men] = choices_of(race_man[men])
            men += 1
            bits = bits & (bits - 1)
    steps = LAST_MEN * FAR
    for _i in range(men):
        first = 0
        for i in range(1, men):
            if race_choice[i] < race_choice[first]:
                first = i
        race_choice[first] = DONE
        steps -= way_home(race_man[first])
    return steps * search[PER_STEP]


@inline
def ways_from(player: int, square: int) -> int:
    """Where the steps to all goal squares begin in `race_far`."""
    return ((player * params[TYPES] + (cell[square] >> 8) - 1) * params[SQUARES] + square) * params[SQUARES]


def choices_of(ways: int) -> int:
    """How many free squares a man can get to."""
    found = 0
    for word in range(params[WORDS]):
        bits = race_free[word]
        while bits:
            if race_far[ways + word * 64 + lowest_bit(bits)] >= 0:
                found += 1
            bits = bits & (bits - 1)
    return found


def way_home(ways: int) -> int:
    """Steps to the nearest square that is free, which is then his."""
    best = HOPELESS
    at = -1
    for word in range(params[WORDS]):
        bits = race_free[word]
        while bits:
            far = race_far[ways + word * 64 + lowest_bit(bits)]
            if far >= 0 and far < best:
                best = far
                at = word * 64 + lowest_bit(bits)
            bits = bits & (bits - 1)
    if at < 0:
        return HOPELESS
    race_free[at >> 6] = race_free[at >> 6] & ~(1 << (at & 63))
    return best if best < FAR else FAR
