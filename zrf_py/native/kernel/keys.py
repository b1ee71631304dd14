"""Position keys: 64 bits, equal for equal positions (Zobrist hashing with computed instead of tabulated keys).

The changing parts are in `state.hash` (cells), `state.masks` (attributes) and `state.hands` (pieces off the board) if
`params.hashes` is set, and in `state.counted` (counters); make and unmake update them. Each purpose has a key of the
parts that matter to it: `of_position` for repetition, `of_all` for search and puzzles; turns under way add `of_last`.
"""

from zrf_py.jit.language import apart, entry, inline, shift_right
from zrf_py.native.kernel.memory import TO_CAPTOR, attributes, cell, params, state, stores, undo


@inline
def mix(value: int) -> int:
    """Mix a number into well-distributed bits, by a finaliser like that of splitmix64."""
    value = (value ^ shift_right(value, 31)) * -7046029254386353131
    value = (value ^ shift_right(value, 29)) * -4658895280553007687
    return value ^ shift_right(value, 32)


# ------------------------------------------------------------------------------------------------- parts of a position


@inline
def of_cell(square: int, held: int) -> int:
    return mix(held * 4294967296 + square + 1) if held else 0


@inline
def of_mask(square: int, mask: int) -> int:
    return mix(mix(mask) + square) if mask else 0


@inline
def of_store(at: int, count: int) -> int:
    return mix(mix(count + 11) + at)


@inline
def of_turn() -> int:
    return mix(state.turn * 3 + 7)


@inline
def of_last() -> int:
    """Key of the last leg's squares, which may limit the next leg."""
    return mix((state.last_from + 1) * 1048576 + state.last_to + 5000011)


@entry
@apart
def of_cells() -> int:
    """Key of all cells, recomputed."""
    found = 0
    for square in range(params.squares):
        found = found ^ of_cell(square, cell[square])
    return found


@apart
def of_attributes() -> int:
    found = 0
    if params.has_attributes:
        for square in range(params.squares):
            found = found ^ of_mask(square, attributes[square])
    return found


@apart
def of_hands() -> int:
    """Key of the pieces off the board, recomputed."""
    found = 0
    if params.hands or params.hashes:
        for at in range(params.counters_at):
            found = found ^ of_store(at, stores[at])
    return found


# ------------------------------------------------------------------------------------------------------ whole positions


def of_board() -> int:
    """Key of cells and attributes."""
    if params.hashes:
        return state.hash ^ state.masks
    return of_cells() ^ of_attributes()


def of_rest() -> int:
    """Key of the turn, the chain and the ZRF+ fields, which repetition compares in every game."""
    found = of_turn()
    if state.chain >= 0:
        found = found ^ mix(state.chain * 65536 + state.chain_type + 1000003)
    if params.plus:
        found = found ^ mix(mix(state.out + 5) + state.step * 2 + state.must) ^ state.counted
    return found


@apart
def of_counters() -> int:
    """Key of the counters, recomputed."""
    found = 0
    for at in range(params.counters_at, params.made_at):
        found = found ^ of_store(at, stores[at])
    return found


@inline
def of_off() -> int:
    """Key of the pieces off the board."""
    return state.hands if params.hashes else of_hands()


@entry
def of_position() -> int:
    """Key for repetition."""
    found = of_rest() ^ of_board()
    return found ^ of_off() if params.recycle_captures == TO_CAPTOR else found


@entry
def of_all() -> int:
    """Like `of_position`, with the pieces off the board in every game."""
    return of_rest() ^ of_board() ^ of_off()


# ------------------------------------------------------------------------------------------------------------- changes


def change_since(start: int) -> int:
    """Return the change of the board's key by the entries of the undo log from `start` on."""
    found = 0
    at = state.undo
    while at > start:
        at -= 3
        square = undo[at]
        if square >= 0 and is_first(square, start, at):
            found = found ^ of_cell(square, undo[at + 1]) ^ of_cell(square, cell[square])
            if params.has_attributes:
                found = found ^ of_mask(square, undo[at + 2]) ^ of_mask(square, attributes[square])
    return found


@inline
def is_first(square: int, start: int, end: int) -> int:
    """Return whether the log entries from `start` to `end` do not contain the square."""
    at = start
    while at < end:
        if undo[at] == square:
            return False
        at += 3
    return True
