"""Complete turns of games in which a turn moves one piece and changes nothing else: where can each piece get to?

Such a turn is a piece and the square where it ends, so the search within it goes from square to square: the piece is
put where a leg ends and asked for its further legs, and squares that it has been to are marked. No leg is made and
unmade, no position has a key. Ends and their order are those of `turns.py` for each piece; whatever turns out to be
more than one piece moving (a capture, an effect, a drop) is left to that.
"""

from __future__ import annotations

from zrf_py.jit.language import entry, inline, shift_right
from zrf_py.native.kernel import board, finish, keys, legal, turn, turns, walk
from zrf_py.native.kernel.memory import (
    NO_ERROR, PASS_ALWAYS, PASS_FORCED, cell, moves, params, reach_ended, reach_met, reach_node, reach_turn,
    state,
)

UNFIT = -1
"""The turns of this position are not of this kind."""
PASS = -1
"""Where a turn starts and ends that is a pass."""


@entry
def find_ends() -> int:
    """Put every turn of the position at hand into `reach_turn`; how many there are, or UNFIT."""
    if params.reaches == 0 or state.chain >= 0 or state.result >= 0:
        return UNFIT
    top = state.top
    legal.candidates()
    own = legal.take_passes(top)
    end = state.top
    state.reach_turns = 0
    state.reach_fits = 1
    reach_from_all(top, end)
    state.top = top
    if state.reach_fits == 0 or state.error:
        return UNFIT
    none = state.reach_turns == 0 if params.must_finish else end == top
    if own or params.pass_turn == PASS_ALWAYS or (params.pass_turn == PASS_FORCED and none):
        add_reached(PASS, PASS, PASS)
    return state.reach_turns if state.reach_fits else UNFIT


def reach_from_all(m: int, end: int) -> None:
    """The same for the records from `m` to `end`, those of a piece one after the other."""
    last_from = state.last_from
    last_to = state.last_to
    hashed = state.hash
    origin = state.origin
    while m < end and state.reach_fits and state.error == NO_ERROR:
        start = start_of(m)
        last = m
        while last < end and start_of(last) == start:
            last += board.length(last)
        if start < 0 or cell[start] == 0:
            state.reach_fits = 0
        else:
            reach_from(start, m, last)
        state.last_from = last_from
        state.last_to = last_to
        state.hash = hashed
        state.origin = origin
        state.top = end
        m = last


@inline
def start_of(m: int) -> int:
    """The square of the piece that a record moves; -1 if it moves none."""
    return (moves[m + 2] >> 8 & board.SQUARE) - 1 if moves[m] & board.SMALL else -1


def reach_from(start: int, m: int, end: int) -> None:
    """Where the piece of a square can get to, beginning with the records from `m` to `end`."""
    held = cell[start]
    state.reach_stamp = state.reach_stamp + 1
    state.reach_nodes = 0
    state.reach_legs = 0
    board.replace_cell(start, held, 0)
    if params.hashes:
        state.origin = state.hash
        state.hash = state.hash ^ keys.of_cell(start, held)
    try_legs(m, end, start, start, 0, held)
    node = 0
    while node < state.reach_nodes and state.reach_fits and state.error == NO_ERROR:
        here = reach_node[node].square
        try_legs(reach_node[node].first, reach_node[node].end, start, here, reach_node[node].depth, held)
        if reach_node[node].may_stop and here != start:
            add_end(start, here, reach_node[node].before)
        node += 1
    board.replace_cell(start, 0, held)


def try_legs(m: int, end: int, start: int, here: int, depth: int, held: int) -> None:
    """Follow the records of a piece that stands `here` after so many legs, passes left out."""
    while m < end and state.reach_fits and state.error == NO_ERROR:
        size = board.length(m)
        if size > board.HEAD:
            if size == board.HEAD + 1 and moves_only(m, here):
                go_leg(m, start, here, depth, held)
            else:
                state.reach_fits = 0
        m += size


@inline
def moves_only(m: int, here: int) -> int:
    """Whether a record of one part is a movement of the piece to an empty square."""
    part = moves[m + 2]
    if moves[m] & board.SMALL != 1 or part & 255 != board.MOVE or shift_right(part, 48):
        return False
    end = part >> 28 & board.SQUARE
    return (part >> 8 & board.SQUARE) - 1 == here and cell[end] == 0 and end != here


def go_leg(m: int, start: int, here: int, depth: int, held: int) -> None:
    """One leg: the end of the turn, or a square to go on from if the piece has not been there in this way."""
    end = board.end_of(m)
    if board.partial_of(m) == -2:
        end_with(m, start, end, here, depth)
        return
    state.reach_legs = state.reach_legs + 1
    if params.must_finish and state.reach_legs > finish.MAX_CHAIN:
        state.reach_fits = 0  # the definition may give up before it has seen all
        return
    way = (board.partial_of(m) + 2) * 2 + board.must_of(m)
    at = end * params.squares + here if params.asks_last else end
    if reach_met[at] >> 20 == state.reach_stamp:
        if reach_met[at] & board.SQUARE != way:
            state.reach_fits = 0
        return
    reach_met[at] = state.reach_stamp << 20 | way
    if state.reach_nodes + 1 >= params.reach_room:
        state.reach_fits = 0
        return
    put_down(m, end, here, depth + 1, held)
    if reach_node[state.reach_nodes].first == reach_node[state.reach_nodes].end:
        end_with(m, start, end, here, depth)
    else:
        state.reach_nodes = state.reach_nodes + 1


def put_down(m: int, end: int, here: int, depth: int, held: int) -> None:
    """Put the piece where a leg ends, find its further legs, and take it away again: all of it into the next node."""
    lifted = state.hash
    board.replace_cell(end, 0, held)
    if params.hashes:
        state.hash = state.hash ^ keys.of_cell(end, held)
    state.last_from = here
    state.last_to = end
    state.chain = end
    state.chain_type = board.partial_of(m)
    if params.plus:
        state.legs = depth
        state.must = board.must_of(m)
    node = state.reach_nodes
    reach_node[node].square = end
    reach_node[node].before = here
    reach_node[node].depth = depth
    reach_node[node].first = state.top
    legal.candidates()
    reach_node[node].end = state.top
    stops = params.pass_partial and (params.plus == 0 or state.must == 0)
    reach_node[node].may_stop = stops or (params.adds_pass and turns.has_pass(reach_node[node].first, state.top))
    state.chain = -1
    state.legs = 0
    state.must = 0
    state.hash = lifted
    board.replace_cell(end, held, 0)


@inline
def end_with(m: int, start: int, end: int, before: int, depth: int) -> None:
    """End the turn with a leg, if it may be the last."""
    if (params.has_unfinished and board.must_of(m)) or (depth and end == start):
        return
    add_end(start, end, before)


@inline
def add_end(start: int, end: int, before: int) -> None:
    """The piece can get to a square; its last leg comes from another one."""
    if reach_ended[end] != state.reach_stamp:
        reach_ended[end] = state.reach_stamp
        add_reached(start, end, before)


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
    """Play one of the turns found."""
    base = state.top
    if reach_turn[number].start == PASS:
        state.target_square = -1
        walk.write_pass(-1)
        turn.after(base)
        return
    start = reach_turn[number].start
    end = reach_turn[number].end
    moves[base] = 1
    moves[base + 1] = start + 1 | end + 1 << 20
    moves[base + 2] = walk.movement(board.MOVE, start, end, -1)
    state.top = base + board.HEAD + 1
    turn.after(base)
    state.last_from = reach_turn[number].before
