"""Evaluate numeric expressions of the rules (ZRF+) in a position."""

from functools import reduce

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.run.faults import bounded
from zrf_py.run.position import NOBODY, Position


def value(program: Program, position: Position, side: int, number: model.Number, here: int = -1) -> int:
    """Return the number's value for a side; `here` is the cursor's square, -1 if there is none.

    :raises RulesFault: if it is too large.
    """
    match number.kind:
        case "number":
            return bounded(number.a)
        case "counter":
            return position.counters[number.a][counter_place(program, number.a, number.b, side)]
        case "count":
            return _count(program, position, side, number)
        case "turns-made":
            return position.made[side if number.a < 0 else number.a]
        case "legs-made":
            return position.legs
        case "store":
            return position.stores[side if number.a < 0 else number.a][number.b]
        case "at":
            square = here if number.b == 0 else number.b - 1 if number.b > 0 else _beside(program, side, number.b, here)
            return program.game.board.measures[number.a][side].get(square, 0)
    values = [value(program, position, side, part, here) for part in number.parts]
    if number.kind == "sum":
        return reduce(lambda total, part: bounded(total + part), values, 0)
    if number.kind == "product":
        return reduce(lambda total, part: bounded(total * part), values, 1)
    return reduce(lambda total, part: bounded(total - part), values[1:], sum(values[:1]))


def counter_place(program: Program, counter: int, player: int, side: int) -> int:
    """Return the index into a counter's values: the player's number (-1: the side's), 0 for a shared counter."""
    if not program.game.counters[counter].each:
        return 0
    return side if player < 0 else player


def _beside(program: Program, side: int, operand: int, cursor: int) -> int:
    return program.steps[side][-operand - 1][cursor] if cursor >= 0 else -1


def _count(program: Program, position: Position, side: int, number: model.Number) -> int:
    owners = position.owner
    squares = program.game.board.zones[number.c][side] if number.c >= 0 else range(len(owners))
    if number.a == model.NOBODY:
        return sum(owners[square] == NOBODY for square in squares)
    total = 0
    for square in squares:
        owner = owners[square]
        if owner == NOBODY or (number.b >= 0 and position.piece[square] != number.b):
            continue
        owner_kind = number.a
        total += (
            owner_kind == owner or owner_kind == model.ANYBODY or (owner_kind == model.FRIEND and owner == side)
            or (owner_kind == model.ENEMY and owner != side)
        )
    return total


def compare(program: Program, position: Position, side: int, goal: model.Compare, here: int = -1) -> bool:
    """Return whether a comparison holds."""
    left = value(program, position, side, goal.left, here)
    right = value(program, position, side, goal.right, here)
    return left == right if goal.word == "equal?" else left < right if goal.word == "less?" else left > right
