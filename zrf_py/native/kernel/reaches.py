"""Complete turns that move one piece and change nothing else: the squares within reach of each piece.

A piece and its end square determine such a turn, so the search goes breadth-first over squares: put the piece on a
square, generate its legs, mark visited squares. This needs neither records nor make and unmake nor position keys. If a
turn turns out to do more (a capture, an effect, a drop), `turns.py` searches instead; it finds the same ends.

The kernel for any game reads the legs from the records of blocks; in a game's own code most blocks call `take_leg`
instead (`specialise/blocks.py`). The order is the same: pieces by square, squares breadth-first.
"""

from zrf_py.jit.language import entry, inline, shift_right, squares_of
from zrf_py.native.kernel import board, cells, finish, legal, turn, walk
from zrf_py.native.kernel.memory import (
    NO_ERROR, NO_ROOM, PASS_ALWAYS, PASS_FORCED, cell, moves, occupied, params, priorities, rows, state, turn_side,
    turn_type, undo,
)
from zrf_py.native.kernel.reached import reach_ended, reach_met, reach_node, reach_turn

UNFIT = -1
"""Result for a position whose turns can't all be found here: some are of another kind, or there is no room."""
PASS = -1
"""Start and end of a turn that is a pass."""
REACHED = -2
"""Value of `parent` for a row that holds a turn found here."""


@entry
def find_ends() -> int:
    """Write every turn of the current position to `reach_turn`; return their number, or UNFIT."""
    if params.reaches == 0 or state.chain >= 0 or state.result >= 0:
        return UNFIT
    state.reach_turns = 0
    state.reach_fits = 1
    state.reach_records = 0
    state.reach_sure = 0
    state.reach_passes = 0
    state.reach_null = 0
    legal.begin_generation()
    fill_gates(turn_side[state.turn])
    reach_first_class(turn_side[state.turn], turn_type[state.turn])
    if state.reach_fits == 0 or state.error or (params.reaches > 1 and state.reach_null and removes_now()):
        return UNFIT
    none = state.reach_turns == 0 if params.must_finish else state.reach_records == 0
    if state.reach_passes or params.pass_turn == PASS_ALWAYS or (params.pass_turn == PASS_FORCED and none):
        add_reached(PASS, PASS, PASS)
    return state.reach_turns if state.reach_fits else UNFIT


def fill_gates(side: int) -> None:
    """Compute the squares from which blocks may move; a stub unless the game's own code implements it."""


def removes_now() -> int:
    """Return whether ending the turn on an unchanged board would remove pieces; True also if there is no room."""
    if board.push_frame() == 0:
        return True
    changes = state.undo
    turn.next_turn()
    if state.result < 0:
        turn.ask_board()
    turn.skip_the_stuck()
    removed = 0
    while changes < state.undo:
        removed += undo[changes] >= 0
        changes += cells.UNDO_WORDS
    board.unmake()
    return removed


def reach_first_class(side: int, move_type: int) -> None:
    """Search the turns that the turn order and the move priorities allow, as in `legal.candidates`."""
    if params.priorities and move_type < 0:
        for i in range(params.priorities):
            reach_from_all(side, priorities[i])
            if state.reach_sure or state.reach_fits == 0 or state.error:
                return
            if state.reach_records:
                state.reach_fits = 0  # whether one of these legs can be finished is unknown
                return
    reach_from_all(side, move_type)


def reach_from_all(side: int, move_type: int) -> None:
    """Search the turns of every piece of a side that begin with a leg of one move type (-1: any)."""
    for square in squares_of(occupied, side + 1, params.words):
        reach_from(square, side, move_type)
        if state.reach_fits == 0 or state.error:
            return


@inline
def reach_from(start: int, side: int, move_type: int) -> None:
    """Search the squares within reach of the piece on a square."""
    state.reach_stamp = state.reach_stamp + 1
    state.reach_nodes = 0
    state.reach_legs = 0
    state.reach_unsure = 0
    state.reach_start = start
    state.reach_depth = 0
    reach_piece(start, side, move_type)
    if state.reach_nodes:
        go_on(start, side)


def reach_piece(square: int, side: int, move_type: int) -> None:
    """Take every leg of the piece on a square. A game's own code has a version that writes few records."""
    base = state.top
    legal.run_piece(square, side, move_type)
    take_records(base, square)


def take_records(base: int, here: int) -> None:
    """Take the legs in the records from `base` on, and drop the records."""
    m = base
    while m < state.top:
        size = board.length(m)
        if size == board.HEAD:
            take_pass()
        elif size == board.HEAD + 1 and moves_only(m, here):
            take_leg(board.partial_of(m), board.must_of(m), here, board.end_of(m))
        else:
            take_other()
        m += size
    state.top = base


@inline
def take_pass() -> None:
    """Take a pass that a block writes."""
    state.reach_passes = 1
    state.reach_sure = 1


@inline
def take_other() -> None:
    """Take a leg that does more than move its piece: the result for this position is then UNFIT."""
    state.reach_fits = 0


@inline
def moves_only(m: int, here: int) -> int:
    """Return whether a record of one part moves the piece on `here`, unchanged, to another square."""
    part = moves[m + 2]
    if moves[m] & board.SMALL != 1 or part & 255 != board.MOVE or shift_right(part, 48):
        return False
    return (part >> 8 & board.SQUARE) - 1 == here and part >> 28 & board.SQUARE != here


@inline
def take_leg(partial: int, must: int, here: int, end: int) -> None:
    """Take one leg: add the end of a turn, or (`go_leg`) a square from which the piece continues."""
    state.reach_records = state.reach_records + 1
    if cell[end]:
        state.reach_fits = 0
    elif partial == -2:
        if params.has_unfinished == 0 or must == 0:
            state.reach_sure = 1
            if end == state.reach_start:
                state.reach_null = 1
            else:
                add_end(state.reach_start, end, here)
    else:
        if params.has_unfinished == 0 or (must == 0 and params.pass_partial):
            state.reach_sure = 1
        else:
            state.reach_unsure = 1
        go_leg((partial + 2) * 2 + must, here, end)


@inline
def go_leg(way: int, here: int, end: int) -> None:
    """Add the end square of a leg after which the piece may continue, unless it was reached before. If it was reached
    in another `way`, the result for this position is UNFIT."""
    state.reach_legs = state.reach_legs + 1
    at = end * params.squares + here if params.reach_last else end
    if reach_met[at] >> 20 == state.reach_stamp:
        if reach_met[at] & board.SQUARE != way:
            state.reach_fits = 0
        return
    reach_met[at] = state.reach_stamp << 20 | way
    node = state.reach_nodes
    state.reach_nodes = node + 1
    if state.reach_nodes >= params.reach_room:
        state.reach_fits = 0
        return
    reach_node[node].square = end
    reach_node[node].before = here
    reach_node[node].depth = state.reach_depth + 1
    reach_node[node].way = way


def go_on(start: int, side: int) -> None:
    """Put the piece on each square that it has reached, one after the other, and follow its further legs from there."""
    held = cell[start]
    last_from = state.last_from
    last_to = state.last_to
    passes = state.reach_passes
    records = state.reach_records
    at = start
    node = 0
    while node < state.reach_nodes and state.reach_fits and state.error == NO_ERROR:
        here = reach_node[node].square
        cells.replace_cell(at, held, 0)
        cells.replace_cell(here, 0, held)
        at = here
        follow(node, here, side)
        node += 1
    cells.replace_cell(at, held, 0)
    cells.replace_cell(start, 0, held)
    state.last_from = last_from
    state.last_to = last_to
    state.reach_passes = passes
    state.reach_records = records
    state.legs = 0
    state.must = 0
    if state.reach_unsure and state.reach_legs > finish.MAX_CHAIN:
        state.reach_fits = 0  # the interpreter may give up before it has tried all legs


@inline
def follow(node: int, here: int, side: int) -> None:
    """Take the further legs of a piece on the square of a node; end the turn there if allowed."""
    must = reach_node[node].way & 1
    kind = (reach_node[node].way >> 1) - 2
    if params.priorities and kind < 0:
        state.reach_fits = 0
        return
    state.reach_depth = reach_node[node].depth
    state.last_from = reach_node[node].before
    state.last_to = here
    if params.plus:
        state.legs = reach_node[node].depth
        state.must = must
    state.reach_passes = 0
    state.reach_records = 0
    reach_piece(here, side, kind)
    if may_end_here(must):
        if here == state.reach_start:
            state.reach_null = 1
        else:
            add_end(state.reach_start, here, reach_node[node].before)


@inline
def may_end_here(must: int) -> int:
    """Return whether the turn may end on the square of a node: nothing follows, or the piece may stop."""
    if state.reach_records == 0 and state.reach_passes == 0:
        return params.has_unfinished == 0 or must == 0
    return state.reach_passes or (params.pass_partial and (params.plus == 0 or must == 0))


@inline
def add_end(start: int, end: int, before: int) -> None:
    """Add the turn that ends on a square, unless this search has one already; `before` is the start of its last leg."""
    if reach_ended[end] != state.reach_stamp:
        reach_ended[end] = state.reach_stamp
        add_reached(start, end, before)


@inline
def add_reached(start: int, end: int, before: int) -> None:
    at = state.reach_turns
    if at >= params.reach_room:
        state.reach_fits = 0
        return
    reach_turn[at].start = start
    reach_turn[at].end = end
    reach_turn[at].before = before
    state.reach_turns = at + 1


@entry
def take_end(number: int) -> None:
    """Play one of the turns in `reach_turn`."""
    take_way(reach_turn[number].start, reach_turn[number].end, reach_turn[number].before)


def take_way(start: int, end: int, before: int) -> None:
    """Play a piece's turn, given as in `reach_turn`."""
    base = state.top
    if start == PASS:
        state.target_square = -1
        walk.write_pass(-1)
        turn.after(base)
        return
    moves[base] = 1
    moves[base + 1] = start + 1 | end + 1 << 20
    moves[base + 2] = walk.movement(board.MOVE, start, end, -1)
    state.top = base + board.HEAD + 1
    turn.after(base)
    state.last_from = before


def keep_ends() -> None:
    """Copy the turns to rows, which have room for several plies."""
    if state.rows + state.reach_turns >= params.rows_room:
        state.error = NO_ROOM
        return
    for number in range(state.reach_turns):
        at = state.rows + number
        rows[at].parent = REACHED
        rows[at].depth = -1
        rows[at].first = reach_turn[number].start
        rows[at].last = reach_turn[number].end
        rows[at].board = reach_turn[number].before
    state.rows = state.rows + state.reach_turns
