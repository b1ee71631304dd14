"""Turns: which moves are legal. The same rules as `run/rules.py`, function by function."""

from __future__ import annotations

from zrf_py.run.native.kernel.attack import can_capture, can_hit, look_piece
from zrf_py.run.native.kernel.board import HEAD, MOVE, SQUARE, length
from zrf_py.run.native.kernel.finish import can_finish, keep_longest, some_finishes
from zrf_py.run.native.kernel.memory import (
    ADDS_PASS,
    CHAIN,
    CHAIN_TYPE,
    DEPTH,
    DROP_ROUTINES,
    DROPPING,
    ERROR,
    FOUND,
    HAS_UNFINISHED,
    KEEPS_FLAGS,
    MAXIMAL,
    MUST,
    MUST_FINISH,
    NO_ERROR,
    PASS_ALWAYS,
    PASS_FORCED,
    PASS_PARTIAL,
    PASS_TURN,
    PLAYERS,
    PLUS,
    PRIORITIES,
    REPEAT,
    RESULT,
    ROUTINES,
    SENSE,
    SQUARES,
    TARGET_SQUARE,
    TOP,
    TURN,
    TURNS,
    TYPES,
    WALK_FLAGS,
    WORDS,
    cell,
    closes,
    danger_closes,
    danger_opens,
    drop_empty,
    drop_from,
    drop_plain,
    drop_squares,
    moves,
    moves_from,
    occupied,
    opens,
    params,
    priorities,
    reach,
    routine_move_type,
    routine_type,
    royals_at,
    side_plays,
    state,
    stores,
    turn_side,
    turn_type,
)
from zrf_py.run.native.kernel.vm import run
from zrf_py.run.native.kernel.walk import write_pass
from zrf_py.run.native.kernel.words import entry, inline, lowest_bit, shift_right

ANY = -1

# ------------------------------------------------------------------------------------------------------- generation


@inline
def begin_generation() -> None:
    state[DEPTH] = 0
    state[WALK_FLAGS] = 0
    state[DROPPING] = 0
    state[TARGET_SQUARE] = -1
    state[FOUND] = 0


def generate(side: int, move_type: int) -> None:
    """Write the records of all moves of a side, in the order of the definition."""
    begin_generation()
    words = params[WORDS]
    for word in range(words):
        bits = occupied[(side + 1) * words + word]
        while bits:
            run_piece(word * 64 + lowest_bit(bits), side, move_type)
            bits = bits & (bits - 1)
            if state[ERROR]:
                return
    state[DROPPING] = 1
    for i in range(params[DROP_ROUTINES]):
        run_drops(i, side, move_type)
        if state[ERROR]:
            return
    state[DROPPING] = 0


def run_piece(square: int, side: int, move_type: int) -> None:
    kind = (cell[square] >> 8) - 1
    for routine in range(moves_from[kind], moves_from[kind + 1]):
        if (move_type < 0 or routine_move_type[routine] == move_type) and state[ERROR] == NO_ERROR:
            run(routine, square, side)


def run_drops(i: int, side: int, move_type: int) -> None:
    """Run one drop block over its squares."""
    routine = params[ROUTINES] + i
    if move_type >= 0 and routine_move_type[routine] != move_type:
        return
    if drop_plain[i] and stores[side * params[TYPES] + routine_type[routine]] <= 0:
        return
    if drop_empty[i]:
        run_drops_on_empty(i, side)
        return
    at = i * params[PLAYERS] + side
    for k in range(drop_from[at], drop_from[at + 1]):
        run_drop(i, drop_squares[k], side)
        if state[ERROR]:
            return


@inline
def run_drops_on_empty(i: int, side: int) -> None:
    """The same for a block that wants an empty square first and runs everywhere."""
    for word in range(params[WORDS]):
        bits = occupied[word]
        while bits:
            run_drop(i, word * 64 + lowest_bit(bits), side)
            bits = bits & (bits - 1)


def run_drop(i: int, square: int, side: int) -> None:
    run(params[ROUTINES] + i, square, side)


def candidates() -> None:
    """What the turn and the move priorities allow; royal pieces may still be left in danger."""
    side = turn_side[state[TURN]]
    move_type = turn_type[state[TURN]]
    base = state[TOP]
    if state[CHAIN] >= 0:
        move_type = state[CHAIN_TYPE]
        begin_generation()
        run_piece(state[CHAIN], side, move_type)
    else:
        generate(side, move_type)
    if params[PRIORITIES] and move_type < 0 and state[TOP] > base:
        if params[KEEPS_FLAGS]:
            first_class_again(side, base)
        else:
            first_class(base)


def first_class(base: int) -> None:
    """Keep only the moves of the first priority that has any."""
    for i in range(params[PRIORITIES]):
        m = base
        to = base
        end = state[TOP]
        if params[HAS_UNFINISHED] == 0 or some_finishes(base, end, priorities[i]):
            while m < end:
                size = length(m)
                if (moves[m + 1] >> 40) - 1 == priorities[i]:
                    for k in range(size):
                        moves[to + k] = moves[m + k]
                    to += size
                m += size
        if to > base:
            state[TOP] = to
            return


def first_class_again(side: int, base: int) -> None:
    """The same where a block sees flags that another block has set: what runs decides, so run only those."""
    end = state[TOP]
    for i in range(params[PRIORITIES]):
        if state[CHAIN] >= 0:
            begin_generation()
            run_piece(state[CHAIN], side, priorities[i])
        else:
            generate(side, priorities[i])
        if params[HAS_UNFINISHED] and some_finishes(end, state[TOP], ANY) == 0:
            state[TOP] = end
        if state[TOP] > end:
            size = state[TOP] - end
            for k in range(size):
                moves[base + k] = moves[end + k]
            state[TOP] = base + size
            return


@entry
def legal() -> int:
    """Write the legal moves behind `state[TOP]`; the number of the first word is the answer."""
    base = state[TOP]
    if state[RESULT] >= 0:
        return base
    candidates()
    if state[ERROR]:
        return base
    if params[MAXIMAL]:
        keep_longest(base)
    own = take_passes(base)
    if params[MUST_FINISH]:
        keep_finishing(base)
    add_passes(base, own)
    return base


@inline
def keep_finishing(base: int) -> None:
    """Leave out the moves with which the turn can't be finished legally."""
    m = base
    to = base
    end = state[TOP]
    calm = params[SENSE] and is_calm()
    while m < end:
        size = length(m)
        if (calm and changes_nothing(m)) or can_finish(m):
            if to != m:
                for k in range(size):
                    moves[to + k] = moves[m + k]
            to += size
        m += size
    state[TOP] = to


@inline
def take_passes(base: int) -> int:
    """Leave out passes that blocks have written; whether there were any."""
    if params[ADDS_PASS] == 0:
        return False
    m = base
    to = base
    end = state[TOP]
    while m < end:
        size = length(m)
        if size > HEAD:
            for k in range(size):
                moves[to + k] = moves[m + k]
            to += size
        m += size
    state[TOP] = to
    return to < end


def is_calm() -> int:
    """Whether no royal piece could be taken if the turn ended here; and collect what their safety depends on."""
    side = next_side(state[TURN])
    words = params[WORDS]
    for word in range(words):
        danger_opens[word] = 0
        danger_closes[word] = 0
    begin_generation()
    for player in range(params[PLAYERS]):
        if player != side:
            for word in range(words):
                bits = royals_at[(player + 1) * words + word]
                while bits:
                    if is_calm_at(word * 64 + lowest_bit(bits), side, next_type(state[TURN])) == 0:
                        return False
                    bits = bits & (bits - 1)
    return True


def is_calm_at(target: int, side: int, move_type: int) -> int:
    """The same for one royal piece: look from every piece that may attack it at all."""
    words = params[WORDS]
    state[TARGET_SQUARE] = target
    danger_opens[target >> 6] = danger_opens[target >> 6] | 1 << (target & 63)
    for word in range(words):
        bits = occupied[(side + 1) * words + word] & reach[(side * params[SQUARES] + target) * words + word]
        while bits:
            start = word * 64 + lowest_bit(bits)
            if can_hit(start, side, target):
                if look_piece(start, side, move_type, target):
                    return False
                at = ((side * params[SQUARES] + start) * params[SQUARES] + target) * words
                for i in range(words):
                    danger_opens[i] = danger_opens[i] | opens[at + i]
                    danger_closes[i] = danger_closes[i] | closes[at + i]
            bits = bits & (bits - 1)
    state[TARGET_SQUARE] = -1
    return True


@inline
def changes_nothing(m: int) -> int:
    """Whether a record is a simple movement that the safety of the royal pieces does not depend on."""
    if moves[m] != 1:
        return False
    part = moves[m + 2]
    if part & 255 != MOVE or shift_right(part, 48):
        return False
    start = (part >> 8 & SQUARE) - 1
    end = part >> 28 & SQUARE
    return (danger_opens[start >> 6] >> (start & 63) | danger_closes[end >> 6] >> (end & 63)) & 1 == 0


@inline
def next_turn_of(turn: int) -> int:
    return params[REPEAT] if turn + 1 >= params[TURNS] else turn + 1


@inline
def next_side(turn: int) -> int:
    return turn_side[next_turn_of(turn)]


@inline
def next_type(turn: int) -> int:
    return turn_type[next_turn_of(turn)]


def add_passes(base: int, own: int) -> None:
    """Add the pass that the rules offer here, or else the one that blocks have written."""
    end = state[TOP]
    offered = 0
    if state[CHAIN] >= 0:
        offered = params[PASS_PARTIAL] and (params[PLUS] == 0 or state[MUST] == 0)
    elif params[PASS_TURN] == PASS_ALWAYS:
        offered = 1
    elif params[PASS_TURN] == PASS_FORCED:
        offered = end == base
    if offered or own:
        state[TARGET_SQUARE] = -1
        write_pass(-1)
        if params[MUST_FINISH] and state[TOP] > end and can_finish(end) == 0:
            state[TOP] = end


# ----------------------------------------------------------------------------------------------------- royal pieces


def royal_in_danger() -> int:
    """Whether the player to move could take a royal piece that belongs to another player."""
    turn = state[TURN]
    side = turn_side[turn]
    words = params[WORDS]
    for player in range(params[PLAYERS]):
        if player != side:
            for word in range(words):
                bits = royals_at[(player + 1) * words + word]
                while bits:
                    if can_capture(side, word * 64 + lowest_bit(bits), turn_type[turn], 0):
                        return True
                    bits = bits & (bits - 1)
    return False


@entry
def is_attacked(player: int) -> int:
    """Whether some opponent could take a royal piece of the player."""
    words = params[WORDS]
    for word in range(words):
        bits = royals_at[(player + 1) * words + word]
        while bits:
            for side in range(params[PLAYERS]):
                if side != player and side_plays[side]:
                    if can_capture(side, word * 64 + lowest_bit(bits), ANY, 0):
                        return True
            bits = bits & (bits - 1)
    return False
