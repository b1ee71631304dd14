"""Alpha-beta with an explicit stack, so that it can be suspended after any position.

Principal variation search (Marsland and Campbell 1982) with a transposition table, null-move pruning (Donninger 1993),
late-move reductions, internal reductions, killer moves, a history table (Schaeffer 1989), and a quiescence search that
follows captures. A piece that captures one of less value and can be recaptured at once is tried last, and not at all in
the quiescence search.

A ply is one record: a move, or a leg of a turn. If the same player moves on, the value keeps its sign and the depth is
not reduced. A position repeated within a turn is a dead end; one repeated in the game has the value that the rules give
to repetition. Values are from the view of the player to move at the ply.
"""

from zrf_py.jit.language import apart, entry, fill_all, inline
from zrf_py.native.kernel import attack, board, goals, legal, turn
from zrf_py.native.kernel.memory import params, state, turn_mover, turn_side, turn_type
from zrf_py.search.alphabeta.kernel import ordering
from zrf_py.search.evaluation.kernel import incremental
from zrf_py.search.memory import (
    HISTORY, INFINITE, MAX_PLY, SURE, history, killers, order_index, order_move, order_score, plan, ply, pv_table,
    search, table_key,
)
from zrf_py.search.alphabeta.kernel.values import (
    evaluate, is_repetition, same_side, value_of, value_of_repetition, with_mobility,
)
from zrf_py.search.alphabeta.kernel.table import probe_table, store_entry

ENTER, NEXT = 0, 1
FULL_WINDOW, NULL_WINDOW, REDUCED_DEPTH, NULL_MOVE = 0, 1, 2, 3
"""Phases of searching a move: full window, null window, null window at reduced depth; or the null move."""
FEW = 8
"""Minimum number of moves for null-move pruning; with fewer, zugzwang is likely."""
QUIESCENCE_END = -12
"""Depth at which the quiescence search ends."""
UNKNOWN_DEPTH = 4
"""Minimum depth at which a position without a move in the table is searched one ply less deep."""
LAST = -(1 << 20)
"""Score of a move that is tried after all others."""


def enter(p: int) -> int:
    """Enter a position; return True if its value is known already, in `search.value`."""
    search.visited = search.visited + 1
    search.proven = 1
    ply[p].proven = 1
    ply[p].mover = turn_mover[state.turn]
    ply[p].chained = state.chain >= 0
    ply[p].base = state.top
    ply[p].legal = -1
    ply[p].own = -1
    ply[p].key = 0
    ply[p].place = 0
    if state.result >= 0:
        search.value = value_of(state.result, p)
        return True
    place = incremental.position_key()
    ply[p].place = place
    key = place ^ incremental.last_key()
    ply[p].key = key
    if p > 0 and (ply[p].depth >= 0 or ply[p].chained) and is_repetition(p, place):
        search.value = -INFINITE if ply[p].chained else value_of_repetition(p)
        search.proven = ply[p].chained
        return True
    if p >= MAX_PLY - 2:
        search.proven = 0
        search.value = evaluate(p)
        return True
    wanted = probe_table(p, key)
    if wanted == -2:
        return True
    return begin(p, wanted)


def begin(p: int, wanted: int) -> int:
    """Generate the moves of a position; return True if its value is known without trying any."""
    checked = 0
    if params.has_royals and ply[p].chained == 0:
        checked = legal.is_attacked(ply[p].mover)
    ply[p].checked = checked
    if checked and p < 2 * search.root_depth + 8 and ply[p].depth > -4:
        ply[p].depth = ply[p].depth + 1
    if wanted < 0 and ply[p].depth >= UNKNOWN_DEPTH and p > 0 and ply[p].chained == 0:
        ply[p].depth = ply[p].depth - 1  # internal iterative reduction: there is no hash move
    quiet = ply[p].depth <= 0 and ply[p].chained == 0
    value = 0
    if quiet or plan.null_move:
        value = evaluate(p)
    if quiet and checked == 0 and (plan.sums_suffice or (plan.counts_leaves == 0 and value >= ply[p].beta)):
        search.proven = 0
        search.value = value
        return True
    base = legal.legal()
    if state.error:
        search.value = 0
        return True
    ply[p].order = search.order_top
    is_leaf = quiet and checked == 0
    ordering.score_moves(p, base, wanted, is_leaf)
    ply[p].own = ply[p - 1].own if p > 0 and ply[p].chained else ply[p].legal
    if (ply[p].legal if is_leaf else ply[p].count) == 0:
        search.value = value_of(goals.final_result(), p)
        return True
    value = with_mobility(p, value)
    ply[p].static = value
    ply[p].best = -INFINITE
    ply[p].best_index = -1
    ply[p].raised = 0
    ply[p].tried = 0
    ply[p].quiet = 0
    ply[p].stage = NEXT
    if is_leaf:
        return stand_pat(p, value)
    try_null_move(p)
    return False


def try_null_move(p: int) -> int:
    """Try null-move pruning: if passing fails high, so would the best move. Return True if the null move was made."""
    if plan.null_move == 0 or ply[p].depth < 3 or p == 0 or ply[p].chained or ply[p].checked:
        return False
    if ply[p - 1].phase == NULL_MOVE or ply[p].static < ply[p].beta or ply[p].beta - ply[p].alpha > 1:
        return False
    if ply[p].beta < -SURE or ply[p].beta > SURE or ply[p].legal < FEW:
        return False
    if board.push_frame() == 0:
        return False
    state.result = -1
    state.taken_from = state.taken_to
    state.turn_undo = state.undo
    state.last_from = -1
    state.last_to = -1
    turn.next_turn()
    ply[p].phase = NULL_MOVE
    ply[p + 1].alpha = -ply[p].beta
    ply[p + 1].beta = 1 - ply[p].beta
    ply[p + 1].depth = ply[p].depth - 3 - ply[p].depth // 4
    ply[p + 1].stage = ENTER
    ply[p + 1].seen = ply[p].legal
    search.at = p + 1
    return True


def stand_pat(p: int, value: int) -> int:
    """Begin the quiescence search, of captures only; if all moves are captures, the search goes on as usual instead.

    The static evaluation is a lower bound (stand pat). Return True if the value is known without trying any move.
    """
    if ply[p].count == ply[p].legal and ply[p].depth > QUIESCENCE_END:
        return False
    search.proven = 0
    if ply[p].depth <= QUIESCENCE_END:
        search.value = value
        return True
    ply[p].proven = 0
    if value >= ply[p].beta or ply[p].count == 0:
        search.value = value
        return True
    ply[p].best = value
    ply[p].quiet = 1
    if value > ply[p].alpha:
        ply[p].alpha = value
        ply[p].raised = 1
    return False


def try_next(p: int) -> int:
    """Make the next move of a ply; return False if none is left that matters, or if there is no room."""
    while ply[p].alpha < ply[p].beta:
        place = ordering.pick_next(p)
        if place < 0:
            return False
        tried = ply[p].tried
        ply[p].tried = tried + 1
        ply[p].move = order_move[place]
        ply[p].index = order_index[place]
        phase = FULL_WINDOW
        if tried and ply[p].beta - ply[p].alpha > 1:
            phase = NULL_WINDOW
        if tried >= 3 and ply[p].depth >= 3 and order_score[place] < 1 << 36 and ply[p].checked == 0:
            phase = REDUCED_DEPTH
        at_risk = -1
        if order_score[place] >= 1 << 40 and order_score[place] < 1 << 49:
            at_risk = ordering.square_at_risk(ply[p].move)
        if make_move(p, phase) == 0:
            return False
        if at_risk < 0 or is_retaken(at_risk) == 0:
            return True
        board.unmake()
        search.at = p
        if ply[p].quiet == 0:
            ply[p].tried = tried
            order_score[place] = LAST
    return False


def is_retaken(square: int) -> int:
    """Return whether the piece that has just arrived on a square can be captured at once."""
    if state.result >= 0 or state.chain >= 0:
        return False
    return attack.can_capture(turn_side[state.turn], square, turn_type[state.turn], 0)


def make_move(p: int, phase: int) -> int:
    """Make the move of a ply, to be searched in a phase; return False if there is no room."""
    if turn.after(ply[p].move) == 0:
        return False
    ply[p].phase = phase
    alpha = ply[p].alpha
    beta = ply[p].beta if phase == FULL_WINDOW else alpha + 1
    q = p + 1
    if same_side(turn_mover[state.turn], ply[p].mover):
        ply[q].alpha = alpha
        ply[q].beta = beta
        ply[q].seen = ply[p].seen
    else:
        ply[q].alpha = -beta
        ply[q].beta = -alpha
        ply[q].seen = ply[p].own
    depth = ply[p].depth
    if state.chain < 0:
        depth -= 1
        if phase == REDUCED_DEPTH:
            depth -= 1 + (ply[p].tried > 12) + (ply[p].depth > 7)
            if depth < 1:
                depth = 1
    ply[q].depth = depth
    ply[q].stage = ENTER
    search.at = q
    return True


def back_up(p: int, value: int) -> None:
    """Pass a value from a ply to its parent; search the move again if a reduced or null-window search failed high."""
    state.top = ply[p].base
    search.order_top = ply[p - 1].order + ply[p - 1].count
    board.unmake()
    parent = p - 1
    search.at = parent
    phase = ply[parent].phase
    if phase == NULL_MOVE:
        ply[parent].phase = FULL_WINDOW
        if -value >= ply[parent].beta:
            ply[parent].proven = 0
            ply[parent].best = ply[parent].beta
            ply[parent].alpha = ply[parent].beta
        return
    if same_side(ply[p].mover, ply[parent].mover) == 0:
        value = -value
    if value > ply[parent].alpha:
        if phase == REDUCED_DEPTH:
            make_move(parent, NULL_WINDOW if ply[parent].beta - ply[parent].alpha > 1 else FULL_WINDOW)
            return
        if phase == NULL_WINDOW and value < ply[parent].beta:
            make_move(parent, FULL_WINDOW)
            return
    ply[parent].proven = ply[parent].proven & search.proven
    raise_alpha(parent, value)


def raise_alpha(p: int, value: int) -> None:
    """Update the best value, alpha and principal variation of a ply."""
    if value <= ply[p].best:
        return
    ply[p].best = value
    if value <= ply[p].alpha:
        return
    ply[p].best_index = ply[p].index
    ply[p].alpha = value
    ply[p].raised = 1
    if value >= ply[p].beta:
        if ordering.capture_gain(ply[p].move) <= 0:
            ordering.record_cutoff(p)
        return
    update_pv(p)


@inline
def update_pv(p: int) -> None:
    row = p * MAX_PLY
    below = row + MAX_PLY
    pv_table[row] = ply[p].index + 1
    i = 0
    while i < MAX_PLY - 2 and pv_table[below + i]:
        pv_table[row + i + 1] = pv_table[below + i]
        i += 1
    pv_table[row + i + 1] = 0


@apart
def step() -> None:
    """Advance the current ply: enter it, try its next move, or leave it."""
    p = search.at
    if ply[p].stage == ENTER:
        pv_table[p * MAX_PLY] = 0
        ply[p].order = search.order_top
        ply[p].count = 0
        if enter(p):
            if p == 0:
                ply[0].proven = search.proven
                ply[0].best = search.value
                search.at = -1
            else:
                back_up(p, search.value)
        return
    if try_next(p):
        return
    if ply[p].best <= -INFINITE and ply[p].chained == 0:
        ply[p].proven = 0
        ply[p].best = evaluate(p)  # every move is a dead end: it repeats a position of its turn
    if ply[p].quiet == 0 and state.error == 0 and (p > 0 or search.found == 0):
        store_entry(p, ply[p].best)
    search.proven = ply[p].proven
    if p == 0:
        state.top = ply[0].base
        search.at = -1
    else:
        back_up(p, ply[p].best)


@apart
def begin_root(depth: int, alpha: int, beta: int) -> None:
    """Start searching the loaded and evaluated root to a depth."""
    search.at = 0
    search.order_top = 0
    search.root_depth = depth
    state.top = 0
    ply[0].depth = depth
    ply[0].alpha = alpha
    ply[0].beta = beta
    ply[0].seen = -1
    ply[0].stage = ENTER
    ply[0].phase = FULL_WINDOW
    ply[0].best = -INFINITE
    ply[0].best_index = -1


@entry
def search_clear() -> None:
    """Clear transposition table, history, killers and counters."""
    fill_all(table_key, 0, 0, search.table_mask + 1)
    fill_all(history, 0, 0, params.players * HISTORY)
    for i in range(2 * MAX_PLY):
        killers[i] = -1
    search.visited = 0
    state.error = 0
