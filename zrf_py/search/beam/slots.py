"""Slots for the positions of a beam, each with its path, and a heap with the worst on top."""

from zrf_py.jit.language import copy_all, inline
from zrf_py.native.kernel.board import begin_afresh
from zrf_py.native.kernel.cells import replace_cell
from zrf_py.native.kernel.memory import attributes, cell, params, rows, state, stores
from zrf_py.search.evaluation.kernel import incremental
from zrf_py.search.memory import (
    KEPT_LEGS, beam, beam_attributes, beam_cell, beam_heap, beam_state, beam_stores, beam_way, search,
)


def store_slot(slot: int) -> None:
    """Store the loaded position, at the start of a turn, in a slot."""
    copy_all(beam_cell, slot * params.squares, cell, 0, params.squares)
    if params.has_attributes:
        copy_all(beam_attributes, slot * params.squares, attributes, 0, params.squares)
    copy_all(beam_stores, slot * params.stores, stores, 0, params.stores)
    copy_all(beam_state, slot * params.keeps, state, 0, params.keeps)


def load_slot(slot: int) -> None:
    """Load the position of a slot, with an empty undo log."""
    at = slot * params.squares
    for square in range(params.squares):
        held = beam_cell[at + square]
        if held != cell[square]:
            replace_cell(square, cell[square], held)
    if params.has_attributes:
        copy_all(attributes, 0, beam_attributes, at, params.squares)
    at = slot * params.stores
    for i in range(params.stores):
        if beam_stores[at + i] != stores[i]:
            incremental.watch_store(i, stores[i], beam_stores[at + i])
            stores[i] = beam_stores[at + i]
    copy_all(state, 0, beam_state, slot * params.keeps, params.keeps)
    begin_afresh()


def copy_path(slot: int, parent: int) -> None:
    """Copy the path of another slot (-1: the root, an empty path)."""
    count = 0
    if parent >= 0:
        count = beam[parent].legs
        copy_all(beam_way, slot * KEPT_LEGS, beam_way, parent * KEPT_LEGS, count)
        beam[slot].first = beam[parent].first
    beam[slot].legs = count


def add_turn(slot: int, number: int, at: int) -> None:
    """Append the legs of a turn to the path of a slot: those up to row `at`, and leg `number`."""
    count = beam[slot].legs
    legs = rows[at].depth
    row = at
    for i in range(legs):
        if count + legs - 1 - i < KEPT_LEGS:
            beam_way[slot * KEPT_LEGS + count + legs - 1 - i] = rows[row].number
        row = rows[row].parent
    if count + legs < KEPT_LEGS:
        beam_way[slot * KEPT_LEGS + count + legs] = number
    beam[slot].legs = count + legs + 1 if count + legs < KEPT_LEGS else KEPT_LEGS
    if count == 0:
        beam[slot].first = legs + 1


@inline
def heap_value(place: int) -> int:
    return beam[beam_heap[place]].value


def rise(place: int) -> None:
    while place > 0 and heap_value(place) < heap_value((place - 1) >> 1):
        parent = (place - 1) >> 1
        beam_heap[place], beam_heap[parent] = beam_heap[parent], beam_heap[place]
        place = parent


def sink() -> None:
    """Sift the top of the heap down."""
    place = 0
    while 2 * place + 1 < search.beam_next:
        child = 2 * place + 1
        if child + 1 < search.beam_next and heap_value(child + 1) < heap_value(child):
            child += 1
        if heap_value(place) <= heap_value(child):
            return
        beam_heap[place], beam_heap[child] = beam_heap[child], beam_heap[place]
        place = child


def slot_for(value: int) -> int:
    """Claim a slot for a position of this value: a free one, else that of the worst position; -1 if none is worse."""
    count = search.beam_next
    if count < search.beam_width:
        slot = (1 - search.beam_half) * search.beam_room + count
        beam_heap[count] = slot
        beam[slot].value = value
        search.beam_next = count + 1
        rise(count)
        return slot
    slot = beam_heap[0]
    if value <= beam[slot].value:
        return -1
    beam[slot].value = value
    sink()
    return slot
