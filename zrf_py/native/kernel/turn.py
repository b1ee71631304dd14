"""The course of a turn: another leg or the next turn, skipped turns, players who drop out."""

from zrf_py.jit.language import MANY, entry, inline, squares_of
from zrf_py.native.kernel import board, cells, goals, legal, sampling
from zrf_py.native.kernel.masks import setting
from zrf_py.native.kernel.memory import (
    END_GOAL, END_PLAYERS, END_PLAYERS_AT, END_REMOVE, END_RESULT, END_ROW, END_STATE, ENDLESS, NO_ERROR, RESULT_OUT,
    STALEMATED, cell, ends, goal, guards, guards_from, occupied, params, state, turn_mover, turn_side, turn_type,
    zone_from, zone_squares,
)


@inline
def go_on_from(m: int) -> None:
    """Continue the turn after `play`, with the piece moved by a partial record."""
    state.chain = board.end_of(m)
    state.chain_type = board.partial_of(m)
    if params.plus:
        state.legs = state.legs + 1
        state.must = board.must_of(m)


@inline
def chains(m: int) -> int:
    """Begin the next leg after `play` if the record is partial and the piece can continue; return whether it does."""
    if board.partial_of(m) > -2:
        if cell[board.end_of(m)]:
            go_on_from(m)
            if can_go_on():
                return True
            state.chain = -1
    return False


def can_go_on() -> int:
    if setting.sets or setting.counts:
        return sampling.count_moves(1 if setting.all_end else MANY) != 0
    base = state.top
    legal.candidates()
    found = state.top > base
    state.top = base
    return found


@inline
def next_turn() -> None:
    """End the turn. This tests whether eliminations leave a single team, but no other end of the game."""
    turn = state.turn
    state.mover = turn_mover[turn]
    if params.plus:
        end_turn(turn)
        return
    turn += 1
    if turn >= params.turns:
        turn = params.repeat
    state.turn = turn


def end_turn(turn: int) -> None:
    """Like `next_turn`, if the rules count turns, skip them or eliminate players."""
    state.legs = 0
    state.must = 0
    cells.change_number(params.made_at + turn_mover[turn], 1)
    if params.has_outs:
        for player in range(params.players):
            if state.out >> player & 1 == 0:
                end = goes_out(player, -1)
                if end >= 0:
                    leave(player, end)
    state.turn = turn_after(turn, state.step)
    state.step = 1


def turn_after(turn: int, step: int) -> int:
    """Return the turn index `step` turns later, or the next one after it that is not skipped."""
    count = params.turns
    turn += step
    if turn < 0:
        turn = count - 1 - (0 - turn - 1) % count
    if turn >= count:
        turn = params.repeat + (turn - count) % (count - params.repeat)
    if params.plain_turns:
        return turn
    for _i in range(count):
        if takes_place(turn):
            return turn
        turn = turn + 1 if turn + 1 < count else params.repeat
    return turn


def takes_place(turn: int) -> int:
    if state.out >> turn_mover[turn] & 1:
        return False
    for i in range(guards_from[turn], guards_from[turn + 1]):
        if goals.holds(guards[i], turn_side[turn]) == 0:
            return False
    return True


@entry
def after(m: int) -> int:
    """Play a record; the turn passes on unless the same piece can continue. Return 0 if there is no room."""
    if advance(m) == 0:
        return 0
    if chains(m) == 0:
        finish_turn()
    return 1


@inline
def finish_turn() -> None:
    """End the turn; then test goals on the board, and eliminate or skip players as the rules demand."""
    next_turn()
    if params.has_outs == 0:
        ask_board()
        return
    if state.result < 0:
        ask_board()
    skip_the_stuck()


@inline
def ask_board() -> None:
    """Set the result if a goal on the board holds; compute scores, so that their overflow is a fault of this move."""
    goals.board_result()
    if params.score >= 0 and state.result >= 0:
        goals.winners(state.result)


def advance(m: int) -> int:
    """Play a record; the caller decides whether the chain continues. Return 0 if there is no room."""
    if board.push_frame() == 0:
        return 0
    state.result = -1
    board.play(m)
    return 1


# ----------------------------------------------------------------------------------------------------- dropping out


def goes_out(player: int, word: int) -> int:
    """Return the index of an `out-condition` on the state `word` (-1: on the board) that a player meets, or -1."""
    for e in range(params.ends):
        row = e * END_ROW
        if ends[row + END_RESULT] == RESULT_OUT:
            for k in range(ends[row + END_PLAYERS]):
                if goal[ends[row + END_PLAYERS_AT] + k] == player:
                    if word < 0 and ends[row + END_STATE] == 0 and goals.holds(ends[row + END_GOAL], player):
                        return e
                    if word >= 0 and ends[row + END_STATE] and goals.matches(ends[row + END_GOAL], player, word):
                        return e
    return -1


def leave(player: int, e: int) -> None:
    """Eliminate a player; remove the player's pieces from the zone that the condition names."""
    zone = ends[e * END_ROW + END_REMOVE]
    if zone >= 0:
        at = zone * params.players + player
        for k in range(zone_from[at], zone_from[at + 1]):
            if cell[zone_squares[k]] & 255 == player + 1:
                cells.set_cell(zone_squares[k], 0, 0)
    state.out = state.out | 1 << player
    state.result = goals.last_left()


def skip_the_stuck() -> None:
    """Eliminate a player without moves if an `out-condition` demands it; repeat for the next player."""
    for _i in range(params.players + 1):
        if state.result >= 0 or can_move():
            return
        player = turn_mover[state.turn]
        end = goes_out(player, STALEMATED)
        if end < 0 or state.out >> player & 1:
            return
        leave(player, end)
        state.clean = 0
        if state.result < 0:
            state.turn = turn_after(state.turn, 1)


def can_move() -> int:
    """Return whether the player to move has a move. Usually the first generated move settles this."""
    if params.has_royals == 0 and some_move_suits():
        return True
    base = legal.legal()
    found = state.top > base
    state.top = base
    return found


def some_move_suits() -> int:
    """Return whether some pseudo-legal move can be the last of a turn."""
    turn = state.turn
    base = state.top
    legal.begin_generation()
    for square in squares_of(occupied, turn_side[turn] + 1, params.words):
        legal.run_piece(square, turn_side[turn], turn_type[turn])
        found = suits(base)
        if found or state.error:
            return found
    legal.generate(turn_side[turn], turn_type[turn])
    return suits(base)


def suits(base: int) -> int:
    """Return whether one of the records from `base` on can be the last of a turn; drop the records.

    The interpreter stops at the first such move, so a fault after it does not count.
    """
    m = base
    end = state.top
    state.top = base
    if state.error == ENDLESS:
        end = state.fault_top
    while m < end:
        if board.must_of(m) == 0 and (board.partial_of(m) == -2 or params.pass_partial):
            if state.error == ENDLESS:
                state.error = NO_ERROR
            return state.error == NO_ERROR
        m += board.length(m)
    return False
