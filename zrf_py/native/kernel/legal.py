"""Legal moves of a turn: the rules of `run/rules.py`, function by function."""

from zrf_py.jit.language import entry, inline, lowest_bit, shift_right, squares_of
from zrf_py.native.kernel import attack, board, finish, vm, walk
from zrf_py.native.kernel.memory import (
    NO_ERROR, PASS_ALWAYS, PASS_FORCED, cell, closes, danger_closes, danger_opens, drop_empty, drop_from,
    drop_squares, moves, moves_from, occupied, opens, params, priorities, reach, routine_move_type,
    routine_type, royals_at, side_plays, state, stores, turn_side, turn_type,
)

ANY = -1

# ------------------------------------------------------------------------------------------------------- generation


@inline
def begin_generation() -> None:
    if params.asks_attacks:
        state.asked_stamp = state.asked_stamp + 1
    state.depth = 0
    state.walk_flags = 0
    state.dropping = 0
    state.target_square = -1
    state.found = 0


def generate(side: int, move_type: int) -> None:
    """Write the records of all pseudo-legal moves of a side, in the interpreter's order."""
    begin_generation()
    for square in squares_of(occupied, side + 1, params.words):
        run_piece(square, side, move_type)
        if state.error:
            return
    run_all_drops(side, move_type)


@inline
def run_all_drops(side: int, move_type: int) -> None:
    state.dropping = 1
    for i in range(params.drop_routines):
        run_drops(i, side, move_type)
        if state.error:
            return
    state.dropping = 0


def run_piece(square: int, side: int, move_type: int) -> None:
    kind = (cell[square] >> 8) - 1
    for routine in range(moves_from[kind], moves_from[kind + 1]):
        if (move_type < 0 or routine_move_type[routine] == move_type) and state.error == NO_ERROR:
            vm.run(routine, square, side)


@entry
def moves_of(square: int, side: int) -> int:
    """Write the records of all moves of one piece, regardless of the turn; return where they begin."""
    begin_generation()
    base = state.top
    run_piece(square, side, ANY)
    return base


def run_drops(i: int, side: int, move_type: int) -> None:
    """Run one drop block over its squares."""
    routine = params.routines + i
    if move_type >= 0 and routine_move_type[routine] != move_type:
        return
    if stores[side * params.types + routine_type[routine]] <= 0:
        return
    if drop_empty[i]:
        for square in squares_of(occupied, 0, params.words):
            run_drop(i, square, side)
        return
    at = i * params.players + side
    for k in range(drop_from[at], drop_from[at + 1]):
        run_drop(i, drop_squares[k], side)
        if state.error:
            return


def run_drop(i: int, square: int, side: int) -> None:
    vm.run(params.routines + i, square, side)


def candidates() -> None:
    """Write the moves that the turn and the move priorities allow; royal pieces may still be left in danger."""
    side = turn_side[state.turn]
    move_type = turn_type[state.turn]
    base = state.top
    if state.chain >= 0:
        move_type = state.chain_type
        begin_generation()
        run_piece(state.chain, side, move_type)
    else:
        generate(side, move_type)
    if params.priorities and move_type < 0 and state.top > base:
        if params.keeps_flags:
            first_class_again(side, base)
        else:
            first_class(base)


def first_class(base: int) -> None:
    """Keep only the moves of the first priority with a move that can finish the turn; if there is none, keep all."""
    for i in range(params.priorities):
        m = base
        to = base
        end = state.top
        if params.has_unfinished == 0 or finish.some_finishes(base, end, priorities[i]):
            while m < end:
                size = board.length(m)
                if (moves[m + 1] >> 40) - 1 == priorities[i]:
                    for k in range(size):
                        moves[to + k] = moves[m + k]
                    to += size
                m += size
        if to > base:
            state.top = to
            return


def first_class_again(side: int, base: int) -> None:
    """Like `first_class`, for blocks that read flags of other blocks: generate anew for each priority."""
    end = state.top
    for i in range(params.priorities):
        if state.chain >= 0:
            begin_generation()
            run_piece(state.chain, side, priorities[i])
        else:
            generate(side, priorities[i])
        if params.has_unfinished and finish.some_finishes(end, state.top, ANY) == 0:
            state.top = end
        if state.top > end:
            size = state.top - end
            for k in range(size):
                moves[base + k] = moves[end + k]
            state.top = base + size
            return


@entry
def legal() -> int:
    """Write the legal moves from `state.top` on; return the index of the first word."""
    base = state.top
    if state.result >= 0:
        return base
    candidates()
    if state.error:
        return base
    if params.maximal:
        finish.keep_longest(base)
    own = take_passes(base)
    if params.must_finish:
        keep_finishing(base)
    add_passes(base, own)
    return base


@inline
def keep_finishing(base: int) -> None:
    """Remove the moves with which the turn cannot be finished legally."""
    m = base
    to = base
    end = state.top
    calm = params.sense and is_calm()
    other = next_side(state.turn) + 1
    while m < end:
        size = board.length(m)
        if (calm and changes_nothing(m, other)) or finish.can_finish(m):
            if to != m:
                for k in range(size):
                    moves[to + k] = moves[m + k]
            to += size
        m += size
    state.top = to


@inline
def take_passes(base: int) -> int:
    """Remove the passes written by blocks; return whether there were any."""
    if params.adds_pass == 0:
        return False
    m = base
    to = base
    end = state.top
    while m < end:
        size = board.length(m)
        if size > board.HEAD:
            for k in range(size):
                moves[to + k] = moves[m + k]
            to += size
        m += size
    state.top = to
    return to < end


def is_calm() -> int:
    """Return whether no royal piece could be captured if the turn ended here; write the squares on which that depends
    to `danger_opens` and `danger_closes`."""
    side = next_side(state.turn)
    for word in range(params.words):
        danger_opens[word] = 0
        danger_closes[word] = 0
    begin_generation()
    for player in range(params.players):
        if player != side:
            for square in squares_of(royals_at, player + 1, params.words):
                if is_calm_at(square, side, turn_type[next_turn_of(state.turn)]) == 0:
                    return False
    return True


def is_calm_at(target: int, side: int, move_type: int) -> int:
    """Like `is_calm` for one royal piece: run the blocks of every piece that may attack it."""
    words = params.words
    state.target_square = target
    danger_opens[word_of(target)] = danger_opens[word_of(target)] | 1 << (target & 63)
    for word in range(words):
        bits = occupied[(side + 1) * words + word] & reach[(side * params.squares + target) * words + word]
        while bits:
            start = word * 64 + lowest_bit(bits)
            if attack.can_hit(start, side, target):
                if attack.look_piece(start, side, move_type, target):
                    return False
                at = ((side * params.squares + start) * params.squares + target) * words
                for i in range(words):
                    danger_opens[i] = danger_opens[i] | opens[at + i]
                    danger_closes[i] = danger_closes[i] | closes[at + i]
            bits = bits & (bits - 1)
    state.target_square = -1
    return True


@inline
def changes_nothing(m: int, other: int) -> int:
    """Return whether a record is one movement or drop, of a piece that does not belong to the next player (`other`: the
    player's number, from 1), and can't affect the safety of the royal pieces.

    The record may set attributes of its piece: an attack that tests those depends on the destination, too.
    """
    head = moves[m]
    part = moves[m + board.HEAD]
    if head & ~(board.SMALL << 12) != 1:
        return False
    end = part >> 28 & board.SQUARE
    if danger_closes[word_of(end)] >> (end & 63) & 1:
        return False
    if part & 255 == board.MOVE and shift_right(part, 48) == 0:
        start = (part >> 8 & board.SQUARE) - 1
        if cell[start] & 255 == other or danger_opens[word_of(start)] >> (start & 63) & 1:
            return False
    elif part & 255 != board.DROP or turn_side[state.turn] + 1 == other:
        return False
    for i in range(head >> 12 & board.SMALL):
        effect = moves[m + board.HEAD + 1 + i]
        if effect & 255 != board.SET_ATTRIBUTE or effect >> 8 & board.SQUARE != end:
            return False
    return True


@inline
def word_of(square: int) -> int:
    """Return the index of the word of a set that holds a square's bit."""
    return square >> 6 if params.words > 1 else 0


@inline
def next_turn_of(turn: int) -> int:
    return params.repeat if turn + 1 >= params.turns else turn + 1


@inline
def next_side(turn: int) -> int:
    return turn_side[next_turn_of(turn)]


def add_passes(base: int, own: int) -> None:
    """Add the pass that the rules offer or blocks have written, unless the turn can't be finished with it."""
    end = state.top
    offered = 0
    if state.chain >= 0:
        offered = params.pass_partial and (params.plus == 0 or state.must == 0)
    elif params.pass_turn == PASS_ALWAYS:
        offered = 1
    elif params.pass_turn == PASS_FORCED:
        offered = end == base
    if offered or own:
        state.target_square = -1
        walk.write_pass(-1)
        if params.must_finish and state.top > end and finish.can_finish(end) == 0:
            state.top = end


# ----------------------------------------------------------------------------------------------------- royal pieces


def royal_in_danger() -> int:
    """Return whether the player to move could capture a royal piece of another player."""
    turn = state.turn
    side = turn_side[turn]
    for player in range(params.players):
        if player != side:
            for square in squares_of(royals_at, player + 1, params.words):
                if attack.can_capture(side, square, turn_type[turn], 0):
                    return True
    return False


@entry
def is_attacked(player: int) -> int:
    """Return whether some opponent could capture a royal piece of the player."""
    for square in squares_of(royals_at, player + 1, params.words):
        for side in range(params.players):
            if side != player and side_plays[side]:
                if attack.can_capture(side, square, ANY, 0):
                    return True
    return False
