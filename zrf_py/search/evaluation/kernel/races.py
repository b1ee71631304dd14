"""What a player has in all; in a race that needs many squares, how far his men outside are from those still free."""

from zrf_py.jit.language import inline, lowest_bit
from zrf_py.native.kernel import goals
from zrf_py.native.kernel.memory import cell, occupied, params
from zrf_py.search.memory import (
    plan, race_choice, race_cost, race_free, race_goal, race_man, race_near, search, standing,
)

DONE = 1000000
HOPELESS = 6000
"""Hundredths of a step where no square is left that he could reach."""


@inline
def owned(player: int) -> int:
    """What the sums, the race and the score of a player come to."""
    value = standing[player + 1]
    if plan.races:
        value += homecoming(player)
    if params.score >= 0 and search.per_point:
        value += search.per_point * goals.score_of(player)
    return value


def homecoming(player: int) -> int:
    """What the ways of all men outside come to, as a negative number.

    Each man has a free square of his own in mind, the nearest; those with the smallest choice choose first.
    """
    words = params.words
    for word in range(words):
        race_free[word] = race_goal[player * words + word] & ~occupied[(player + 1) * words + word]
    men = 0
    for word in range(words):
        bits = occupied[(player + 1) * words + word] & ~race_goal[player * words + word]
        while bits:
            race_man[men] = ways_from(player, word * 64 + lowest_bit(bits))
            men += 1
            bits = bits & (bits - 1)
    cost = 0
    if plan.choosy:
        for i in range(men):
            race_choice[i] = choices_of(race_man[i])
        for _i in range(men):
            first = 0
            for i in range(1, men):
                if race_choice[i] < race_choice[first]:
                    first = i
            race_choice[first] = DONE
            cost += way_home(race_man[first])
    else:
        for i in range(men):
            cost += way_home(race_man[i])
    return -(cost * search.per_step // 100)


def strangers(player: int) -> int:
    """What the men of others cost that stand on the squares a player must fill; one who is shut in stays for good."""
    found = 0
    words = params.words
    for word in range(words):
        bits = race_goal[player * words + word] & ~(occupied[word] | occupied[(player + 1) * words + word])
        while bits:
            found += search.per_stranger
            if search.per_locked and is_shut_in(word * 64 + lowest_bit(bits)):
                found += search.per_locked
            bits = bits & (bits - 1)
    return found


def is_shut_in(square: int) -> int:
    """Whether a man has no free square to step to."""
    held = cell[square]
    at = (((held & 255) - 1) * params.types + (held >> 8) - 1) * params.squares + square
    for word in range(params.words):
        if race_near[at * params.words + word] & occupied[word]:
            return False
    return True


@inline
def ways_from(player: int, square: int) -> int:
    """Where the costs to all goal squares begin in `race_cost`."""
    return ((player * params.types + (cell[square] >> 8) - 1) * params.squares + square) * params.squares


def choices_of(ways: int) -> int:
    """How many free squares a man can get to."""
    found = 0
    for word in range(params.words):
        bits = race_free[word]
        while bits:
            if race_cost[ways + word * 64 + lowest_bit(bits)] >= 0:
                found += 1
            bits = bits & (bits - 1)
    return found


@inline
def way_home(ways: int) -> int:
    """What the way to the nearest square costs that is free, which is then his."""
    best = HOPELESS
    at = -1
    for word in range(params.words):
        bits = race_free[word]
        while bits:
            square = word * 64 + lowest_bit(bits)
            cost = race_cost[ways + square]
            if cost >= 0 and cost < best:
                best = cost
                at = square
            bits = bits & (bits - 1)
    if at >= 0:
        race_free[at >> 6] = race_free[at >> 6] & ~(1 << (at & 63))
    return best
