"""What follows a move: another leg, or the next turn; whose turn is passed over; who drops out of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zrf_py.run.native.kernel.board import (
    change_number,
    end_of,
    length,
    must_of,
    partial_of,
    play,
    push_frame,
    set_cell,
)
from zrf_py.run.native.kernel.masks import ALL_END, COUNTS, SETS, setting
from zrf_py.run.native.kernel.memory import (
    CHAIN,
    CHAIN_TYPE,
    CLEAN,
    END_GOAL,
    END_PLAYERS,
    END_PLAYERS_AT,
    END_REMOVE,
    END_RESULT,
    END_ROW,
    END_STATE,
    ENDS,
    ERROR,
    HAS_OUTS,
    HAS_ROYALS,
    LEGS,
    MADE_AT,
    MOVER,
    MUST,
    NO_ERROR,
    OUT,
    PASS_PARTIAL,
    PLAIN_TURNS,
    PLAYERS,
    PLUS,
    REPEAT,
    RESULT,
    RESULT_OUT,
    STALEMATED,
    STEP,
    TOP,
    TURN,
    TURNS,
    WORDS,
    cell,
    ends,
    goal,
    guards,
    guards_from,
    occupied,
    params,
    state,
    turn_mover,
    turn_side,
    turn_type,
    zone_from,
    zone_squares,
)
from zrf_py.run.native.kernel.words import MANY, entry, inline, lowest_bit

if TYPE_CHECKING:
    from zrf_py.run.native.kernel.drawing import count_moves
    from zrf_py.run.native.kernel.goals import board_result, holds, last_left, matches
    from zrf_py.run.native.kernel.legal import begin_generation, candidates, generate, legal, run_piece


@inline
def go_on_from(m: int) -> None:
    """After `play`: the next leg is to be one of the piece that a partial record has moved."""
    state[CHAIN] = end_of(m)
    state[CHAIN_TYPE] = partial_of(m)
    if params[PLUS]:
        state[LEGS] = state[LEGS] + 1
        state[MUST] = must_of(m)


@inline
def chains(m: int) -> int:
    """After `play`: begin the next leg if the record is partial and the piece can go on."""
    if partial_of(m) > -2:
        if cell[end_of(m)]:
            go_on_from(m)
            if can_go_on():
                return True
            state[CHAIN] = -1
    return False


def can_go_on() -> int:
    if setting[SETS] or setting[COUNTS]:
        return count_moves(1 if setting[ALL_END] else MANY) != 0
    base = state[TOP]
    candidates()
    found = state[TOP] > base
    state[TOP] = base
    return found


@inline
def next_turn() -> None:
    """End the turn. Whether the game is over is asked apart, except whether only one is left."""
    turn = state[TURN]
    state[MOVER] = turn_mover[turn]
    if params[PLUS]:
        end_turn(turn)
        return
    turn += 1
    if turn >= params[TURNS]:
        turn = params[REPEAT]
    state[TURN] = turn


def end_turn(turn: int) -> None:
    """The same where the rules count turns, skip them or put players out."""
    state[LEGS] = 0
    state[MUST] = 0
    change_number(params[MADE_AT] + turn_mover[turn], 1)
    if params[HAS_OUTS]:
        put_out()
    state[TURN] = turn_after(turn, state[STEP])
    state[STEP] = 1


def turn_after(turn: int, step: int) -> int:
    """The place in the turn order `step` turns on, or the first after it that is not passed over."""
    count = params[TURNS]
    turn += step
    if turn < 0:
        turn = count - 1 - (0 - turn - 1) % count
    if turn >= count:
        turn = params[REPEAT] + (turn - count) % (count - params[REPEAT])
    if params[PLAIN_TURNS]:
        return turn
    for _i in range(count):
        if takes_place(turn):
            return turn
        turn = turn + 1 if turn + 1 < count else params[REPEAT]
    return turn


def takes_place(turn: int) -> int:
    if state[OUT] >> turn_mover[turn] & 1:
        return False
    for i in range(guards_from[turn], guards_from[turn + 1]):
        if holds(guards[i], turn_side[turn]) == 0:
            return False
    return True


@entry
def after(m: int) -> int:
    """Play a record; the turn passes on unless the same piece must go on. 0 where there is no room."""
    if push_frame() == 0:
        return 0
    state[RESULT] = -1
    play(m)
    if chains(m) == 0:
        finish_turn()
    return 1


@inline
def finish_turn() -> None:
    """End the turn for good."""
    next_turn()
    if params[HAS_OUTS] == 0:
        board_result()
        return
    if state[RESULT] < 0:
        board_result()
    skip_the_stuck()


def advance(m: int) -> int:
    """Play a record; whether the chain goes on, is up to the caller. 0 where there is no room."""
    if push_frame() == 0:
        return 0
    state[RESULT] = -1
    play(m)
    return 1


# ----------------------------------------------------------------------------------------------------- dropping out


def put_out() -> None:
    """Those whose `out-condition` about the board holds are out."""
    for player in range(params[PLAYERS]):
        if state[OUT] >> player & 1 == 0:
            end = goes_out(player, -1)
            if end >= 0:
                leave(player, end)


def goes_out(player: int, word: int) -> int:
    """The `out-condition` that a player meets: one about the board, or one about a state that is no -1; else -1."""
    for e in range(params[ENDS]):
        row = e * END_ROW
        if ends[row + END_RESULT] == RESULT_OUT:
            for k in range(ends[row + END_PLAYERS]):
                if goal[ends[row + END_PLAYERS_AT] + k] == player:
                    if word < 0 and ends[row + END_STATE] == 0 and holds(ends[row + END_GOAL], player):
                        return e
                    if word >= 0 and ends[row + END_STATE] and matches(ends[row + END_GOAL], player, word):
                        return e
    return -1


def leave(player: int, e: int) -> None:
    """A player is out; his men go from the zone that the condition names."""
    zone = ends[e * END_ROW + END_REMOVE]
    if zone >= 0:
        at = zone * params[PLAYERS] + player
        for k in range(zone_from[at], zone_from[at + 1]):
            if cell[zone_squares[k]] & 255 == player + 1:
                set_cell(zone_squares[k], 0, 0)
    state[OUT] = state[OUT] | 1 << player
    state[RESULT] = last_left()


def skip_the_stuck() -> None:
    """A player to move who has no move and is out for it; the next one may be so, too."""
    for _i in range(params[PLAYERS] + 1):
        if state[RESULT] >= 0 or can_move():
            return
        player = turn_mover[state[TURN]]
        end = goes_out(player, STALEMATED)
        if end < 0 or state[OUT] >> player & 1:
            return
        leave(player, end)
        state[CLEAN] = 0
        if state[RESULT] < 0:
            state[TURN] = turn_after(state[TURN], 1)


def can_move() -> int:
    """Whether the player to move has a move. Most often the first one found shows it."""
    if params[HAS_ROYALS] == 0 and some_move_suits():
        return True
    base = legal()
    found = state[TOP] > base
    state[TOP] = base
    return found


def some_move_suits() -> int:
    """Whether some move, legal or not, can be the last of a turn."""
    turn = state[TURN]
    base = state[TOP]
    begin_generation()
    for word in range(params[WORDS]):
        bits = occupied[(turn_side[turn] + 1) * params[WORDS] + word]
        while bits:
            run_piece(word * 64 + lowest_bit(bits), turn_side[turn], turn_type[turn])
            if state[ERROR] or suits(base):
                state[TOP] = base
                return state[ERROR] == NO_ERROR
            state[TOP] = base
            bits = bits & (bits - 1)
    generate(turn_side[turn], turn_type[turn])
    found = suits(base)
    state[TOP] = base
    return found


def suits(base: int) -> int:
    """Whether one of the records behind `base` can be the last of a turn."""
    m = base
    while m < state[TOP]:
        if must_of(m) == 0 and (partial_of(m) == -2 or params[PASS_PARTIAL]):
            return True
        m += length(m)
    return False
