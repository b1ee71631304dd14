"""Tests of move code on one square; `a` is the operation's first operand, `side` the player who moves.

The square must be on the board: callers return 0 for a square off the board.
"""

from zrf_py.jit.language import inline
from zrf_py.native.kernel.memory import (
    attributes, cell, goal_square, marks, near, near_from, neutral, params, state, zones,
)


@inline
def is_empty(square: int) -> int:
    return cell[square] == 0


@inline
def is_friend(square: int, side: int) -> int:
    return cell[square] & 255 == side + 1


@inline
def is_enemy(square: int, side: int) -> int:
    owner = cell[square] & 255
    return owner != 0 and owner != side + 1


@inline
def is_neutral(square: int) -> int:
    return neutral[cell[square] & 255] != 0


@inline
def is_piece(square: int, a: int) -> int:
    return cell[square] >> 8 == a + 1


@inline
def is_in_zone(square: int, a: int, side: int) -> int:
    return zones[(a * params.players + side) * params.squares + square] != 0


@inline
def is_last_from(square: int) -> int:
    return square == state.last_from


@inline
def is_last_to(square: int) -> int:
    return square == state.last_to


def is_near_enemy(square: int, side: int) -> int:
    for i in range(near_from[square], near_from[square + 1]):
        owner = cell[near[i]] & 255
        if owner != 0 and owner != side + 1:
            return True
    return False


@inline
def is_goal(square: int) -> int:
    return goal_square[square] != 0


@inline
def position_flag_at(square: int, a: int) -> int:
    return (state.depth * params.flags + a) * params.squares + square


@inline
def has_position_flag(square: int, a: int) -> int:
    return marks[position_flag_at(square, a)] == state.stamp


@inline
def has_attribute(square: int, a: int) -> int:
    return attributes[square] >> a & 1 != 0
