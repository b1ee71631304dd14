"""Incremental evaluation: each player's sum of piece-square, hand and line values.

Nothing is logged for undo: `unmake` changes the board back, which updates the sums.
"""

from zrf_py.jit.language import entry, fill_all, inline, shift_right
from zrf_py.native.kernel import cells, keys
from zrf_py.native.kernel.memory import cell, params, state, stores
from zrf_py.search.evaluation.kernel import patterns
from zrf_py.search.memory import (
    ENTRY, hand_value, last_matters, line_blocked, line_entry, line_from, line_has, line_length, line_player,
    line_weight, piece_square, plan, search, standing,
)


@inline
def value_on(square: int, held: int) -> int:
    return piece_square[cells.number_of(square, held)]


@inline
def watch_cell(square: int, old: int, new: int) -> None:
    """Update the sums after a change of a cell; a hook of `replace_cell`."""
    standing[old & 255] = standing[old & 255] - value_on(square, old)
    standing[new & 255] = standing[new & 255] + value_on(square, new)
    if plan.lines:
        weigh_lines(square, old, new)
    if plan.patterns:
        patterns.watch_patterns(square, old, new)
    if plan.phases:
        patterns.watch_phases(square, old, new)


@inline
def watch_store(at: int, old: int, new: int) -> None:
    if at < params.players * params.types:
        player = at // params.types + 1
        standing[player] = standing[player] + (new - old) * hand_value[at]
        if plan.phases:
            patterns.watch_hand(at, new - old)


@inline
def fits(held: int, at: int) -> int:
    """Return whether a cell has the contents that a place of a line requires."""
    there = 0
    if held >> 8 == line_entry[at + 3]:
        owner = line_entry[at + 1]
        if owner == 0:
            there = 1
        else:
            there = ((held & 255) == owner) != line_entry[at + 2]
    return there != line_entry[at + 4]


@inline
def value_of_line(line: int) -> int:
    if line_blocked[line]:
        return 0
    return line_weight[line_length[line] - line_has[line]]


def weigh_lines(square: int, old: int, new: int) -> None:
    for k in range(line_from[square], line_from[square + 1]):
        at = k * ENTRY
        line = line_entry[at]
        before = value_of_line(line)
        was = fits(old, at)
        now = fits(new, at)
        line_has[line] = line_has[line] + now - was
        line_blocked[line] = line_blocked[line] + (now == 0 and new != 0) - (was == 0 and old != 0)
        owner = line_player[line]
        if owner >= 0:
            standing[owner + 1] = standing[owner + 1] + value_of_line(line) - before
        else:
            standing[-owner] = standing[-owner] - value_of_line(line) + before


@entry
def sum_up() -> None:
    """Compute the sums of the loaded position from scratch."""
    fill_all(standing, 0, 0, params.players + 1)
    patterns.clear_patterns()
    if plan.lines:
        fill_all(line_has, 0, 0, plan.lines)
        fill_all(line_blocked, 0, 0, plan.lines)
        for k in range(line_from[params.squares]):
            line = line_entry[k * ENTRY]
            line_has[line] = line_has[line] + fits(0, k * ENTRY)
    for line in range(plan.lines):
        owner = line_player[line]
        if owner >= 0:
            standing[owner + 1] = standing[owner + 1] + value_of_line(line)
        else:
            standing[-owner] = standing[-owner] - value_of_line(line)
    for square in range(params.squares):
        if cell[square]:
            watch_cell(square, 0, cell[square])
    for at in range(params.players * params.types):
        owner = at // params.types + 1
        standing[owner] = standing[owner] + stores[at] * hand_value[at]
        if plan.phases:
            patterns.watch_hand(at, stores[at])


@entry
def position_key() -> int:
    """Return the 64-bit key of the position, which includes the pieces off the board and, within a turn, the last leg
    if blocks test it."""
    key = keys.of_all()
    if state.chain >= 0 and plan.last_matters:
        key = key ^ keys.of_last()
    return key


@inline
def noise() -> int:
    """Return the evaluation noise, a function of position and seed."""
    if search.noise == 0:
        return 0
    board = state.hash ^ state.masks ^ state.hands
    return shift_right(keys.mix(board ^ search.noise_seed), 32) % search.noise - search.noise // 2


@inline
def last_key() -> int:
    """Return the key of the last move if the legal moves may depend on it, else 0."""
    if state.chain < 0 and plan.last_matters and state.last_to >= 0:
        kind = cell[state.last_to] >> 8
        if last_matters[kind * 64 + (state.last_to - state.last_from & 63)]:
            return keys.mix(keys.of_last())
    return 0
