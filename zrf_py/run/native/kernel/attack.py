"""Could a piece be captured? The naive answer, which is the definition: let every piece of a side look."""

from __future__ import annotations

from zrf_py.run.native.kernel.board import replace_cell, set_cell
from zrf_py.run.native.kernel.memory import (
    DEPTH,
    DROPPING,
    ERROR,
    FOUND,
    HAS_ATTRIBUTES,
    HASH,
    MASKS,
    PLAYERS,
    REACH,
    SQUARES,
    STAMP,
    TARGET_SQUARE,
    TURNS,
    UNDO,
    WALK_FLAGS,
    WORDS,
    attributes,
    cell,
    kind_hits,
    moves_from,
    occupied,
    params,
    reach,
    routine_hits,
    routine_move_type,
    side_plays,
    state,
    turn_side,
    undo,
)
from zrf_py.run.native.kernel.vm import run
from zrf_py.run.native.kernel.words import inline, lowest_bit


def can_capture(side: int, target: int, move_type: int, depth: int) -> int:
    """Whether a move of the side (of a move type unless -1) would remove what stands on the target."""
    old_depth = state[DEPTH]
    old_flags = state[WALK_FLAGS]
    old_dropping = state[DROPPING]
    old_target = state[TARGET_SQUARE]
    old_found = state[FOUND]
    old_stamp = state[STAMP]
    state[DEPTH] = depth
    state[WALK_FLAGS] = 0
    state[DROPPING] = 0
    state[TARGET_SQUARE] = target
    state[FOUND] = 0
    found = look(side, target, move_type)
    state[DEPTH] = old_depth
    state[WALK_FLAGS] = old_flags
    state[DROPPING] = old_dropping
    state[TARGET_SQUARE] = old_target
    state[FOUND] = old_found
    state[STAMP] = old_stamp
    return found != 0


def look(side: int, target: int, move_type: int) -> int:
    """Run the blocks of every piece of the side that could be meant."""
    words = params[WORDS]
    for word in range(words):
        bits = occupied[(side + 1) * words + word]
        if params[REACH]:
            bits = bits & reach[(side * params[SQUARES] + target) * words + word]
        while bits:
            start = word * 64 + lowest_bit(bits)
            if can_hit(start, side, target) and look_piece(start, side, move_type, target):
                return True
            if state[ERROR]:
                return False
            bits = bits & (bits - 1)
    return False


def look_piece(square: int, side: int, move_type: int, target: int) -> int:
    """Whether a block of the piece on a square would remove what stands on the target."""
    kind = (cell[square] >> 8) - 1
    for routine in range(moves_from[kind], moves_from[kind + 1]):
        if move_type < 0 or routine_move_type[routine] == move_type:
            run(routine, square, side)
            if state[FOUND] or state[ERROR]:
                return state[FOUND]
    return False


def attacked(square: int, move_type: int, side: int, kind: int) -> int:
    """A friendly piece of the type that moves stands in where the square is empty or somebody else's."""
    if state[DEPTH]:
        return False
    stands_in = cell[square] & 255 != side + 1
    mark = state[UNDO]
    cells = state[HASH]
    masks = state[MASKS]
    if stands_in:
        set_cell(square, side + 1 | kind + 1 << 8, 0)
    found = 0
    for enemy in range(params[PLAYERS]):
        if found == 0 and enemy != side and side_plays[enemy]:
            found = can_capture(enemy, square, move_type, 1)
    if stands_in:
        take_back(mark)
    state[HASH] = cells
    state[MASKS] = masks
    return found != 0


def defended(square: int, move_type: int, side: int, kind: int) -> int:
    """An enemy piece of the type that moves stands in, and the side's other pieces try to capture it."""
    if state[DEPTH]:
        return False
    enemy = -1
    for turn in range(params[TURNS]):
        if enemy < 0 and turn_side[turn] != side:
            enemy = turn_side[turn]
    if enemy < 0:
        return False
    mark = state[UNDO]
    cells = state[HASH]
    masks = state[MASKS]
    set_cell(square, enemy + 1 | kind + 1 << 8, 0)
    found = can_capture(side, square, move_type, 1)
    take_back(mark)
    state[HASH] = cells
    state[MASKS] = masks
    return found != 0


@inline
def can_hit(start: int, side: int, target: int) -> int:
    """Whether some block of the piece on a square may hit the target."""
    if params[REACH] == 0:
        return True
    row = (((cell[start] >> 8) - 1) * params[PLAYERS] + side) * params[SQUARES] + start
    return kind_hits[row * params[WORDS] + (target >> 6)] >> (target & 63) & 1


@inline
def may_hit(routine: int, side: int, square: int, target: int) -> int:
    """Whether a block is worth running from a square to look whether it hits the target."""
    if params[REACH] == 0:
        return True
    row = (routine * params[PLAYERS] + side) * params[SQUARES] + square
    return routine_hits[row * params[WORDS] + (target >> 6)] >> (target & 63) & 1


def take_back(mark: int) -> None:
    """Undo the one change since `mark`."""
    if state[UNDO] > mark:
        replace_cell(undo[mark], cell[undo[mark]], undo[mark + 1])
        if params[HAS_ATTRIBUTES]:
            attributes[undo[mark]] = undo[mark + 2]
        state[UNDO] = mark
