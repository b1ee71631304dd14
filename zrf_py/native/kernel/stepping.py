"""Line of play for callers who choose moves by number; the move records of all its positions stay in memory."""

from zrf_py.jit.language import entry
from zrf_py.native.kernel import board, cells, keys, legal, loops, turn
from zrf_py.native.kernel.masks import setting
from zrf_py.native.kernel.memory import (
    NO_ROOM, cell, line_end, line_key, line_next, moves, params, scores, state, turn_side,
)

OVER, FAILED = -1, -2
"""Results in place of a number of moves: a goal on the board has ended the game; an error, see `state.error`."""


@entry
def line_begin() -> int:
    """Begin at the loaded position, level 0; return the number of its moves, or FAILED."""
    state.level = 0
    return line_list()


@entry
def line_back(level: int) -> None:
    """Unmake the moves after the position on `level`."""
    while state.level > level:
        board.unmake()
        state.level = state.level - 1


@entry
def line_step() -> int:
    """Play move `state.chosen`; return the number of moves of the next position, OVER or FAILED.

    Python passes the number in memory, because arguments make a call three times as slow.
    """
    level = state.level
    m = line_next[level]
    for _i in range(state.chosen):
        m = board.following(m)
    state.top = line_end[level]
    if level + 1 >= state.line_room:
        state.error = NO_ROOM
        return FAILED
    turn.after(m)
    if params.plus == 0 and state.chain < 0:
        cells.change_number(params.made_at + state.mover, 1)
    state.level = level + 1
    if state.error:
        return FAILED
    if state.result < 0:
        return line_list()
    line_next[level + 1] = state.top
    line_end[level + 1] = state.top
    return OVER


def line_list() -> int:
    """List the moves of the current position; return their number, or FAILED."""
    level = state.level
    if setting.repeats:
        line_key[level] = keys.of_position()
    line_next[level] = legal.legal()
    line_end[level] = state.top
    return FAILED if state.error else loops.count_records(line_next[level], state.top)


@entry
def line_times() -> int:
    """Return how many positions of the line have the key of the current one, including itself."""
    found = 1
    for level in range(state.level):
        found += line_key[level] == line_key[state.level]
    return found


@entry
def line_texts() -> int:
    """For each move of the current position, write a 64-bit key of its notation to `scores`; return their number."""
    m = line_next[state.level]
    count = 0
    while m < line_end[state.level]:
        scores[count] = key_of_text(m)
        count += 1
        m = board.following(m)
    return count


def key_of_text(m: int) -> int:
    """Return a key of a record and of what else its notation shows: the moved pieces, and captures by landing."""
    key = turn_side[state.turn]
    movements = moves[m] & board.SMALL
    for i in range(board.length(m)):
        part = moves[m + i]
        key = keys.mix(key ^ part)
        if i >= board.HEAD and i < board.HEAD + movements:
            if part & 255 != board.DROP:
                key = key ^ cell[(part >> 8 & board.SQUARE) - 1]
            key = keys.mix(key + (cell[part >> 28 & board.SQUARE] != 0))
    return key
