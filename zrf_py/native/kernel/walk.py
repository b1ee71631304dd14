"""State of a running block: records written by `add`, collected effects, capture detection.

One run collects movements (`cascades`), effects and captures. A nested run (`attacked?` inside a block) uses its own
part of these arrays, selected by `state.depth`. While `state.target_square` is a square, no record is written:
`state.found` becomes 1 when a move would remove the piece there.
"""

from zrf_py.jit.language import apart, inline
from zrf_py.native.kernel import board
from zrf_py.native.kernel.memory import (
    NO_ROOM, add_types, captures, cascades, cell, effects, moves, params, state, stores,
)

COPIES, PARTIAL = 1, 2
"""Bits of the first operand of `add`: the piece is copied; the turn may go on."""
START_MASK = 1048575


@inline
def begin_walk() -> None:
    depth = state.depth
    state.effects[depth] = 0
    state.captures[depth] = 0
    state.cascades[depth] = 0
    if params.plus:
        state.musts[depth] = 0


@inline
def add_effect(which: int, square: int, a: int, b: int) -> None:
    note_effect(which | square << 8 | a << 28 | b + 1 << 46)


@inline
def add_number(which: int, counter: int, player: int, value: int) -> None:
    """Collect an effect on a counter or on the turn order."""
    note_effect(which | counter << 8 | player << 18 | value << 28)


@apart
def add_number_apart(which: int, counter: int, player: int, value: int) -> None:
    add_number(which, counter, player, value)


@inline
def must_continue() -> None:
    state.musts[state.depth] = 1


@inline
def note_effect(part: int) -> None:
    depth = state.depth
    at = state.effects[depth]
    if at >= params.parts_room:
        state.error = NO_ROOM
        return
    effects[depth * params.parts_room + at] = part
    state.effects[depth] = at + 1
    if state.captures[depth] > 1:
        turn_captures()


def turn_captures() -> None:
    """Rotate the captures so that the first becomes the last: each effect does this to earlier captures."""
    depth = state.depth
    base = depth * params.parts_room
    first = captures[base]
    last = base + state.captures[depth] - 1
    for i in range(base, last):
        captures[i] = captures[i + 1]
    captures[last] = first


@inline
def add_capture(square: int) -> None:
    depth = state.depth
    at = state.captures[depth]
    if at >= params.parts_room:
        state.error = NO_ROOM
        return
    captures[depth * params.parts_room + at] = square
    state.captures[depth] = at + 1


@apart
def add_effect_apart(which: int, square: int, a: int, b: int) -> None:
    add_effect(which, square, a, b)


@apart
def add_capture_apart(square: int) -> None:
    add_capture(square)


@inline
def movement(how: int, start: int, end: int, kind: int) -> int:
    return how | start + 1 << 8 | end << 28 | kind + 1 << 48


def add_cascade(from_: int, end: int, kind: int) -> int:
    """Store the movement built so far, if any; return 0 if the block must end for lack of a piece or of room."""
    depth = state.depth
    at = state.cascades[depth]
    part = 0
    if state.dropping:
        part = movement(board.DROP, -1, end, kind)
    elif from_ == end:
        return True
    elif cell[from_] == 0:
        return False
    else:
        part = movement(board.MOVE, from_, end, -1)
    if at >= params.parts_room:
        state.error = NO_ROOM
        return False
    cascades[depth * params.parts_room + at] = part
    state.cascades[depth] = at + 1
    return True


@inline
def is_plain(depth: int) -> int:
    """Return whether the run has collected nothing besides the current movement."""
    return (state.effects[depth] | state.captures[depth] | state.cascades[depth]) == 0


@inline
def must(depth: int) -> int:
    """Return whether the leg that is written next may not be the last of its turn."""
    return params.plus and state.musts[depth]


@inline
def add_move(
    how: int, move_type: int, types_at: int, types_count: int, from_: int, to: int, here: int, side: int,
    kind: int, block_type: int,
) -> None:
    """Run `add`: write one record, or one for each of its types, and clear the collected parts."""
    end = to if to >= 0 else here
    depth = state.depth
    if types_count == 0 and how & COPIES == 0 and state.dropping == 0 and is_plain(depth) and must(depth) == 0:
        if from_ != end and cell[from_]:
            if state.target_square >= 0:
                if end == state.target_square:
                    state.found = 1
            else:
                write_simple(how, move_type, from_, end, block_type)
        return
    add_any(how, move_type, types_at, types_count, from_, end, side, kind, block_type)


@inline
def write_simple(how: int, move_type: int, from_: int, end: int, block_type: int) -> None:
    """Write the record of a moving piece, without other parts."""
    at = state.top
    if at + 16 > params.moves_room:
        state.error = NO_ROOM
        return
    partial = move_type + 2 if how & PARTIAL else 0
    moves[at] = 1 | partial << 36
    moves[at + 1] = from_ + 1 | end + 1 << 20 | block_type + 1 << 40
    moves[at + 2] = movement(board.MOVE, from_, end, -1)
    state.top = at + 3


@inline
def write_drop(how: int, move_type: int, from_: int, end: int, side: int, kind: int, block_type: int) -> None:
    """Write the record of a dropped piece, without other parts; none if the player has no such piece left."""
    at = state.top
    if at + 16 > params.moves_room:
        state.error = NO_ROOM
        return
    if stores[side * params.types + kind] > 0:
        moves[at] = 1 | (move_type + 2 if how & PARTIAL else 0) << 36
        moves[at + 1] = from_ + 1 | end + 1 << 20 | block_type + 1 << 40
        moves[at + 2] = movement(board.DROP, -1, end, kind)
        state.top = at + 3


def add_pass(side: int, kind: int, start: int, block_type: int) -> None:
    """Run `add-pass`: write the collected parts without a movement of its own, and clear them."""
    depth = state.depth
    if is_plain(depth):
        write_pass(block_type)
    elif state.dropping and state.cascades[depth] and stores[side * params.types + kind] <= 0:
        pass
    elif state.target_square < 0:
        write(0, -1, start, -1, block_type)
    elif removes(state.target_square, -1):
        state.found = 1
    forget_collected()


def write_pass(block_type: int) -> None:
    """Write the record of a pass, except in a search for captures."""
    at = state.top
    if state.target_square >= 0:
        return
    if at + 16 > params.moves_room:
        state.error = NO_ROOM
        return
    moves[at] = 0
    moves[at + 1] = block_type + 1 << 40
    state.top = at + board.HEAD


def add_any(
    how: int, move_type: int, types_at: int, types_count: int, from_: int, end: int, side: int, kind: int,
    block_type: int,
) -> None:
    if types_count == 0:
        add_one(how, move_type, -1, from_, end, side, kind, block_type)
    for i in range(types_count):
        add_one(how, move_type, add_types[types_at + i], from_, end, side, kind, block_type)
    forget_collected()


@inline
def forget_collected() -> None:
    """Clear the collected parts after a move is written; movements only if the rules discard cascades."""
    depth = state.depth
    state.effects[depth] = 0
    state.captures[depth] = 0
    if params.plus:
        state.musts[depth] = 0
    if params.discard_cascades:
        state.cascades[depth] = 0


def add_one(
    how: int, move_type: int, wanted: int, from_: int, end: int, side: int, kind: int, block_type: int,
) -> None:
    """Write one record, unless it has no parts or a piece is missing; given a target square, only note its capture."""
    depth = state.depth
    last = -1
    if state.dropping:
        if stores[side * params.types + kind] <= 0:
            return
        other = wanted >= 0 and wanted != kind
        last = movement(board.DROP, kind, end, wanted) if other else movement(board.DROP, -1, end, kind)
    elif how & COPIES or from_ != end or wanted >= 0:
        held = cell[from_]
        if held == 0:
            return
        if wanted >= 0 and params.recycle_promotions and (held >> 8) - 1 != wanted:
            if stores[side * params.types + wanted] <= 0:
                return
        last = movement(board.COPY if how & COPIES else board.MOVE, from_, end, wanted)
    elif is_plain(depth):
        return
    if state.target_square >= 0:
        if removes(state.target_square, last):
            state.found = 1
        return
    write(move_type + 2 if how & PARTIAL else 0, last, from_, end, block_type)


def count_types(types_at: int, types_count: int, from_: int, side: int, kind: int, dropping: int) -> int:
    """Count the records of an `add` with types, or of a drop, if no movement was stored before."""
    found = 0
    for i in range(types_count if types_count else 1):
        wanted = add_types[types_at + i] if types_count else kind
        if dropping:
            found += stores[side * params.types + kind] > 0
        elif cell[from_]:
            if params.recycle_promotions and (cell[from_] >> 8) - 1 != wanted:
                found += stores[side * params.types + wanted] > 0
            else:
                found += 1
    return found


def write(partial: int, last: int, from_: int, end: int, block_type: int) -> None:
    """Write a record with all collected parts."""
    depth = state.depth
    base = depth * params.parts_room
    cascade_count = state.cascades[depth]
    effect_count = state.effects[depth]
    capture_count = state.captures[depth]
    at = state.top
    if at + board.HEAD + 1 + cascade_count + effect_count + capture_count > params.moves_room:
        state.error = NO_ROOM
        return
    movements = cascade_count + (1 if last != -1 else 0)
    if params.plus and partial:
        partial = partial | state.musts[depth] << board.MUST_BIT - 36
    moves[at] = movements | effect_count << 12 | capture_count << 24 | partial << 36
    moves[at + 1] = from_ + 1 | end + 1 << 20 | block_type + 1 << 40
    at += board.HEAD
    for i in range(cascade_count):
        moves[at] = cascades[base + i]
        at += 1
    if last != -1:
        moves[at] = last
        at += 1
    for i in range(effect_count):
        moves[at] = effects[base + i]
        at += 1
    for i in range(capture_count):
        moves[at] = captures[base + i]
        at += 1
    state.top = at


def removes(target: int, last: int) -> int:
    """Return whether the record would capture the piece on a square; a piece that moves away itself is not captured."""
    depth = state.depth
    base = depth * params.parts_room
    count = state.cascades[depth]
    landed = 0
    leaves = 0
    for i in range(count + 1):
        part = last if i == count else cascades[base + i]
        if part != -1:
            if part >> 28 & START_MASK == target:
                landed = 1
            if part & 255 == board.MOVE and (part >> 8 & START_MASK) - 1 == target:
                leaves = 1
    if leaves == 0:
        if landed:
            return True
        for i in range(state.captures[depth]):
            if captures[base + i] == target:
                return True
    for i in range(state.effects[depth]):
        part = effects[base + i]
        if part & 255 == board.CREATE and part >> 8 & START_MASK == target:
            return True
    return False
