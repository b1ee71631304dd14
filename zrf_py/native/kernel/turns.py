"""Complete turns: one for each distinct result, by a shortest way; the same search as `play/turns.py`.

Rows are the positions met within a turn, breadth first: legs after which the piece goes on, and ends of turns. A table
of keys says whether a position was met before. The search walks from row to row by taking legs back up to the last
common one. The moves found when it was asked whether a piece can go on are kept for the row.

Others (a search, a puzzle) `visit` the ends instead: each is shown to their hook `turn_ends` while it is on the board,
and their legs are numbered as `legal` lists them.
"""

from zrf_py.jit.language import entry, inline, shift_right
from zrf_py.native.kernel import finish, keys, legal, turn, watch
from zrf_py.native.kernel.board import (
    HEAD, end_of, length, partial_of, unmake,
)
from zrf_py.native.kernel.memory import (
    NO_ERROR, NO_ROOM, State, cell, frames, met, met_again,
    params, rows, state, turn_way,
)
from zrf_py.native.kernel.walk import write_pass


VISITED_ROWS = 6144
"""Positions within a turn that are gone on from when its ends are shown to others."""
WIDEST = 30000
"""Words kept free for the moves of one position of them."""
MOST_POSITIONS = 10000
"""The same as in `play/turns.py`, which is asked where there are more."""
FIRST_SIZE = 1024
"""Places of the table at first; it grows when half of them are used."""


def key_of_end(board: int) -> int:
    """What tells ends of turns apart."""
    return board ^ keys.of_off() ^ keys.of_turn()


def key_of_leg(board: int) -> int:
    """What tells positions within a turn apart; where blocks ask for it, the last leg may limit the next.

    Where `find_turns` counts positions as the definition does, they differ by the last leg even if nobody asks for it.
    """
    key = board ^ keys.of_rest() ^ keys.of_off()
    counts = params.must_finish and state.exact == 0
    return key ^ keys.of_last() if params.asks_last or counts else key


def forget() -> None:
    """Empty the table."""
    state.met_stamp = state.met_stamp + 1
    state.met_size = FIRST_SIZE
    state.met_count = 0


def is_met_in_turn(key: int) -> int:
    """Whether a position was met before; now it is."""
    mask = state.met_size - 1
    slot = shift_right(key, 20) & mask
    while met[2 * slot + 1] == state.met_stamp:
        if met[2 * slot] == key:
            return True
        slot = (slot + 1) & mask
    met[2 * slot] = key
    met[2 * slot + 1] = state.met_stamp
    state.met_count = state.met_count + 1
    if 2 * state.met_count > state.met_size:
        grow_slots()
    return False


def grow_slots() -> None:
    """Make the table larger; what is in it is put there again."""
    old = state.met_size
    stamp = state.met_stamp
    if 4 * old > params.met_room:
        state.error = NO_ROOM
        return
    count = 0
    for slot in range(old):
        if met[2 * slot + 1] == stamp:
            met_again[count] = met[2 * slot]
            count += 1
    state.met_stamp = stamp + 1
    state.met_size = 4 * old
    mask = state.met_size - 1
    for i in range(count):
        slot = shift_right(met_again[i], 20) & mask
        while met[2 * slot + 1] == stamp + 1:
            slot = (slot + 1) & mask
        met[2 * slot] = met_again[i]
        met[2 * slot + 1] = stamp + 1


@inline
def add_row(m: int, number: int, parent: int, depth: int, first: int, last: int, board: int) -> None:
    at = state.rows
    if at >= params.rows_room:
        state.error = NO_ROOM
        return
    rows[at].move = m
    rows[at].number = number
    rows[at].parent = parent
    rows[at].depth = depth
    rows[at].first = first
    rows[at].last = last
    rows[at].board = board
    state.rows = at + 1


@entry
def find_turns() -> int:
    """Put every turn of the position at hand into rows from `state.rows` on; how many turns there are.

    Whether a turn can still be finished after a leg need not be asked when all its ends are looked for anyway. The
    definition gives up on legs with which more than MAX_CHAIN positions are met before an end is: where there are as
    many, it is asked.
    """
    root = state.rows
    top = state.top
    state.exact = params.plain_legs == 0
    found = search_rows()
    if params.must_finish and state.exact == 0 and state.rows - root > finish.MAX_CHAIN:
        if count_legs(root) > finish.MAX_CHAIN:
            state.rows = root
            state.top = top
            state.exact = 1
            found = search_rows()
    if state.rows - root > MOST_POSITIONS and count_legs(root) >= MOST_POSITIONS:
        state.error = NO_ROOM
    return found if state.error == NO_ERROR else 0


def visit_turns() -> int:
    """Show every turn of the position at hand to `turn_ends`, the shortest first; how many it counted.

    The position of each row of the turn stays known until the next search. Legs that would take too much room are
    left out, and `state.cut` says so.
    """
    state.rows = 0
    state.top = 0
    state.exact = 1
    state.cut = 0
    state.visiting = 1
    found = search_rows()
    state.visiting = 0
    return found


def count_legs(at: int) -> int:
    found = 0
    while at < state.rows:
        found += rows[at].depth > 0
        at += 1
    return found


def search_rows() -> int:
    """Search breadth first; how many turns there are."""
    forget()
    root = state.rows
    board = keys.of_board()
    is_met_in_turn(key_of_leg(board))
    base = legal.legal()
    add_row(-1, -1, -1, 0, base, state.top, board)
    here = root
    at = root
    found = 0
    while at < state.rows and state.error == NO_ERROR and watch.has_enough_turns() == 0:
        if rows[at].depth >= 0:
            walk(here, at)
            here = at
            found += expand_turn(at, board)
        at += 1
    walk(here, root)
    return found


def walk(here: int, there: int) -> None:
    """From the position of a row to that of another one of the same turn."""
    count = 0
    while here != there and state.error == NO_ERROR:
        if rows[there].depth >= rows[here].depth:
            if count >= params.way_room:
                state.error = NO_ROOM
                return
            turn_way[count] = rows[there].move
            count += 1
            there = rows[there].parent
        else:
            unmake()
            here = rows[here].parent
    while count > 0 and state.error == NO_ERROR:
        count -= 1
        if turn.advance(turn_way[count]):
            turn.go_on_from(turn_way[count])


@inline
def change_of_leg() -> int:
    """What the leg at hand has changed in the hash of the board."""
    return keys.change_since(frames[state.frame - params.keeps + State.undo])


def expand_turn(at: int, root: int) -> int:
    """Try every move of a row; how many new ends of turns there are. `root` is the hash of the board at the root."""
    m = rows[at].first
    end = rows[at].last
    if rows[at].depth == 0:
        return try_moves(m, end, at, root)
    if state.exact:
        m = legal.legal()
        return try_moves(m, state.top, at, root)
    own = params.adds_pass and has_pass(m, end)
    found = 0
    while m < end and state.error == NO_ERROR:
        if params.adds_pass == 0 or length(m) > HEAD:
            found += try_move(m, 0, at, root)
        m += length(m)
    if own or (params.pass_partial and (params.plus == 0 or state.must == 0)):
        m = state.top
        write_pass(-1)
        found += try_move(m, 0, at, root)
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
    number = 0
    while m < end and state.error == NO_ERROR and watch.has_enough_turns() == 0:
        found += try_move(m, number, at, root)
        m += length(m)
        number += 1
    return found


def try_move(m: int, number: int, at: int, root: int) -> int:
    """Play a record, write down where it leads if that is new, take it back; whether it is the end of a turn."""
    if turn.advance(m) == 0:
        return False
    found = 0
    if goes_on(m, number, at, root) == 0:
        if state.visiting:
            turn.finish_turn()
            found = watch.turn_ends(m, number, at)
        else:
            found = is_new_end(m, number, at, root)
    unmake()
    return found


def goes_on(m: int, number: int, at: int, root: int) -> int:
    """After `play`: whether the turn goes on; the position gets a row if it is new."""
    if partial_of(m) == -2 or cell[end_of(m)] == 0:
        return False
    turn.go_on_from(m)
    board = rows[at].board ^ change_of_leg()
    if params.legs_matter == 0 and is_met_in_turn(key_of_leg(board)):
        return True
    base = state.top
    if finds_moves() == 0:
        state.chain = -1
        return False
    end = state.top
    if params.legs_matter and is_met_in_turn(key_of_leg(board)):
        state.top = base
    elif state.visiting and board == root:
        state.top = base  # a circle: what follows is found from the root
    elif state.visiting and (state.rows >= VISITED_ROWS or state.top + WIDEST > params.moves_room):
        state.cut = 1
    else:
        add_row(m, number, at, rows[at].depth + 1, base, end, board)
    return True


@inline
def finds_moves() -> int:
    """Whether the piece can go on; its moves are kept where they are going to be tried."""
    if state.exact:
        return turn.can_go_on()
    base = state.top
    legal.candidates()
    return state.top > base


def is_new_end(m: int, number: int, at: int, root: int) -> int:
    """After `play`: end the turn; whether its end is legal and new. Legs back to the board as it was are no turn."""
    turn.next_turn()
    depth = rows[at].depth
    if params.must_finish and depth and state.exact == 0 and finish.may_end(m) == 0:
        return False
    if params.has_outs:
        if state.result < 0:
            turn.ask_board()
        turn.skip_the_stuck()
    board = rows[at].board ^ change_of_leg()
    if (depth and board == root) or is_met_in_turn(key_of_end(board)):
        return False
    add_row(m, number, at, -1, 0, 0, board)
    return True


@entry
def make_turn(at: int) -> None:
    """From the root play the turn that ends in a row."""
    root = at
    while rows[root].parent >= 0:
        root = rows[root].parent
    walk(root, rows[at].parent)
    turn.after(rows[at].move)


@entry
def unmake_to(frame: int) -> None:
    """Take back everything after a frame."""
    while state.frame > frame:
        unmake()
