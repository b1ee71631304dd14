"""Load a position from a slot, and store the loaded position in one.

A slot of `slot_words`: the words numbered below, then the part of `state` that make and unmake save, then bitboards.
"""

from zrf_py.jit.language import copy_all, inline
from zrf_py.native.kernel.masks import kinds_at, setting
from zrf_py.native.kernel.memory import (
    attributes, cell, occupied, params, royals_at, state, stores, taken,
)
from zrf_py.native.kernel import board, cells
from zrf_py.envs.kernel.memory import (
    fleet, slot_attribute, slot_cell, slot_store, slot_taken, slot_words,
)

RANDOM, GAME_HASH, PIECES, SEEN, TIMES, TAKEN, FILTER = 0, 1, 2, 3, 4, 5, 6
FILTER_WORDS = 32
"""Words of the Bloom filter of the keys in `slot_seen`: if it shows that a position is new, no key need be read."""
FIRST = FILTER + FILTER_WORDS


@inline
def keep(slot: int) -> None:
    """Store the loaded position in a slot, without its undo log."""
    at = slot * params.squares
    copy_all(slot_cell, at, cell, 0, params.squares)
    if params.has_attributes:
        copy_all(slot_attribute, at, attributes, 0, params.squares)
    copy_all(slot_store, slot * params.stores, stores, 0, params.stores)
    at = slot * fleet.stride
    slot_words[at + RANDOM] = state.random
    slot_words[at + GAME_HASH] = state.game_hash
    slot_words[at + PIECES] = state.pieces
    keep_taken(slot, at)
    at += FIRST
    copy_all(slot_words, at, state, 0, params.keeps)
    at += params.keeps
    size = (params.players + 1) * params.words
    copy_all(slot_words, at, occupied, 0, size)
    at += size
    if params.has_royals:
        copy_all(slot_words, at, royals_at, 0, size)
        at += size
    if setting.kind_sets:
        copy_all(slot_words, at, kinds_at, 0, (params.types + 1) * params.words)


@inline
def keep_taken(slot: int, at: int) -> None:
    """Store the captures of the turn in progress in the slot, whose words begin at `at`."""
    if fleet.taken_room:
        count = state.taken_to - state.taken_from
        if count > fleet.taken_room:
            count = fleet.taken_room
        for i in range(count):
            slot_taken[slot * fleet.taken_room + i] = taken[state.taken_from + i]
        slot_words[at + TAKEN] = count


@inline
def load(slot: int) -> None:
    """Load the position of a slot."""
    at = slot * params.squares
    copy_all(cell, 0, slot_cell, at, params.squares)
    if params.has_attributes:
        copy_all(attributes, 0, slot_attribute, at, params.squares)
    copy_all(stores, 0, slot_store, slot * params.stores, params.stores)
    at = slot * fleet.stride
    state.random = slot_words[at + RANDOM]
    state.game_hash = slot_words[at + GAME_HASH]
    state.pieces = slot_words[at + PIECES]
    taken_count = slot_words[at + TAKEN]
    at += FIRST
    copy_all(state, 0, slot_words, at, params.keeps)
    load_sets(at + params.keeps)
    board.begin_afresh()
    if fleet.taken_room:
        for i in range(taken_count):
            taken[i] = slot_taken[slot * fleet.taken_room + i]
        state.taken_to = taken_count


@inline
def load_sets(at: int) -> None:
    if params.count_cells:
        cells.recount()
        return
    size = (params.players + 1) * params.words
    copy_all(occupied, 0, slot_words, at, size)
    at += size
    if params.has_royals:
        copy_all(royals_at, 0, slot_words, at, size)
        at += size
    if setting.kind_sets:
        copy_all(kinds_at, 0, slot_words, at, (params.types + 1) * params.words)
