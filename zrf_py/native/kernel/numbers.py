"""Evaluation of numeric expressions (ZRF+), stored as trees; equivalent to `run/numbers.py`.

A tree in `numbers` consists of its kind and the following numbers:

    NUMBER                        the number
    COUNTER                       counter, player (-1: the side)
    COUNT                         who, type or -1, zone or -1
    TURNS_MADE                    player (-1: the side)
    LEGS_MADE
    STORE                         player (-1: the side), type
    AT                            measure, `where` as in ir/ops.py
    SUM, DIFFERENCE, PRODUCT      number of parts, index of each

A number that is too large sets NO_ROOM; the interpreter then raises the fault.
"""

from zrf_py.front.model import ANYBODY, ENEMY, FRIEND, NOBODY
from zrf_py.jit.language import bit_count, inline
from zrf_py.native.kernel.memory import (
    NO_ROOM, cell, counter_each, measures, numbers, occupied, params, state, steps, stores, zone_bits, zone_from,
    zone_once, zone_squares,
)

NUMBER, COUNTER, COUNT, TURNS_MADE, LEGS_MADE, STORE, AT, SUM, DIFFERENCE, PRODUCT = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
EQUAL, LESS, GREATER = 0, 1, 2
LARGEST = 2147483647


def value(tree: int, side: int, here: int) -> int:
    """Return the number's value for a side; `here` is the cursor's square, -1 if there is none."""
    kind = numbers[tree]
    if kind == NUMBER:
        return numbers[tree + 1]
    if kind == COUNTER:
        return stores[counter_at(numbers[tree + 1], numbers[tree + 2], side)]
    if kind == COUNT:
        return count_squares(numbers[tree + 1], numbers[tree + 2], numbers[tree + 3], side)
    if kind == TURNS_MADE:
        return turns_made(numbers[tree + 1], side)
    if kind == LEGS_MADE:
        return state.legs
    if kind == STORE:
        return in_hand(numbers[tree + 1], numbers[tree + 2], side)
    if kind == AT:
        return measured(numbers[tree + 1], square_at(numbers[tree + 2], side, here), side)
    return joined(tree, side, here)


def joined(tree: int, side: int, here: int) -> int:
    """Evaluate a sum, difference or product."""
    kind = numbers[tree]
    total = 1 if kind == PRODUCT else 0
    for i in range(numbers[tree + 1]):
        part = value(numbers[tree + 2 + i], side, here)
        if kind == PRODUCT:
            total = bounded(total * part)
        elif kind == DIFFERENCE and i > 0:
            total = bounded(total - part)
        else:
            total = bounded(total + part)
    return total


@inline
def bounded(number: int) -> int:
    """Return the number unchanged; beyond 32 bits set NO_ROOM and return 0."""
    if number > LARGEST or number < 0 - LARGEST:
        state.error = NO_ROOM
        return 0
    return number


@inline
def compared(which: int, left: int, right: int) -> int:
    if which == EQUAL:
        return left == right
    if which == LESS:
        return left < right
    return left > right


@inline
def counter_at(counter: int, player: int, side: int) -> int:
    """Return the index of a counter's value in `stores`."""
    return params.counters_at + counter * params.players + counter_place(counter, player, side)


@inline
def counter_place(counter: int, player: int, side: int) -> int:
    """Return the player whose value of a counter is used; 0 for a shared counter."""
    if counter_each[counter] == 0:
        return 0
    return side if player < 0 else player


@inline
def turns_made(player: int, side: int) -> int:
    return stores[params.made_at + (side if player < 0 else player)]


@inline
def in_hand(player: int, kind: int, side: int) -> int:
    return stores[(side if player < 0 else player) * params.types + kind]


@inline
def measured(measure: int, square: int, side: int) -> int:
    """Return a measure's number for a square; 0 if it is off the board."""
    if square < 0:
        return 0
    return measures[(measure * params.players + side) * params.squares + square]


@inline
def square_at(where: int, side: int, here: int) -> int:
    if where == 0:
        return here
    if where > 0:
        return where - 1
    if here < 0:
        return -1
    return steps[(side * params.motions - where - 1) * params.squares + here]


@inline
def is_counted(square: int, who: int, kind: int, side: int) -> int:
    held = cell[square]
    if who == NOBODY:
        return held == 0
    if held == 0 or (kind >= 0 and held >> 8 != kind + 1):
        return False
    if who == ANYBODY:
        return True
    owner = (held & 255) - 1
    if who == FRIEND:
        return owner == side
    if who == ENEMY:
        return owner != side
    return owner == who


def count_squares(who: int, kind: int, zone: int, side: int) -> int:
    """Count the squares held by `who` (NOBODY: empty), by one type (-1: any), in a zone of the side (-1: the board)."""
    if kind < 0 or who == NOBODY:
        if zone < 0:
            return count_all(who, side)
        if zone_once[zone]:
            return count_zone(who, zone, side)
    found = 0
    if zone >= 0:
        at = zone * params.players + side
        for k in range(zone_from[at], zone_from[at + 1]):
            found += is_counted(zone_squares[k], who, kind, side)
        return found
    for square in range(params.squares):
        found += is_counted(square, who, kind, side)
    return found


@inline
def squares_of(who: int, side: int, word: int) -> int:
    """Return a word of the set of squares held by `who`, whatever the type; bits beyond the board are arbitrary."""
    if who == NOBODY:
        return occupied[word]
    if who == ANYBODY:
        return ~occupied[word]
    mine = occupied[(side + 1) * params.words + word]
    if who == FRIEND:
        return mine
    if who == ENEMY:
        return ~(occupied[word] | mine)
    return occupied[(who + 1) * params.words + word]


@inline
def count_zone(who: int, zone: int, side: int) -> int:
    """Count the squares of a zone held by `who`, by any type."""
    found = 0
    for word in range(params.words):
        mask = zone_bits[(zone * params.players + side) * params.words + word]
        found += bit_count(squares_of(who, side, word) & mask)
    return found


@inline
def count_all(who: int, side: int) -> int:
    """Count the squares of the board held by `who`, by any type."""
    found = 0
    for word in range(params.words):
        left = params.squares - 64 * word
        mask = -1 if left >= 64 else (1 << left) - 1
        found += bit_count(squares_of(who, side, word) & mask)
    return found
