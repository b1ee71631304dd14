"""Complete turns: one for each distinct result, by a shortest way; the same search as `play/turns.py`.

Rows are the positions met within a turn, breadth first: legs after which the piece goes on, and ends of turns. A table
of hashes says whether a position was met before. The search walks from row to row by taking legs back up to the last
common one. The moves found when it was asked whether a piece can go on are kept for the row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zrf_py.run.native.kernel.board import (
    HEAD,
    board_hash,
    change_of_hash,
    end_of,
    length,
    mix,
    must_of,
    partial_of,
    rest_hash,
    unmake,
)
from zrf_py.run.native.kernel.drawing import random_below
from zrf_py.run.native.kernel.finish import MAX_CHAIN, may_end
from zrf_py.run.native.kernel.goals import board_result, final_result
from zrf_py.run.native.kernel.history import continue_history
from zrf_py.run.native.kernel.loops import finish_game
from zrf_py.run.native.kernel.memory import (
    ADDS_PASS,
    CHAIN,
    CHAIN_TYPE,
    ERROR,
    EXACT,
    FRAME,
    GAMES,
    HANDS,
    HAS_OUTS,
    KEEPS,
    LAST_FROM,
    LAST_TO,
    LEGS,
    LEGS_MATTER,
    LEVEL,
    MET_COUNT,
    MET_ROOM,
    MET_SIZE,
    MET_STAMP,
    MUST,
    MUST_FINISH,
    NO_ERROR,
    NO_ROOM,
    NODES,
    PASS_PARTIAL,
    PLAIN_LEGS,
    PLAYERS,
    PLIES,
    PLUS,
    PLY,
    RESULT,
    ROWS,
    ROWS_ROOM,
    TAKEN_FROM,
    TAKEN_TO,
    TOP,
    TURN,
    TYPES,
    UNDO,
    WAY_ROOM,
    cell,
    frames,
    level_frame,
    level_rows,
    level_top,
    line_end,
    line_next,
    met,
    met_again,
    params,
    rows,
    state,
    stores,
    turn_way,
)
from zrf_py.run.native.kernel.turn import advance, after, next_turn, skip_the_stuck
from zrf_py.run.native.kernel.walk import write_pass
from zrf_py.run.native.kernel.words import entry, inline, shift_right

if TYPE_CHECKING:
    from zrf_py.run.native.kernel.legal import candidates, legal

ROW_MOVE, ROW_PARENT, ROW_DEPTH, ROW_FROM, ROW_TO, ROW_BOARD = 0, 1, 2, 3, 4, 5
TURN_ROW = 6
"""ROW_DEPTH: how many legs, -1 for the end of a turn. ROW_FROM, ROW_TO: its moves, where they are kept. ROW_BOARD: the
hash of its board."""
MOST_POSITIONS = 10000
"""The same as in `play/turns.py`, which is asked where there are more."""
FIRST_SIZE = 1024
"""Places of the table at first; it grows when half of them are used."""


def hands_hash() -> int:
    """A hash of the pieces off the board."""
    found = 0
    if params[HANDS]:
        for i in range(params[PLAYERS] * params[TYPES]):
            found = found ^ mix(mix(stores[i] + 3) + i)
    return found


def key_of_end(board: int) -> int:
    """What tells ends of turns apart."""
    return board ^ hands_hash() ^ mix(state[TURN] + 424242)


def key_of_leg(board: int) -> int:
    """What tells positions within a turn apart; the last leg may limit the next."""
    return board ^ rest_hash() ^ hands_hash() ^ mix(state[LAST_FROM] * 65536 + state[LAST_TO] + 131313)


def forget() -> None:
    """Empty the table."""
    state[MET_STAMP] = state[MET_STAMP] + 1
    state[MET_SIZE] = FIRST_SIZE
    state[MET_COUNT] = 0


def is_met_in_turn(key: int) -> int:
    """Whether a position was met before; now it is."""
    mask = state[MET_SIZE] - 1
    slot = shift_right(key, 20) & mask
    while met[2 * slot + 1] == state[MET_STAMP]:
        if met[2 * slot] == key:
            return True
        slot = (slot + 1) & mask
    met[2 * slot] = key
    met[2 * slot + 1] = state[MET_STAMP]
    state[MET_COUNT] = state[MET_COUNT] + 1
    if 2 * state[MET_COUNT] > state[MET_SIZE]:
        grow_slots()
    return False


def grow_slots() -> None:
    """Make the table larger; what is in it is put there again."""
    old = state[MET_SIZE]
    stamp = state[MET_STAMP]
    if 4 * old > params[MET_ROOM]:
        state[ERROR] = NO_ROOM
        return
    count = 0
    for slot in range(old):
        if met[2 * slot + 1] == stamp:
            met_again[count] = met[2 * slot]
            count += 1
    state[MET_STAMP] = stamp + 1
    state[MET_SIZE] = 4 * old
    mask = state[MET_SIZE] - 1
    for i in range(count):
        slot = shift_right(met_again[i], 20) & mask
        while met[2 * slot + 1] == stamp + 1:
            slot = (slot + 1) & mask
        met[2 * slot] = met_again[i]
        met[2 * slot + 1] = stamp + 1


@inline
def add_row(m: int, parent: int, depth: int, first: int, last: int, board: int) -> None:
    at = state[ROWS]
    if at + TURN_ROW > params[ROWS_ROOM]:
        state[ERROR] = NO_ROOM
        return
    rows[at + ROW_MOVE] = m
    rows[at + ROW_PARENT] = parent
    rows[at + ROW_DEPTH] = depth
    rows[at + ROW_FROM] = first
    rows[at + ROW_TO] = last
    rows[at + ROW_BOARD] = board
    state[ROWS] = at + TURN_ROW


@entry
def find_turns() -> int:
    """Put every turn of the position at hand into rows from state[ROWS] on; how many turns there are.

    Whether a turn can still be finished after a leg need not be asked when all its ends are looked for anyway. The
    definition gives up on legs with which more than MAX_CHAIN positions are met before an end is: where there are as
    many, it is asked.
    """
    root = state[ROWS]
    top = state[TOP]
    state[EXACT] = params[PLAIN_LEGS] == 0
    found = search_rows()
    if params[MUST_FINISH] and state[EXACT] == 0 and state[ROWS] - root > MAX_CHAIN * TURN_ROW:
        if count_legs(root) > MAX_CHAIN:
            state[ROWS] = root
            state[TOP] = top
            state[EXACT] = 1
            found = search_rows()
    if state[ROWS] - root > MOST_POSITIONS * TURN_ROW and count_legs(root) >= MOST_POSITIONS:
        state[ERROR] = NO_ROOM
    return found if state[ERROR] == NO_ERROR else 0


def count_legs(at: int) -> int:
    found = 0
    while at < state[ROWS]:
        found += rows[at + ROW_DEPTH] > 0
        at += TURN_ROW
    return found


def search_rows() -> int:
    """Search breadth first; how many turns there are."""
    forget()
    root = state[ROWS]
    board = board_hash()
    is_met_in_turn(key_of_leg(board))
    base = legal()
    add_row(-1, -1, 0, base, state[TOP], board)
    here = root
    at = root
    found = 0
    while at < state[ROWS] and state[ERROR] == NO_ERROR:
        if rows[at + ROW_DEPTH] >= 0:
            walk(here, at)
            here = at
            found += expand_turn(at, board)
        at += TURN_ROW
    walk(here, root)
    return found


def walk(here: int, there: int) -> None:
    """From the position of a row to that of another one of the same turn."""
    count = 0
    while here != there and state[ERROR] == NO_ERROR:
        if rows[there + ROW_DEPTH] >= rows[here + ROW_DEPTH]:
            if count >= params[WAY_ROOM]:
                state[ERROR] = NO_ROOM
                return
            turn_way[count] = rows[there + ROW_MOVE]
            count += 1
            there = rows[there + ROW_PARENT]
        else:
            unmake()
            here = rows[here + ROW_PARENT]
    while count > 0 and state[ERROR] == NO_ERROR:
        count -= 1
        if advance(turn_way[count]):
            begin_leg(turn_way[count])


@inline
def change_of_leg() -> int:
    """What the leg at hand has changed in the hash of the board."""
    return change_of_hash(frames[state[FRAME] - params[KEEPS] + UNDO])


@inline
def begin_leg(m: int) -> None:
    """After `advance`: the piece is known to go on."""
    state[CHAIN] = end_of(m)
    state[CHAIN_TYPE] = partial_of(m)
    if params[PLUS]:
        state[LEGS] = state[LEGS] + 1
        state[MUST] = must_of(m)


def expand_turn(at: int, root: int) -> int:
    """Try every move of a row; how many new ends of turns there are. `root` is the hash of the board at the root."""
    m = rows[at + ROW_FROM]
    end = rows[at + ROW_TO]
    if rows[at + ROW_DEPTH] == 0:
        return try_moves(m, end, at, root)
    if state[EXACT]:
        m = legal()
        return try_moves(m, state[TOP], at, root)
    own = params[ADDS_PASS] and has_pass(m, end)
    found = 0
    while m < end and state[ERROR] == NO_ERROR:
        if params[ADDS_PASS] == 0 or length(m) > HEAD:
            found += try_move(m, at, root)
        m += length(m)
    if own or (params[PASS_PARTIAL] and (params[PLUS] == 0 or state[MUST] == 0)):
        m = state[TOP]
        write_pass(-1)
        found += try_move(m, at, root)
    return found


def has_pass(m: int, end: int) -> int:
    """Whether one of the records is a pass."""
    while m < end:
        if length(m) == HEAD:
            return True
        m += length(m)
    return False


def try_moves(m: int, end: int, at: int, root: int) -> int:
    """Play the records from `m` to `end`, each by itself; how many new ends of turns there are."""
    found = 0
    while m < end and state[ERROR] == NO_ERROR:
        found += try_move(m, at, root)
        m += length(m)
    return found


def try_move(m: int, at: int, root: int) -> int:
    """Play a record, write down where it leads if that is new, take it back; whether it is the end of a turn."""
    if advance(m) == 0:
        return False
    found = goes_on(m, at) == 0 and is_new_end(m, at, root)
    unmake()
    return found


def goes_on(m: int, at: int) -> int:
    """After `play`: whether the turn goes on; the position gets a row if it is new."""
    if partial_of(m) == -2 or cell[end_of(m)] == 0:
        return False
    begin_leg(m)
    board = rows[at + ROW_BOARD] ^ change_of_leg()
    if params[LEGS_MATTER] == 0 and is_met_in_turn(key_of_leg(board)):
        return True
    base = state[TOP]
    candidates()
    end = state[TOP]
    if end == base:
        state[CHAIN] = -1
        return False
    if params[LEGS_MATTER] and is_met_in_turn(key_of_leg(board)):
        state[TOP] = base
        return True
    if state[EXACT]:
        state[TOP] = base
    add_row(m, at, rows[at + ROW_DEPTH] + 1, base, end, board)
    return True


def is_new_end(m: int, at: int, root: int) -> int:
    """After `play`: end the turn; whether its end is legal and new. Legs back to the board as it was are no turn."""
    next_turn()
    depth = rows[at + ROW_DEPTH]
    if params[MUST_FINISH] and depth and state[EXACT] == 0 and may_end(m) == 0:
        return False
    if params[HAS_OUTS]:
        if state[RESULT] < 0:
            board_result()
        skip_the_stuck()
    board = rows[at + ROW_BOARD] ^ change_of_leg()
    if (depth and board == root) or is_met_in_turn(key_of_end(board)):
        return False
    add_row(m, at, -1, 0, 0, board)
    return True


@entry
def make_turn(at: int) -> None:
    """From the root play the turn that ends in a row."""
    root = at
    while rows[root + ROW_PARENT] >= 0:
        root = rows[root + ROW_PARENT]
    walk(root, rows[at + ROW_PARENT])
    after(rows[at + ROW_MOVE])


@entry
def unmake_to(frame: int) -> None:
    """Take back everything after a frame."""
    while state[FRAME] > frame:
        unmake()


# ------------------------------------------------------------------------------------------------------------- perft


@entry
def turn_perft_begin(depth: int) -> None:
    """Put the root's turns on ply 0; the position must be loaded."""
    state[NODES] = 0
    state[LEVEL] = -1
    enter_position(depth)


def enter_position(depth: int) -> None:
    """Find the turns of the position at hand; on the last ply they are counted and forgotten at once."""
    level = state[LEVEL] + 1
    level_rows[level] = state[ROWS]
    level_top[level] = state[TOP]
    level_frame[level] = state[FRAME]
    found = 0
    if state[RESULT] < 0:
        found = find_turns()
    if level == depth - 1:
        state[NODES] = state[NODES] + found
        leave_level(level)
    else:
        state[LEVEL] = level
        line_next[level] = level_rows[level]
        line_end[level] = state[ROWS]


@inline
def leave_level(level: int) -> None:
    state[ROWS] = level_rows[level]
    state[TOP] = level_top[level]


@entry
def turn_perft(depth: int, budget: int) -> int:
    """Go on counting; 1 when everything is counted. state[NODES] is the number of leaves so far."""
    budget += state[NODES]
    while state[LEVEL] >= 0 and state[NODES] < budget and state[ERROR] == NO_ERROR:
        level = state[LEVEL]
        unmake_to(level_frame[level])
        at = line_next[level]
        if at >= line_end[level]:
            leave_level(level)
            state[LEVEL] = level - 1
        else:
            line_next[level] = at + TURN_ROW
            budget -= 1
            if rows[at + ROW_DEPTH] < 0:
                make_turn(at)
                enter_position(depth)
    return state[LEVEL] < 0


# ------------------------------------------------------------------------------------------------------ random games


@entry
def turn_playouts(games: int, most: int, budget: int) -> int:
    """As `playouts`, but each choice is one among the complete turns, and `most` and state[PLIES] count turns."""
    while state[GAMES] < games and budget > 0 and state[ERROR] == NO_ERROR:
        found = 0
        result = state[RESULT]
        if result < 0 and state[PLY] < most:
            found = find_turns()
            budget -= found
            if found == 0 and state[ERROR] == NO_ERROR:
                state[TOP] = 0
                legal()
                if state[TOP] == 0:
                    result = final_result()
        budget -= 1
        if found:
            take_turn(random_below(found))
        elif state[ERROR] == NO_ERROR:
            finish_game(result)
        state[TOP] = 0
        state[ROWS] = 0
    return state[GAMES] >= games


def take_turn(number: int) -> None:
    """Play one of the turns for good."""
    at = 0
    left = number
    while rows[at + ROW_DEPTH] >= 0 or left > 0:
        if rows[at + ROW_DEPTH] < 0:
            left -= 1
        at += TURN_ROW
    make_turn(at)
    continue_history()
    state[FRAME] = 0
    state[UNDO] = 0
    state[TAKEN_FROM] = 0
    state[TAKEN_TO] = 0
    state[PLY] = state[PLY] + 1
    state[PLIES] = state[PLIES] + 1
