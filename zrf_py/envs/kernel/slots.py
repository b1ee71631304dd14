"""A slot of memory ↔ the position at hand.

The words of a slot: those named below, then what make and unmake keep of `state`, then the sets of squares.
"""

from __future__ import annotations

from zrf_py.jit.language import inline
from zrf_py.native.kernel.masks import kinds_at, setting
from zrf_py.native.kernel.memory import (
    attributes, cell, occupied, params, royals_at, state, stores, taken,
)
from zrf_py.native.kernel import board
from zrf_py.envs.kernel.memory import (
    fleet, slot_attribute, slot_cell, slot_store, slot_taken, slot_words,
)

RANDOM, GAME_HASH, PIECES, SEEN, TIMES, TAKEN = 0, 1, 2, 3, 4, 5
FIRST = 6


@inline
def keep(slot: int) -> None:
    """Put the position at hand into a slot; nothing of it can be taken back any more."""
    at = slot * params.squares
    for square in range(params.squares):
        slot_cell[at + square] = cell[square]
    if params.has_attributes:
        for square in range(params.squares):
            slot_attribute[at + square] = attributes[square]
    at = slot * params.stores
    for i in range(params.stores):
        slot_store[at + i] = stores[i]
    at = slot * fleet.stride
    slot_words[at + RANDOM] = state.random
    slot_words[at + GAME_HASH] = state.game_hash
    slot_words[at + PIECES] = state.pieces
    keep_taken(slot, at)
    at += FIRST
    for i in range(params.keeps):
        slot_words[at + i] = state[i]
    at += params.keeps
    size = (params.players + 1) * params.words
    for i in range(size):
        slot_words[at + i] = occupied[i]
    at += size
    if params.has_royals:
        for i in range(size):
            slot_words[at + i] = royals_at[i]
        at += size
    if setting.kind_sets:
        for i in range((params.types + 1) * params.words):
            slot_words[at + i] = kinds_at[i]


@inline
def keep_taken(slot: int, at: int) -> None:
    """What the turn under way has captured."""
    if fleet.taken_room:
        count = state.taken_to - state.taken_from
        if count > fleet.taken_room:
            count = fleet.taken_room
        for i in range(count):
            slot_taken[slot * fleet.taken_room + i] = taken[state.taken_from + i]
        slot_words[at + TAKEN] = count


@inline
def load(slot: int) -> None:
    """The position of a slot becomes the one at hand."""
    at = slot * params.squares
    for square in range(params.squares):
        cell[square] = slot_cell[at + square]
    if params.has_attributes:
        for square in range(params.squares):
            attributes[square] = slot_attribute[at + square]
    at = slot * params.stores
    for i in range(params.stores):
        stores[i] = slot_store[at + i]
    at = slot * fleet.stride
    state.random = slot_words[at + RANDOM]
    state.game_hash = slot_words[at + GAME_HASH]
    state.pieces = slot_words[at + PIECES]
    taken_count = slot_words[at + TAKEN]
    at += FIRST
    for i in range(params.keeps):
        state[i] = slot_words[at + i]
    load_sets(at + params.keeps)
    board.begin_afresh()
    if fleet.taken_room:
        for i in range(taken_count):
            taken[i] = slot_taken[slot * fleet.taken_room + i]
        state.taken_to = taken_count


@inline
def load_sets(at: int) -> None:
    if params.count_cells:
        board.recount()
        return
    size = (params.players + 1) * params.words
    for i in range(size):
        occupied[i] = slot_words[at + i]
    at += size
    if params.has_royals:
        for i in range(size):
            royals_at[i] = slot_words[at + i]
        at += size
    if setting.kind_sets:
        for i in range((params.types + 1) * params.words):
            kinds_at[i] = slot_words[at + i]
