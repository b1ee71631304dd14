"""Count legal moves, for the last ply of perft. Where no royal piece can be captured, most need no records."""

from zrf_py.jit.language import inline, lowest_bit
from zrf_py.native.kernel import board, finish, legal
from zrf_py.native.kernel.masks import ASKING_ENDS, setting
from zrf_py.native.kernel.memory import (
    NO_ERROR, PASS_ALWAYS, danger_closes, danger_opens, occupied, params, state, turn_side, turn_type,
)


def count_listed() -> int:
    """Count the legal moves. Records are written, but not kept. While the royal pieces are safe, a game's own code
    writes no records for most moves that can't endanger them."""
    base = state.top
    if state.result >= 0:
        return 0
    calm = params.sense and legal.is_calm()
    count = 0
    state.must_list = 1
    if setting.tallies and calm and state.chain < 0 and (setting.tallies == ASKING_ENDS or nothing_closes()):
        state.must_list = 0
        count = count_calm()
    if state.must_list:
        state.top = base
        count = 0
        legal.candidates()
    if params.maximal and state.error == NO_ERROR:
        finish.keep_longest(base)
    own = legal.take_passes(base)
    if state.error == NO_ERROR:
        count += count_finishing(base, calm)
    state.top = base
    if count == 0 or own or params.pass_turn == PASS_ALWAYS or state.chain >= 0:
        legal.add_passes(base, own)
        count += state.top > base
        state.top = base
    return count


@inline
def count_finishing(base: int, calm: int) -> int:
    """Count the moves with which the turn can be finished legally; `calm`: the result of `is_calm`."""
    count = 0
    other = legal.next_side(state.turn) + 1
    m = base
    end = state.top
    while m < end:
        if (calm and legal.changes_nothing(m, other)) or finish.can_finish(m):
            count += 1
        m = board.following(m)
    return count


@inline
def nothing_closes() -> int:
    """Return whether no arrival of a piece on any square can endanger a royal piece; call it after `is_calm`."""
    squares = 0
    for word in range(params.words):
        squares = squares | danger_closes[word]
    return squares == 0


def count_calm() -> int:
    """Like `generate` for the turn, but count surely legal moves instead of writing them; return their number."""
    side = turn_side[state.turn]
    move_type = turn_type[state.turn]
    words = params.words
    count = 0
    legal.begin_generation()
    for word in range(words):
        mine = occupied[(side + 1) * words + word]
        bits = mine & danger_opens[word]
        while bits:
            legal.run_piece(word * 64 + lowest_bit(bits), side, move_type)
            bits = bits & (bits - 1)
        bits = mine & ~danger_opens[word]
        while bits:
            count += tally_piece(word * 64 + lowest_bit(bits), side, move_type)
            bits = bits & (bits - 1)
    legal.run_all_drops(side, move_type)
    return count


def tally_piece(square: int, side: int, move_type: int) -> int:
    """Count the plain moves of a piece and write the others; a stub unless the game's own code implements it."""
    return 0
