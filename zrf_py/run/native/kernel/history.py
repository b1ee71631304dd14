"""Positions of a random game that come again: by hash, so that the third time ends the game as the rules say."""

from __future__ import annotations

from zrf_py.run.native.kernel.board import cell_key, mask_key, mix, position_hash
from zrf_py.run.native.kernel.goals import DEFAULTS, state_result
from zrf_py.run.native.kernel.masks import MONOTONE, REPEATS, SEEN_ROOM, seen_key, seen_times, setting
from zrf_py.run.native.kernel.memory import (
    GAME_HASH,
    HAS_ATTRIBUTES,
    HISTORY,
    MOVER,
    PIECES,
    PLUS,
    REPETITION,
    RESULT,
    TURN,
    UNDO,
    WORDS,
    attributes,
    cell,
    occupied,
    params,
    state,
    undo,
)
from zrf_py.run.native.kernel.words import bit_count, inline, shift_right

TIMES = 3
"""Occurrences that end the game."""


@inline
def forget_history() -> None:
    """Nothing has been seen. Entries of another number than HISTORY's are free."""
    state[HISTORY] = state[HISTORY] + 4


@inline
def begin_history() -> None:
    """The position at hand is the first of a game."""
    if setting[REPEATS]:
        forget_history()
        state[GAME_HASH] = 0
        state[PIECES] = count_empty()
        see()


@inline
def continue_history() -> None:
    """After a turn, while the undo log still tells what it has changed."""
    if setting[REPEATS] and state[RESULT] < 0:
        state[GAME_HASH] = state[GAME_HASH] ^ changes()
        if setting[MONOTONE] and state[PIECES] != count_empty():
            forget_history()
            state[PIECES] = count_empty()
        if see() >= TIMES:
            found = state_result(state[MOVER], REPETITION)
            state[RESULT] = found if found >= 0 else 2 * DEFAULTS


@inline
def count_empty() -> int:
    found = 0
    for word in range(params[WORDS]):
        found += bit_count(occupied[word])
    return found


@inline
def changes() -> int:
    """How the hash of the board changes with what the undo log holds."""
    found = 0
    end = state[UNDO]
    at = 0
    while at < end:
        square = undo[at]
        if square >= 0:
            new = cell[square]
            mask = attributes[square] if params[HAS_ATTRIBUTES] else 0
            later = at + 3
            while later < end:
                if undo[later] == square:
                    new = undo[later + 1]
                    mask = undo[later + 2]
                    break
                later += 3
            found = found ^ cell_key(square, undo[at + 1]) ^ cell_key(square, new)
            if params[HAS_ATTRIBUTES]:
                found = found ^ mask_key(square, undo[at + 2]) ^ mask_key(square, mask)
        at += 3
    return found


def see() -> int:
    """How often this position has been there, now included; beyond the room of the table nothing is remembered."""
    key = state[GAME_HASH] ^ mix(state[TURN] * 3 + 7)
    if params[PLUS]:
        key = position_hash()
    at = shift_right(key * -7046029254386353131, 40) & (SEEN_ROOM - 1)
    for _probe in range(64):
        times = seen_times[at]
        if times & ~3 != state[HISTORY]:
            seen_key[at] = key
            seen_times[at] = state[HISTORY] | 1
            return 1
        if seen_key[at] == key:
            seen_times[at] = times + 1
            return (times & 3) + 1
        at = at + 1 & (SEEN_ROOM - 1)
    return 1
