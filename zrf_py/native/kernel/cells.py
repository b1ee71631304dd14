"""The board's cells, the stores, and the sets and counts derived from them; changes are logged in `undo`."""

from zrf_py.jit.language import entry, inline, shift_right
from zrf_py.native.kernel import keys, watch
from zrf_py.native.kernel.masks import kinds_at, setting
from zrf_py.native.kernel.memory import (
    NO_ROOM, TO_CAPTOR, attributes, captured_as, cell, counts, occupied, params, royal, royals_at, start_attributes,
    state, stores, taken, turn_side, undo,
)

SQUARE = 1048575
UNDO_WORDS = 3
"""Words of an entry of the undo log."""


@inline
def number_of(square: int, held: int) -> int:
    """Return the index in a table [owner + 1][type + 1][square] of a square with the content `held`."""
    return ((held & 255) * (params.types + 1) + (held >> 8)) * params.squares + square


@inline
def replace_cell(square: int, old: int, new: int) -> None:
    """Write a cell, and update every set and count derived from the cells."""
    cell[square] = new
    words = params.words
    word = square >> 6 if words > 1 else 0
    bit = 1 << (square & 63)
    at = (old & 255) * words + word
    occupied[at] = occupied[at] ^ bit
    at = (new & 255) * words + word
    occupied[at] = occupied[at] ^ bit
    if params.has_royals:
        types = params.types + 1
        if royal[(old & 255) * types + (old >> 8)]:
            at = (old & 255) * words + word
            royals_at[at] = royals_at[at] ^ bit
        if royal[(new & 255) * types + (new >> 8)]:
            at = (new & 255) * words + word
            royals_at[at] = royals_at[at] ^ bit
    if setting.kind_sets:
        at = (old >> 8) * words + word
        kinds_at[at] = kinds_at[at] ^ bit
        at = (new >> 8) * words + word
        kinds_at[at] = kinds_at[at] ^ bit
    if params.count_cells:
        types = params.types + 1
        at = (old & 255) * types + (old >> 8)
        counts[at] = counts[at] - 1
        at = (new & 255) * types + (new >> 8)
        counts[at] = counts[at] + 1
    if params.watched:
        watch.watch_cell(square, old, new)


@inline
def log(square: int, old: int, older: int) -> None:
    at = state.undo
    if at + UNDO_WORDS > params.undo_room:
        state.error = NO_ROOM
        return
    undo[at] = square
    undo[at + 1] = old
    undo[at + 2] = older
    state.undo = at + UNDO_WORDS


@inline
def set_cell(square: int, new: int, mask: int) -> None:
    """Write a cell and its attributes, with undo log and hash."""
    old = cell[square]
    if params.hashes:
        state.hash = state.hash ^ keys.of_cell(square, old) ^ keys.of_cell(square, new)
    if params.has_attributes:
        if params.hashes:
            state.masks = state.masks ^ keys.of_mask(square, attributes[square]) ^ keys.of_mask(square, mask)
        log(square, old, attributes[square])
        attributes[square] = mask
    else:
        log(square, old, 0)
    replace_cell(square, old, new)


def change_store(player: int, kind: int, change: int) -> None:
    change_number(player * params.types + kind, change)


def change_number(at: int, change: int) -> None:
    """Add `change` to an element of `stores`: to pieces off the board, a counter or the number of turns made."""
    log(-1, at, stores[at])
    if params.hashes and at < params.counters_at:
        state.hands = state.hands ^ keys.of_store(at, stores[at]) ^ keys.of_store(at, stores[at] + change)
    if params.counters and params.counters_at <= at and at < params.made_at:
        state.counted = state.counted ^ keys.of_store(at, stores[at]) ^ keys.of_store(at, stores[at] + change)
    if params.watched:
        watch.watch_store(at, stores[at], stores[at] + change)
    stores[at] = stores[at] + change


def take_from_store(player: int, part: int) -> None:
    """Take a dropped piece from the player's stores, if any are left: one of the type whose block runs."""
    start = part >> 8 & SQUARE
    at = player * params.types + (start - 1 if start else shift_right(part, 48) - 1)
    if stores[at] > 0:
        change_number(at, -1)


@inline
def take(square: int) -> None:
    """Record the capture of the piece on a square; the caller removes it."""
    old = cell[square]
    if old == 0:
        return
    at = state.taken_to
    if at >= params.taken_room:
        state.error = NO_ROOM
        return
    taken[at] = old
    state.taken_to = at + 1
    if params.recycle_captures:
        keeper = turn_side[state.turn] if params.recycle_captures == TO_CAPTOR else (old & 255) - 1
        change_store(keeper, captured_as[(old >> 8) - 1], 1)


@inline
def move_piece(start: int, end: int) -> None:
    """Move a piece unchanged; capture on its destination."""
    moved = cell[start]
    mask = attributes[start] if params.has_attributes else 0
    set_cell(start, 0, 0)
    take(end)
    set_cell(end, moved, mask)
    state.last_from = start
    state.last_to = end


@inline
def put_piece(side: int, kind: int, end: int) -> None:
    """Put a new piece on a square; capture the piece there."""
    take(end)
    set_cell(end, side + 1 | kind + 1 << 8, start_attributes[kind])
    state.last_from = -1
    state.last_to = end


@inline
def fill_square(side: int, kind: int, square: int) -> None:
    """Put a new piece from the player's stores on an empty square, without an undo log."""
    at = side * params.types + kind
    if params.watched:
        watch.watch_store(at, stores[at], stores[at] - 1)
    stores[at] = stores[at] - 1
    replace_cell(square, 0, side + 1 | kind + 1 << 8)
    state.last_from = -1
    state.last_to = square


@entry
def place(square: int, new: int, mask: int) -> None:
    """Write a cell and its attributes, and clear the undo log."""
    set_cell(square, new, mask)
    state.undo = 0


@entry
def recount() -> None:
    """Recompute every set, count and hash from the cells, the attributes and the stores."""
    words = params.words
    types = params.types + 1
    for i in range((params.players + 1) * words):
        occupied[i] = 0
        royals_at[i] = 0
    for i in range((params.players + 1) * types):
        counts[i] = 0
    if setting.kind_sets:
        for i in range(types * words):
            kinds_at[i] = 0
    for square in range(params.squares):
        held = cell[square]
        at = (held & 255) * words + (square >> 6)
        occupied[at] = occupied[at] | 1 << (square & 63)
        counts[(held & 255) * types + (held >> 8)] = counts[(held & 255) * types + (held >> 8)] + 1
        if royal[(held & 255) * types + (held >> 8)]:
            royals_at[at] = royals_at[at] | 1 << (square & 63)
        if setting.kind_sets:
            at = (held >> 8) * words + (square >> 6)
            kinds_at[at] = kinds_at[at] | 1 << (square & 63)
    state.hash = keys.of_cells()
    state.masks = keys.of_attributes()
    state.hands = keys.of_hands()
    state.counted = keys.of_counters()

