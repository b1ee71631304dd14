"""Make and unmake moves; the format of move records.

A record is a row of words in `moves`:

    0        movements | effects << 12 | captures << 24 | (partial + 2) << 36     counts; all 0: a pass
    1        (start + 1) | (end + 1) << 20 | (move type of its block + 1) << 40      end -1: no destination
    2...     a movement: how | (from + 1) << 8 | to << 28 | (type + 1) << 48
             an effect: which | square << 8 | a << 28 | (b + 1) << 46
             on a counter: which | counter << 8 | player << 18 | value << 28
             on the turn order: which | value << 28
             a capture: its square

`how`: MOVE, COPY or DROP; `which`: the number of the effect; `must`, bit 52 of word 0: the leg may not be the last of
its turn. Every change of the board is logged in `undo` (`cells.py`); `unmake` replays the log backwards.
"""

from zrf_py.ir.ops import EFFECTS
from zrf_py.jit.language import entry, inline, shift_right
from zrf_py.native.kernel import cells, watch
from zrf_py.native.kernel.memory import (
    NO_ROOM, attributes, cell, frames, lifted, moves, params, start_attributes, state, stores, turn_side,
    undo,
)

MOVE, COPY, DROP = 0, 1, 2
CREATE, FLIP, CHANGE_OWNER, CHANGE_TYPE, SET_ATTRIBUTE, SET_COUNTER, ADD_TO_COUNTER, NEXT_TURN = range(len(EFFECTS))
MUST_BIT = 52
LARGEST = 2147483647
"""Limit on the absolute value of counters; larger ones are left to the interpreter."""
SMALL, SQUARE, WIDE = 4095, 1048575, 65535
HEAD = 2
"""Words before the parts of a record."""


@inline
def length(m: int) -> int:
    """Return the number of words of a record."""
    head = moves[m]
    return HEAD + (head & SMALL) + (head >> 12 & SMALL) + (head >> 24 & SMALL)


@inline
def following(m: int) -> int:
    """Return the index of the next record. Most records are one movement, and testing that is faster than `length`."""
    if moves[m] == 1:
        return m + HEAD + 1
    return m + length(m)


@inline
def partial_of(m: int) -> int:
    """Return -2 for a move that ends the turn, else the move type of the next leg (-1: any)."""
    return (moves[m] >> 36 & WIDE) - 2


@inline
def must_of(m: int) -> int:
    """Return whether the leg may not be the last of its turn."""
    return moves[m] >> MUST_BIT & 1


@inline
def end_of(m: int) -> int:
    return (moves[m + 1] >> 20 & SQUARE) - 1


# -------------------------------------------------------------------------------------------------- make and unmake


@inline
def push_frame() -> int:
    """Save the fields that `unmake` restores; return 0 if there is no room."""
    at = state.frame
    if at + params.keeps > params.frames_room:
        state.error = NO_ROOM
        return 0
    for i in range(params.keeps):
        frames[at + i] = state[i]
    state.frame = at + params.keeps
    return 1


@entry
def unmake() -> None:
    """Return to the position of the last frame."""
    at = state.frame - params.keeps
    log_end = state.undo
    if params.asks_attacks:
        state.asked_stamp = state.asked_stamp + 1
    for i in range(params.keeps):
        state[i] = frames[at + i]
    state.frame = at
    start = state.undo
    while log_end > start:
        log_end -= cells.UNDO_WORDS
        square = undo[log_end]
        if square < 0:
            if params.watched:
                watch.watch_store(undo[log_end + 1], stores[undo[log_end + 1]], undo[log_end + 2])
            stores[undo[log_end + 1]] = undo[log_end + 2]
        else:
            cells.replace_cell(square, cell[square], undo[log_end + 1])
            if params.has_attributes:
                attributes[square] = undo[log_end + 2]


@inline
def forget_frames() -> None:
    """Clear the logs; the moves up to the current position can no longer be unmade."""
    state.frame = 0
    state.top = 0
    state.undo = 0
    state.turn_undo = 0


@inline
def begin_afresh() -> None:
    """Like `forget_frames`, but for the start of a turn: the captured pieces are forgotten, too."""
    forget_frames()
    state.taken_from = 0
    state.taken_to = 0


@inline
def play(m: int) -> None:
    """Play a record on the board; the caller sets the turn and the chain."""
    begin_leg()
    head = moves[m] & 68719476735
    first = moves[m + HEAD]
    if head & SMALL == 1 and (first & 255) == MOVE and shift_right(first, 48) == 0:
        cells.move_piece((first >> 8 & SQUARE) - 1, first >> 28 & SQUARE)
    elif head & SMALL == 1 and (first & 255) == DROP:
        side = turn_side[state.turn]
        cells.take_from_store(side, first)
        cells.put_piece(side, shift_right(first, 48) - 1, first >> 28 & SQUARE)
    elif head:
        play_movements(m)
    if head >> 12:
        play_rest(m)


@inline
def begin_leg() -> None:
    if state.chain < 0:
        state.taken_from = state.taken_to
        state.turn_undo = state.undo
        if params.hashes:
            state.origin = state.hash
    state.chain = -1


def play_movements(m: int) -> None:
    """Play all movements of a record at once. If it has none but a destination, that is the end of the last move."""
    movements = moves[m] & SMALL
    at = m + HEAD
    if movements:
        state.last_from = (moves[at] >> 8 & SQUARE) - 1 if moves[at] & 255 != DROP else -1
        state.last_to = moves[at] >> 28 & SQUARE
        move_pieces(at, movements)
    elif moves[m + 1] >> 20 & SQUARE:
        state.last_from = (moves[m + 1] & SQUARE) - 1
        state.last_to = (moves[m + 1] >> 20 & SQUARE) - 1


def play_rest(m: int) -> None:
    """Play the parts after the movements: effects in code order, then captures."""
    head = moves[m]
    at = m + HEAD + (head & SMALL)
    for _i in range(head >> 12 & SMALL):
        play_effect(moves[at])
        at += 1
    for _i in range(head >> 24 & SMALL):
        square = moves[at]
        if cell[square]:
            cells.take(square)
            cells.set_cell(square, 0, 0)
        at += 1


def move_pieces(at: int, movements: int) -> None:
    """Lift all moving pieces, capture on the destinations, then put all down."""
    side = turn_side[state.turn]
    for i in range(movements):
        lift(i * 3, moves[at + i], side)
    for i in range(movements):
        part = moves[at + i]
        if part & 255 == MOVE:
            start = (part >> 8 & SQUARE) - 1
            if cell[start]:
                cells.set_cell(start, 0, 0)
    for i in range(movements):
        if lifted[i * 3 + 1]:
            cells.take(lifted[i * 3])
            cells.set_cell(lifted[i * 3], lifted[i * 3 + 1], lifted[i * 3 + 2])


def lift(slot: int, part: int, side: int) -> None:
    """Store the destination, the new cell and the attributes of one movement in `lifted`, from index `slot` on."""
    kind = shift_right(part, 48) - 1
    lifted[slot] = part >> 28 & SQUARE
    if part & 255 == DROP:
        cells.take_from_store(side, part)
        lifted[slot + 1] = side + 1 | kind + 1 << 8
        lifted[slot + 2] = start_attributes[kind]
        return
    start = (part >> 8 & SQUARE) - 1
    old = cell[start]
    mask = attributes[start]
    if kind >= 0:
        before = (old >> 8) - 1 if old else 0
        if params.recycle_promotions and before != kind:
            cells.change_store(side, kind, -1)
            cells.change_store(side, before, 1)
        if part & 255 == COPY:
            mask = start_attributes[kind]
        if old:
            old = old & 255 | kind + 1 << 8
    lifted[slot + 1] = old
    lifted[slot + 2] = mask


def play_effect(part: int) -> None:
    """Apply one effect: to its square (only `create` works on an empty one), a counter or the turn order."""
    which = part & 255
    square = part >> 8 & SQUARE
    a = part >> 28 & 262143
    b = (part >> 46) - 1
    if params.plus and which >= SET_COUNTER:
        play_number(which, part)
        return
    old = cell[square]
    new = old
    mask = attributes[square]
    if which == CREATE:
        cells.take(square)
        new = b + 1 | a + 1 << 8
        mask = start_attributes[a]
    elif old == 0:
        return
    elif which == FLIP:
        new = old - 1 if old & 255 > 1 else old - 1 + params.players
    elif which == CHANGE_OWNER:
        new = a + 1 | (old >> 8) << 8
    elif which == CHANGE_TYPE:
        before = (old >> 8) - 1
        if params.recycle_promotions and before != a:
            cells.change_store((old & 255) - 1, a, -1)
            cells.change_store((old & 255) - 1, before, 1)
        new = old & 255 | a + 1 << 8
    else:
        mask = mask & ~(1 << a) | b << a
    cells.set_cell(square, new, mask)


def play_number(which: int, part: int) -> None:
    """Apply an effect on a counter or on the turn order; set NO_ROOM if the counter would exceed `LARGEST`."""
    value = part >> 28
    if which == NEXT_TURN:
        state.step = value
        return
    at = params.counters_at + (part >> 8 & 1023) * params.players + (part >> 18 & 1023)
    change = value - stores[at] if which == SET_COUNTER else value
    if stores[at] + change > LARGEST or stores[at] + change < 0 - LARGEST:
        state.error = NO_ROOM
        return
    cells.change_number(at, change)
