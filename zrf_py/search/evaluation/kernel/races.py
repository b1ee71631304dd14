"""A player's total value; in a race to many squares, including the distances of pieces outside to free squares."""

from zrf_py.jit.language import entry, inline, lowest_bit, squares_of
from zrf_py.native.kernel import goals
from zrf_py.native.kernel.memory import cell, occupied, params
from zrf_py.search.memory import (
    opponent, plan, race_choice, race_cost, race_free, race_goal, race_man, race_near, search, standing,
)

DONE = 1000000
HOPELESS = 6000
"""Cost in hundredths of a step if no free square can be reached."""


@inline
def owned(player: int) -> int:
    """Return a player's total: the sum, the race, and the points of the score."""
    value = standing[player + 1]
    if plan.races:
        value += race_value(player)
    if params.score >= 0 and search.per_point:
        value += search.per_point * goals.score_of(player)
    return value


@entry
def lead(player: int) -> int:
    """Return a player's lead over the opponent, in a game for two, without learned patterns."""
    return owned(player) - owned(opponent[player])


def race_value(player: int) -> int:
    """Return the cost of the paths of all pieces outside the goal, as a negative value.

    Greedy assignment: each piece takes the nearest free square; pieces that can reach the fewest come first.
    """
    words = params.words
    for word in range(words):
        race_free[word] = race_goal[player * words + word] & ~occupied[(player + 1) * words + word]
    men = 0
    for word in range(words):
        bits = occupied[(player + 1) * words + word] & ~race_goal[player * words + word]
        while bits:
            race_man[men] = costs_index(player, word * 64 + lowest_bit(bits))
            men += 1
            bits = bits & (bits - 1)
    cost = 0
    for i in range(men):
        race_choice[i] = choices_of(race_man[i])
    for _i in range(men):
        first = 0
        for i in range(1, men):
            if race_choice[i] < race_choice[first]:
                first = i
        race_choice[first] = DONE
        cost += assign_nearest(race_man[first])
    return -(cost * search.per_step // 100)


def strangers_cost(player: int) -> int:
    """Return the cost of other players' pieces in a player's goal; one that is locked in costs more."""
    cost = 0
    words = params.words
    for word in range(words):
        bits = race_goal[player * words + word] & ~(occupied[word] | occupied[(player + 1) * words + word])
        while bits:
            cost += search.per_stranger
            if search.per_locked and is_shut_in(word * 64 + lowest_bit(bits)):
                cost += search.per_locked
            bits = bits & (bits - 1)
    return cost


def is_shut_in(square: int) -> int:
    """Return whether a piece has no free square to step to."""
    held = cell[square]
    at = (((held & 255) - 1) * params.types + (held >> 8) - 1) * params.squares + square
    for word in range(params.words):
        if race_near[at * params.words + word] & occupied[word]:
            return False
    return True


@inline
def costs_index(player: int, square: int) -> int:
    """Return the index in `race_cost` of a piece's costs to all squares."""
    return ((player * params.types + (cell[square] >> 8) - 1) * params.squares + square) * params.squares


def choices_of(costs_from: int) -> int:
    """Count the free squares that a piece can reach."""
    count = 0
    for square in squares_of(race_free, 0, params.words):
        if race_cost[costs_from + square] >= 0:
            count += 1
    return count


@inline
def assign_nearest(costs_from: int) -> int:
    """Return the cost of the path to the nearest free square, and assign that square; `HOPELESS` if there is none."""
    best = HOPELESS
    at = -1
    for square in squares_of(race_free, 0, params.words):
        cost = race_cost[costs_from + square]
        if cost >= 0 and cost < best:
            best = cost
            at = square
    if at >= 0:
        race_free[at >> 6] = race_free[at >> 6] & ~(1 << (at & 63))
    return best
