"""Complete turns: one for each distinct result, by a shortest path; the same search as `play/turns.py`.

Rows are the positions within a turn, breadth-first: legs after which the piece continues, and ends of turns. A hash
table detects positions seen before. The search moves from row to row by unmaking legs back to their last common row. A
row keeps the moves that were generated to test whether its piece can continue.

For a search or a puzzle, `visit_turns` passes each end of a turn to the hook `turn_ends` while it is on the board; legs
are then numbered as in `legal`.
"""

from zrf_py.jit.language import entry, inline, shift_right
from zrf_py.native.kernel import finish, keys, legal, turn, watch
from zrf_py.native.kernel.board import (
    HEAD, end_of, length, partial_of, unmake,
)
from zrf_py.native.kernel.memory import (
    NO_ERROR, NO_ROOM, PASS_ALWAYS, PASS_FORCED, PositionFields, cell, frames, met, met_again,
    params, rows, state, turn_way,
)
from zrf_py.native.kernel.walk import write_pass


VISITED_ROWS = 6144
"""Limit on positions within a turn that are expanded when its ends are visited."""
WIDEST = 30000
"""Words of `moves` that must be free if a position within a visited turn is to be expanded."""
MOST_POSITIONS = 10000
"""Limit of `play/turns.py`, to which larger searches fall back."""
UNTRIED = -2
"""`number` of a root row whose legs were generated without testing whether the turn can be finished after them."""
FIRST_SIZE = 1024
"""Initial size of the table; it grows when it is half full."""


def key_of_leg(board: int) -> int:
    """Return the key of a position within a turn, with the last leg if blocks test it, since it may limit the next.

    If `find_turns` must count positions as the interpreter does, the last leg is always included.
    """
    key = board ^ keys.of_rest() ^ keys.of_off()
    counts = params.must_finish and state.exact == 0
    return key ^ keys.of_last() if params.asks_last or counts else key


def is_met_in_turn(key: int) -> int:
    """Return whether a position is in the table; if not, add it."""
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
    """Enlarge the table and insert its entries again; set `state.error` to NO_ROOM if there is no room."""
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
    """Write every turn of the current position to rows from `state.rows` on; return their number, 0 after an error.

    The search for all ends replaces the test of whether a turn can be finished after a leg (for the first leg, too, if
    there are no royal pieces). However, the interpreter gives up on a leg after more than MAX_CHAIN positions without
    an end: if there are more positions than that, search again with the test.
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
    """Pass every turn of the current position to `turn_ends`, the shortest first; return the sum of its results.

    The rows of the turn stay valid until the next search. Legs that would take too much room are omitted, and
    `state.cut` is set.
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
    """Search breadth-first; return the number of turns."""
    state.met_stamp = state.met_stamp + 1  # empties the table
    state.met_size = FIRST_SIZE
    state.met_count = 0
    root = state.rows
    board = keys.of_board()
    is_met_in_turn(key_of_leg(board))
    base = state.top
    tries = params.must_finish and state.exact == 0 and params.has_royals == 0 and state.chain < 0 and state.result < 0
    if tries:
        legal.candidates()
    else:
        legal.legal()
    state.reach_sure = 0
    add_row(-1, UNTRIED if tries else -1, -1, 0, base, state.top, board)
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
    if tries and params.pass_turn == PASS_FORCED and state.reach_sure == 0:
        found += try_pass(root, board)
    return found


def walk(here: int, there: int) -> None:
    """Go from the position of one row to that of another row of the same turn."""
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
    """Return the change of the board's hash by the current leg."""
    return keys.change_since(frames[state.frame - params.keeps + PositionFields.undo])


def expand_turn(at: int, root: int) -> int:
    """Try every move of a row; return the number of new ends of turns. `root` is the hash of the root's board."""
    m = rows[at].first
    end = rows[at].last
    if rows[at].depth == 0 and rows[at].number != UNTRIED:
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
    if own or offers_pass(rows[at].depth):
        found += try_pass(at, root)
    return found


@inline
def offers_pass(depth: int) -> int:
    """Return whether the rules offer a pass after `depth` legs, whatever other moves there are."""
    if depth == 0:
        return params.pass_turn == PASS_ALWAYS
    return params.pass_partial and (params.plus == 0 or state.must == 0)


def try_pass(at: int, root: int) -> int:
    """Like `try_move`, for a pass."""
    m = state.top
    write_pass(-1)
    return try_move(m, 0, at, root)


def has_pass(m: int, end: int) -> int:
    """Return whether one of the records is a pass."""
    while m < end:
        if length(m) == HEAD:
            return True
        m += length(m)
    return False


def try_moves(m: int, end: int, at: int, root: int) -> int:
    """Try each record from `m` to `end`; return the number of new ends of turns."""
    found = 0
    number = 0
    while m < end and state.error == NO_ERROR and watch.has_enough_turns() == 0:
        found += try_move(m, number, at, root)
        m += length(m)
        number += 1
    return found


def try_move(m: int, number: int, at: int, root: int) -> int:
    """Play a record, add a row for a new position, unmake; return 1 for a new end of a turn, or the hook's result."""
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
    """Return whether the turn continues after `play`; add a row for a new position."""
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
        state.top = base  # a cycle: its continuations are searched from the root
    elif state.visiting and (state.rows >= VISITED_ROWS or state.top + WIDEST > params.moves_room):
        state.cut = 1
    else:
        add_row(m, number, at, rows[at].depth + 1, base, end, board)
    return True


@inline
def finds_moves() -> int:
    """Return whether the piece can continue; keep its moves, unless they are to be generated again (`state.exact`)."""
    if state.exact:
        return turn.can_go_on()
    base = state.top
    legal.candidates()
    return state.top > base


def is_new_end(m: int, number: int, at: int, root: int) -> int:
    """End the turn after `play`; return whether its end is legal and new; false if several legs restore the board."""
    turn.next_turn()
    depth = rows[at].depth
    if params.must_finish and state.exact == 0 and (depth or params.has_royals == 0):
        if finish.may_be_last(m, depth > 0) == 0 or (params.has_royals and legal.royal_in_danger()):
            return False
        state.reach_sure = 1
    if params.has_outs:
        if state.result < 0:
            turn.ask_board()
        turn.skip_the_stuck()
    board = rows[at].board ^ change_of_leg()
    key = board ^ keys.of_off() ^ keys.of_turn()
    if params.counters:
        key = key ^ state.counted
    if (depth and board == root) or is_met_in_turn(key):
        return False
    add_row(m, number, at, -1, 0, 0, board)
    return True


@entry
def make_turn(at: int) -> None:
    """Play a turn from the root; row `at` holds its last leg."""
    root = at
    while rows[root].parent >= 0:
        root = rows[root].parent
    walk(root, rows[at].parent)
    turn.after(rows[at].move)


@entry
def unmake_to(frame: int) -> None:
    """Unmake all moves after a frame."""
    while state.frame > frame:
        unmake()
