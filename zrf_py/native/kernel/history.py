"""Repetition in random games: a hash table counts positions until one has occurred `setting.repeats` times."""

from zrf_py.jit.language import bit_count, inline, shift_right
from zrf_py.native.kernel import goals, keys
from zrf_py.native.kernel.masks import SEEN_ROOM, seen_key, seen_times, setting
from zrf_py.native.kernel.memory import REPETITION, TO_CAPTOR, occupied, params, state

TIMES = 127
"""Mask of the count in an entry; rules can't set a higher limit."""


@inline
def begin_history() -> None:
    """Begin the history at the current position: the first of a game, or the first after an irreversible turn."""
    if setting.repeats:
        state.history = state.history + TIMES + 1  # clears the table: entries with another number count as free
        state.game_hash = 0
        state.pieces = count_empty()
        see()


@inline
def continue_history() -> None:
    """Count the position after a turn that is still in the undo log; set the result if a repetition ends the game."""
    if setting.repeats and state.result < 0:
        if setting.monotone and state.pieces != count_empty():
            begin_history()  # no earlier position can recur, so keys are relative to this one
            return
        state.game_hash = state.game_hash ^ keys.change_since(0)
        if see() >= setting.repeats:
            found = goals.state_result(state.mover, REPETITION)
            state.result = found if found >= 0 else 2 * goals.DEFAULTS


@inline
def count_empty() -> int:
    found = 0
    for word in range(params.words):
        found += bit_count(occupied[word])
    return found


def see() -> int:
    """Count this position and return its occurrences so far; 1, without recording it, if the table has no room."""
    key = state.game_hash ^ keys.of_turn()
    if params.plus:
        key = keys.of_position()
    elif params.recycle_captures == TO_CAPTOR:
        key = key ^ keys.of_off()
    at = shift_right(key * -7046029254386353131, 40) & (SEEN_ROOM - 1)
    for _probe in range(64):
        times = seen_times[at]
        if times & ~TIMES != state.history:
            seen_key[at] = key
            seen_times[at] = state.history | 1
            return 1
        if seen_key[at] == key:
            seen_times[at] = times + 1
            return (times & TIMES) + 1
        at = at + 1 & (SEEN_ROOM - 1)
    return 1
