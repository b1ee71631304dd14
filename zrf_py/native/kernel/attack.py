"""Attack detection: run the blocks of every piece of a side, and test whether one hits the target."""

from zrf_py.jit.language import inline, lowest_bit
from zrf_py.native.kernel import cells, vm
from zrf_py.native.kernel.memory import (
    NO_ERROR, asked, attributes, cell, kind_hits, moves_from, occupied, params, reach, routine_hits,
    routine_move_type, side_plays, state, turn_side, undo,
)


def can_capture(side: int, target: int, move_type: int, depth: int) -> int:
    """Return whether a piece of the side can remove the piece on the target, by a move of one type (-1: any)."""
    old_depth = state.depth
    old_flags = state.walk_flags
    old_dropping = state.dropping
    old_target = state.target_square
    old_found = state.found
    old_stamp = state.stamp
    if params.asks_attacks and depth == 0:
        state.asked_stamp = state.asked_stamp + 1
    state.depth = depth
    state.walk_flags = 0
    state.dropping = 0
    state.target_square = target
    state.found = 0
    found = look(side, target, move_type)
    state.depth = old_depth
    state.walk_flags = old_flags
    state.dropping = old_dropping
    state.target_square = old_target
    state.found = old_found
    state.stamp = old_stamp
    return found != 0


def look(side: int, target: int, move_type: int) -> int:
    """Run the blocks of every piece of the side that may reach the target; return whether one hits it."""
    words = params.words
    for word in range(words):
        bits = occupied[(side + 1) * words + word]
        if params.reach:
            bits = bits & reach[(side * params.squares + target) * words + word]
        while bits:
            start = word * 64 + lowest_bit(bits)
            if can_hit(start, side, target) and look_piece(start, side, move_type, target):
                return True
            if state.error:
                return False
            bits = bits & (bits - 1)
    return False


def look_piece(square: int, side: int, move_type: int, target: int) -> int:
    """Return whether a block of the piece on a square would remove the piece on the target."""
    kind = (cell[square] >> 8) - 1
    for routine in range(moves_from[kind], moves_from[kind + 1]):
        if move_type < 0 or routine_move_type[routine] == move_type:
            vm.run(routine, square, side)
            if state.found or state.error:
                return state.found
    return False


def attacked(square: int, move_type: int, side: int, kind: int) -> int:
    """Return whether a square is attacked; unless a friendly piece is there, put one of the moving type there first.

    Return False within another attack test. Many blocks test the same square of a position, so the answer is cached.
    """
    if state.depth:
        return False
    stands_in = cell[square] & 255 != side + 1
    question = (move_type + 1 << 24 | (kind + 1 if stands_in else 0)) << 8 | side
    if params.asks_attacks and asked[square].stamp == state.asked_stamp and asked[square].question == question:
        return asked[square].answer
    stamp = state.asked_stamp
    found = look_for_attackers(square, move_type, side, kind, stands_in)
    if state.error == NO_ERROR:
        asked[square].stamp = stamp
        asked[square].question = question
        asked[square].answer = found
    return found


def look_for_attackers(square: int, move_type: int, side: int, kind: int, stands_in: int) -> int:
    """Return whether an enemy could capture the piece on a square; with `stands_in`, put a friendly one there first."""
    mark = state.undo
    before = state.hash
    masks = state.masks
    if stands_in:
        cells.set_cell(square, side + 1 | kind + 1 << 8, 0)
    found = 0
    for enemy in range(params.players):
        if found == 0 and enemy != side and side_plays[enemy]:
            found = can_capture(enemy, square, move_type, 1)
    if stands_in:
        take_back(mark)
    state.hash = before
    state.masks = masks
    return found != 0


def defended(square: int, move_type: int, side: int, kind: int) -> int:
    """Put an enemy of the moving type on a square; return whether the side could capture it, False in attack tests."""
    if state.depth:
        return False
    enemy = -1
    for turn in range(params.turns):
        if enemy < 0 and turn_side[turn] != side:
            enemy = turn_side[turn]
    if enemy < 0:
        return False
    mark = state.undo
    before = state.hash
    masks = state.masks
    cells.set_cell(square, enemy + 1 | kind + 1 << 8, 0)
    found = can_capture(side, square, move_type, 1)
    take_back(mark)
    state.hash = before
    state.masks = masks
    return found != 0


@inline
def can_hit(start: int, side: int, target: int) -> int:
    """Return whether some block of the piece on a square may hit the target."""
    if params.reach < 2:
        return True
    row = (((cell[start] >> 8) - 1) * params.players + side) * params.squares + start
    return kind_hits[row * params.words + (target >> 6)] >> (target & 63) & 1


@inline
def may_hit(routine: int, side: int, square: int, target: int) -> int:
    """Return whether a block may hit the target from a square, so that running it is worthwhile."""
    if params.reach < 2:
        return True
    row = (routine * params.players + side) * params.squares + square
    return routine_hits[row * params.words + (target >> 6)] >> (target & 63) & 1


def take_back(mark: int) -> None:
    """Undo the one change since `mark`, if any."""
    if state.undo > mark:
        cells.replace_cell(undo[mark], cell[undo[mark]], undo[mark + 1])
        if params.has_attributes:
            attributes[undo[mark]] = undo[mark + 2]
        state.undo = mark
