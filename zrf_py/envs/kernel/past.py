"""Repetition in a slot's game: count positions, end the game as the rules require."""

from zrf_py.jit.language import inline
from zrf_py.native.kernel import goals, history, keys
from zrf_py.native.kernel.masks import setting
from zrf_py.native.kernel.memory import REPETITION, TO_CAPTOR, params, state
from zrf_py.envs.kernel.memory import fleet, slot_seen, slot_words
from zrf_py.envs.kernel.slots import FILTER, FILTER_WORDS, SEEN, TIMES


@inline
def begin_past(slot: int, known: int) -> None:
    """Start the history of the loaded position with `known` earlier keys, already in `slot_seen` (0: a new game)."""
    at = slot * fleet.stride
    slot_words[at + TIMES] = 1
    if fleet.seen_room:
        forget_keys(slot)
        for i in range(known):
            note_key(slot, slot_seen[slot * fleet.seen_room + i])
        slot_words[at + SEEN] = known
        state.game_hash = 0
        state.pieces = history.count_empty()
        meet(slot)


@inline
def note_leg() -> None:
    """Update the hash within a turn, before the log of changes is discarded."""
    if fleet.seen_room:
        state.game_hash = state.game_hash ^ keys.change_since(0)


@inline
def note_turn(slot: int) -> None:
    """Update hash and history after a turn, before the log of changes is discarded; end the game on repetition."""
    if fleet.seen_room:
        if setting.monotone and state.pieces != history.count_empty():
            forget_keys(slot)
            state.pieces = history.count_empty()
            state.game_hash = 0
        else:
            state.game_hash = state.game_hash ^ keys.change_since(0)
        times = meet(slot)
        if setting.repeats and times >= setting.repeats and state.result < 0:
            result = goals.state_result(state.mover, REPETITION)
            state.result = result if result >= 0 else 2 * goals.DEFAULTS


def meet(slot: int) -> int:
    """Add the loaded position to the history; return the number of its occurrences, this one included."""
    key = state.game_hash ^ keys.of_turn()
    if params.plus:
        key = keys.of_position()
    elif params.recycle_captures == TO_CAPTOR:
        key = key ^ keys.of_off()
    at = slot * fleet.stride
    count = slot_words[at + SEEN]
    times = 1
    first = slot * fleet.seen_room
    if note_key(slot, key):
        for i in range(count):
            times += slot_seen[first + i] == key
    if count < fleet.seen_room:
        slot_seen[first + count] = key
        slot_words[at + SEEN] = count + 1
    slot_words[at + TIMES] = times
    return times


@inline
def forget_keys(slot: int) -> None:
    at = slot * fleet.stride
    slot_words[at + SEEN] = 0
    for i in range(FILTER_WORDS):
        slot_words[at + FILTER + i] = 0


@inline
def note_key(slot: int, key: int) -> int:
    """Add a key to the Bloom filter of a slot; return whether its bit was set already."""
    at = slot * fleet.stride + FILTER + (key >> 6 & FILTER_WORDS - 1)
    bit = 1 << (key & 63)
    was_set = slot_words[at] & bit
    slot_words[at] = slot_words[at] | bit
    return was_set != 0
