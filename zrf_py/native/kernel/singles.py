"""Complete turns of one leg that lead to different positions: each legal move is a turn.

Two such moves differ in the piece that moves or in its end square, and change no other piece of its owner, so that the
owner's squares differ afterwards. If some move is of another kind, `turns.py` tries all of them; it finds the same
turns in the same order. The records from one start square are consecutive, and so are those of all drops.
"""

from zrf_py.jit.language import inline
from zrf_py.native.kernel import board, legal, turns
from zrf_py.native.kernel.memory import NO_ERROR, cell, moves, params, state, turn_side
from zrf_py.native.kernel.reached import reach_ended
from zrf_py.native.kernel.reaches import UNFIT


def list_singles() -> int:
    """Write the legal moves from `state.top` on; return their number. Write none and return UNFIT if some may lead to
    the same position, if turns may have several legs, if there are too many, if the game is over, or after an error."""
    if params.singles == 0 or state.chain >= 0 or state.result >= 0:
        return UNFIT
    base = legal.legal()
    found = 0
    passes = 0
    start = -1
    m = base
    while m < state.top and state.error == NO_ERROR:
        if board.length(m) == board.HEAD:
            passes += 1
        else:
            if found == 0 or start != start_of(m):
                start = start_of(m)
                state.reach_stamp = state.reach_stamp + 1
            if is_single(m, turn_side[state.turn] + 1) == 0:
                break
        found += 1
        m = board.following(m)
    if m < state.top or passes > 1 or found > turns.MOST_POSITIONS or state.error:
        state.top = base
        return UNFIT
    return found


@inline
def start_of(m: int) -> int:
    """Return the start square of a record's movement plus 1; 0 for a drop."""
    part = moves[m + board.HEAD]
    return part >> 8 & board.SQUARE if part & 255 != board.DROP else 0


@inline
def is_single(m: int, owner: int) -> int:
    """Return whether a record moves or drops one piece of `owner` (player + 1), changes no other piece of that owner,
    and is the first from its start to this end square. Marks that square as reached: call it once for each record."""
    part = moves[m + board.HEAD]
    manner = part & 255
    end = part >> 28 & board.SQUARE
    if moves[m] & board.SMALL != 1 or manner == board.COPY or cell[end] & 255 == owner:
        return False
    if manner == board.MOVE and cell[start_of(m) - 1] & 255 != owner:
        return False
    if reach_ended[end] == state.reach_stamp:
        return False
    reach_ended[end] = state.reach_stamp
    return moves[m] >> 12 == 0 or leaves_others(m, owner, end)


def leaves_others(m: int, owner: int, end: int) -> int:
    """Return whether the parts of a record after its movement change no piece of an owner but the moved one, which they
    leave on its square."""
    at = m + board.HEAD + 1
    for _i in range(moves[m] >> 12 & board.SMALL):
        effect = moves[at] & 255
        if effect < board.SET_COUNTER:
            kept = effect == board.CHANGE_TYPE or effect == board.SET_ATTRIBUTE
            if kept == 0 or moves[at] >> 8 & board.SQUARE != end:
                return False
        at += 1
    for _i in range(moves[m] >> 24 & board.SMALL):
        if moves[at] == end or cell[moves[at]] & 255 == owner:
            return False
        at += 1
    return True
