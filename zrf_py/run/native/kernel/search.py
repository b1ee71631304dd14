"""Alpha-beta with a stack of its own, so that it can stop after any position and go on later.

A ply is one record: a move, or a leg of a turn. Where the same player moves on, the value keeps its sign and the depth
does not shrink; a position that comes again within a turn leads nowhere, one that comes again in the game is valued as
the rules say of repetition. Values are from the point of view of who moves at the ply.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import push_frame, unmake
from zrf_py.run.native.kernel.goals import final_result, state_result, winners
from zrf_py.run.native.kernel.legal import is_attacked, legal
from zrf_py.run.native.kernel.memory import (
    CHAIN,
    ERROR,
    HAS_ROYALS,
    LAST_FROM,
    LAST_TO,
    MOVER,
    OUT,
    PLAYERS,
    REPETITION,
    RESULT,
    TAKEN_FROM,
    TAKEN_TO,
    TOP,
    TURN,
    TURN_UNDO,
    UNDO,
    params,
    plays,
    state,
    turn_mover,
)
from zrf_py.run.native.kernel.notes import (
    AT,
    COUNTS_LEAVES,
    DEEPEST,
    HASH,
    HISTORY,
    INFINITE,
    MANY,
    MAX_PLY,
    NOISE,
    NOISE_SEED,
    NULL_MOVE,
    ORDER_TOP,
    PAST,
    PER_MOVE,
    PER_STRANGER,
    RACES,
    ROOT_DEPTH,
    SKIPPED,
    SOUND,
    SUMS_TELL,
    SURE,
    TABLE_MASK,
    VALUE,
    VISITED,
    WIN,
    history,
    in_team,
    killers,
    line_of_play,
    opponent,
    order_index,
    order_move,
    order_score,
    past,
    plan,
    ply_alpha,
    ply_base,
    ply_best,
    ply_best_index,
    ply_beta,
    ply_chained,
    ply_checked,
    ply_count,
    ply_depth,
    ply_index,
    ply_key,
    ply_legal,
    ply_move,
    ply_mover,
    ply_order,
    ply_phase,
    ply_place,
    ply_quiet,
    ply_raised,
    ply_seen,
    ply_sound,
    ply_stage,
    ply_static,
    ply_tried,
    search,
    table_data,
    table_key,
)
from zrf_py.run.native.kernel.order import gain, list_moves, only_captures, pick_next, signature
from zrf_py.run.native.kernel.race import owned, strangers
from zrf_py.run.native.kernel.turn import after, next_turn
from zrf_py.run.native.kernel.weigh import last_key, place_key, scatter
from zrf_py.run.native.kernel.words import apart, entry, inline, shift_right

ENTER, NEXT = 0, 1
FULL, ZERO, REDUCED, NOTHING = 0, 1, 2, 3
"""How a move is being tried: in the whole window, in an empty one, in an empty one at less depth; none is made."""
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
FEW = 8
"""With fewer moves than these, to do nothing might be better than any of them."""
QUIET_END = -12
"""Depth below which captures are followed no further."""

# ----------------------------------------------------------------------------------------------------------- values


def value_of(result: int, p: int) -> int:
    """What a finished game is worth to the player of a ply; the sooner the better."""
    mask = winners(result)
    if mask == 0:
        return 0
    if plan[MANY]:
        good = 0
        for player in range(params[PLAYERS]):
            if mask >> player & 1 and same_side(player, ply_mover[0]):
                good = 1
        return WIN - p if good == same_side(ply_mover[p], ply_mover[0]) else p - WIN
    return WIN - p if mask >> ply_mover[p] & 1 else p - WIN


@inline
def same_side(one: int, other: int) -> int:
    """Whether two players play together. Of more than two, all who are not with the player at the root are against him,
    and so with each other: he expects the worst."""
    if plan[MANY]:
        root = ply_mover[0] * params[PLAYERS]
        return in_team[root + one] == in_team[root + other]
    return one == other


def lead_of_many(p: int) -> int:
    """How far the player at the root is ahead of the best other one, from the point of view of a ply.

    Strangers in his goal are a worry to him alone: were they one to the others, he would leave men in their goals.
    """
    root = ply_mover[0]
    best = -INFINITE
    mine = 0
    for player in range(params[PLAYERS]):
        if plays[player] and state[OUT] >> player & 1 == 0:
            value = owned(player)
            if in_team[root * params[PLAYERS] + player]:
                mine += value
                if plan[RACES] and search[PER_STRANGER]:
                    mine -= strangers(player)
            elif value > best:
                best = value
    return mine - best if same_side(ply_mover[p], root) else best - mine


def value_again(p: int) -> int:
    """What the rules say of a position that comes again, as they would the third time."""
    result = state_result(state[MOVER], REPETITION)
    return value_of(result, p) if result >= 0 else 0


@inline
def estimate(p: int) -> int:
    """What the position of a ply is worth to its player, for all that sums tell."""
    value = 0
    if plan[MANY]:
        value = lead_of_many(p)
    else:
        me = ply_mover[p]
        value = owned(me) - owned(opponent[me])
    if search[NOISE]:
        value += shift_right(scatter(search[HASH] ^ search[NOISE_SEED]), 32) % search[NOISE] - search[NOISE] // 2
    return value


@inline
def with_mobility(p: int, value: int) -> int:
    """The same with the moves of both, where those of the other were counted on the way."""
    if search[PER_MOVE] and ply_seen[p] >= 0:
        value += search[PER_MOVE] * (ply_legal[p] - ply_seen[p])
    return value


# ------------------------------------------------------------------------------------------------------ entering a ply


def met_before(p: int, key: int) -> int:
    """Whether the position occurred on the way here."""
    q = p - 1
    while q >= 0:
        if ply_place[q] == key:
            return True
        q -= 1
    if ply_chained[p] == 0:
        for i in range(search[PAST]):
            if past[i] == key:
                return True
    return False


def enter(p: int) -> int:
    """Begin a position; 1 if its value is known at once and stands in search[VALUE]."""
    search[VISITED] = search[VISITED] + 1
    search[SOUND] = 1
    ply_sound[p] = 1
    ply_mover[p] = turn_mover[state[TURN]]
    ply_chained[p] = state[CHAIN] >= 0
    ply_base[p] = state[TOP]
    ply_legal[p] = -1
    ply_key[p] = 0
    ply_place[p] = 0
    if state[RESULT] >= 0:
        search[VALUE] = value_of(state[RESULT], p)
        return True
    place = place_key()
    ply_place[p] = place
    key = place ^ last_key()
    ply_key[p] = key
    if p > 0 and (ply_depth[p] >= 0 or ply_chained[p]) and met_before(p, place):
        search[VALUE] = -INFINITE if ply_chained[p] else value_again(p)
        search[SOUND] = ply_chained[p]
        return True
    if p >= MAX_PLY - 2:
        search[SOUND] = 0
        search[VALUE] = estimate(p)
        return True
    if p > search[DEEPEST]:
        search[DEEPEST] = p
    wanted = look_up(p, key)
    if wanted == -2:
        return True
    return begin(p, wanted)


def look_up(p: int, key: int) -> int:
    """What the table knows: the number of a move to try first, -1 for none, -2 if the value is known."""
    slot = key & search[TABLE_MASK]
    if table_key[slot] != key:
        return -1
    data = table_data[slot]
    index = (data & 65535) - 1
    if p == 0 or (data >> 16 & 4095) < (ply_depth[p] if ply_depth[p] > 0 else 0):
        return index
    value = shift_right(data, 32) - 2147483648
    if value > SURE:
        value -= p
    if value < -SURE:
        value += p
    bound = data >> 28 & 3
    if ply_beta[p] - ply_alpha[p] > 1 and ply_chained[p] == 0 and ply_depth[p] > 0:
        return index
    if bound == EXACT or (bound == AT_LEAST and value >= ply_beta[p]) or (bound == AT_MOST and value <= ply_alpha[p]):
        search[VALUE] = value
        search[SOUND] = data >> 30 & 1
        return -2
    return index


def keep(p: int, value: int) -> None:
    """Write what was found out about a position into the table."""
    if value <= -INFINITE or value >= INFINITE:
        return
    bound = EXACT
    if value >= ply_beta[p]:
        bound = AT_LEAST
    elif ply_raised[p] == 0:
        bound = AT_MOST
    if value > SURE:
        value += p
    if value < -SURE:
        value -= p
    depth = ply_depth[p] if ply_depth[p] > 0 else 0
    slot = ply_key[p] & search[TABLE_MASK]
    table_key[slot] = ply_key[p]
    facts = (ply_best_index[p] + 1 & 65535) | depth << 16 | bound << 28 | ply_sound[p] << 30
    table_data[slot] = facts | value + 2147483648 << 32


def begin(p: int, wanted: int) -> int:
    """List the moves of a position; 1 if it needs none tried."""
    checked = 0
    if params[HAS_ROYALS] and ply_chained[p] == 0:
        checked = is_attacked(ply_mover[p])
    ply_checked[p] = checked
    if checked and p < 2 * search[ROOT_DEPTH] + 8 and ply_depth[p] > -4:
        ply_depth[p] = ply_depth[p] + 1
    quiet = ply_depth[p] <= 0 and ply_chained[p] == 0
    value = 0
    if quiet or plan[NULL_MOVE]:
        value = estimate(p)
    if quiet and checked == 0 and (plan[SUMS_TELL] or (plan[COUNTS_LEAVES] == 0 and value >= ply_beta[p])):
        search[SOUND] = 0
        search[VALUE] = value
        return True
    base = legal()
    if state[ERROR]:
        search[VALUE] = 0
        return True
    ply_order[p] = search[ORDER_TOP]
    list_moves(p, base, wanted)
    if ply_count[p] == 0:
        search[VALUE] = value_of(final_result(), p)
        return True
    value = with_mobility(p, value)
    ply_static[p] = value
    ply_best[p] = -INFINITE
    ply_best_index[p] = -1
    ply_raised[p] = 0
    ply_tried[p] = 0
    ply_quiet[p] = 0
    if quiet and checked == 0:
        return stand(p, value)
    ply_stage[p] = NEXT
    tries_nothing(p)
    return False


def tries_nothing(p: int) -> int:
    """Begin with doing nothing, where a player who is well off even then needs no more proof."""
    if plan[NULL_MOVE] == 0 or ply_depth[p] < 3 or p == 0 or ply_chained[p] or ply_checked[p]:
        return False
    if ply_phase[p - 1] == NOTHING or ply_static[p] < ply_beta[p] or ply_beta[p] - ply_alpha[p] > 1:
        return False
    if ply_beta[p] < -SURE or ply_beta[p] > SURE or ply_legal[p] < FEW:
        return False
    if push_frame() == 0:
        return False
    state[RESULT] = -1
    state[TAKEN_FROM] = state[TAKEN_TO]
    state[TURN_UNDO] = state[UNDO]
    state[LAST_FROM] = -1
    state[LAST_TO] = -1
    next_turn()
    ply_phase[p] = NOTHING
    ply_alpha[p + 1] = -ply_beta[p]
    ply_beta[p + 1] = 1 - ply_beta[p]
    ply_depth[p + 1] = ply_depth[p] - 3 - ply_depth[p] // 4
    ply_stage[p + 1] = ENTER
    ply_seen[p + 1] = ply_legal[p]
    ply_stage[p] = NEXT
    search[AT] = p + 1
    return True


def stand(p: int, value: int) -> int:
    """At the end of the depth: only captures go on, unless nothing but captures is allowed."""
    if ply_quiet[p] == 0 and ply_depth[p] > QUIET_END:
        if only_captures(p):
            ply_stage[p] = NEXT
            return False
    else:
        search[SOUND] = 0
        search[VALUE] = value
        return True
    search[SOUND] = 0
    ply_sound[p] = 0
    if value >= ply_beta[p] or ply_count[p] == 0:
        search[VALUE] = value
        return True
    ply_best[p] = value
    ply_quiet[p] = 1
    if value > ply_alpha[p]:
        ply_alpha[p] = value
        ply_raised[p] = 1
    ply_stage[p] = NEXT
    return False


# ------------------------------------------------------------------------------------------------------ trying moves


def try_next(p: int) -> int:
    """Make the next move of a ply; 0 when there is none left that matters."""
    if ply_alpha[p] >= ply_beta[p]:
        return False
    place = pick_next(p)
    if place < 0:
        return False
    tried = ply_tried[p]
    ply_tried[p] = tried + 1
    ply_move[p] = order_move[place]
    ply_index[p] = order_index[place]
    phase = FULL
    if tried and ply_beta[p] - ply_alpha[p] > 1:
        phase = ZERO
    if tried >= 3 and ply_depth[p] >= 3 and order_score[place] < 1 << 36 and ply_checked[p] == 0:
        phase = REDUCED
    return descend(p, phase)


def descend(p: int, phase: int) -> int:
    """Make the move of a ply in a window; 0 where there is no room."""
    if after(ply_move[p]) == 0:
        return False
    ply_phase[p] = phase
    alpha = ply_alpha[p]
    beta = ply_beta[p] if phase == FULL else alpha + 1
    q = p + 1
    if same_side(turn_mover[state[TURN]], ply_mover[p]):
        ply_alpha[q] = alpha
        ply_beta[q] = beta
        ply_seen[q] = ply_seen[p]
    else:
        ply_alpha[q] = -beta
        ply_beta[q] = -alpha
        ply_seen[q] = ply_legal[p]
    depth = ply_depth[p]
    if state[CHAIN] < 0:
        depth -= 1
        if phase == REDUCED:
            depth -= 1 + (ply_tried[p] > 12) + (ply_depth[p] > 7)
            if depth < 1:
                depth = 1
    ply_depth[q] = depth
    ply_stage[q] = ENTER
    search[AT] = q
    return True


def give_back(p: int, value: int) -> None:
    """Return from a ply to the one before with its value."""
    state[TOP] = ply_base[p]
    search[ORDER_TOP] = ply_order[p - 1] + ply_count[p - 1]
    unmake()
    parent = p - 1
    search[AT] = parent
    phase = ply_phase[parent]
    if phase == NOTHING:
        ply_phase[parent] = FULL
        if -value >= ply_beta[parent]:
            ply_sound[parent] = 0
            ply_best[parent] = ply_beta[parent]
            ply_alpha[parent] = ply_beta[parent]
        return
    if same_side(ply_mover[p], ply_mover[parent]) == 0:
        value = -value
    if value > ply_alpha[parent]:
        if phase == REDUCED:
            descend(parent, ZERO if ply_beta[parent] - ply_alpha[parent] > 1 else FULL)
            return
        if phase == ZERO and value < ply_beta[parent]:
            descend(parent, FULL)
            return
    ply_sound[parent] = ply_sound[parent] & search[SOUND]
    accept(parent, value)


def accept(p: int, value: int) -> None:
    """A move of a ply has its value."""
    if value <= ply_best[p]:
        return
    ply_best[p] = value
    if value <= ply_alpha[p]:
        return
    ply_best_index[p] = ply_index[p]
    ply_alpha[p] = value
    ply_raised[p] = 1
    if value >= ply_beta[p]:
        if gain(ply_move[p]) <= 0:
            refuted(p)
        return
    copy_line(p)


@inline
def copy_line(p: int) -> None:
    row = p * MAX_PLY
    below = row + MAX_PLY
    line_of_play[row] = ply_index[p] + 1
    i = 0
    while i < MAX_PLY - 2 and line_of_play[below + i]:
        line_of_play[row + i + 1] = line_of_play[below + i]
        i += 1
    line_of_play[row + i + 1] = 0


def refuted(p: int) -> None:
    """Remember a quiet move that was too good."""
    number = signature(ply_move[p])
    if killers[2 * p] != number:
        killers[2 * p + 1] = killers[2 * p]
        killers[2 * p] = number
    depth = ply_depth[p] if ply_depth[p] > 0 else 0
    at = ply_mover[p] * HISTORY + number
    history[at] = history[at] + depth * depth
    if history[at] > 1 << 28:
        for i in range(params[PLAYERS] * HISTORY):
            history[i] = history[i] >> 1


@apart
def step() -> None:
    """One step at the current ply: enter it, or try its next move, or leave it."""
    p = search[AT]
    if ply_stage[p] == ENTER:
        line_of_play[p * MAX_PLY] = 0
        ply_order[p] = search[ORDER_TOP]
        ply_count[p] = 0
        if enter(p):
            if p == 0:
                ply_sound[0] = search[SOUND]
                ply_best[0] = search[VALUE]
                search[AT] = -1
            else:
                give_back(p, search[VALUE])
        return
    if try_next(p):
        return
    if ply_best[p] <= -INFINITE and ply_chained[p] == 0:
        ply_sound[p] = 0
        ply_best[p] = estimate(p)  # every turn goes round in circles
    if ply_quiet[p] == 0 and state[ERROR] == 0 and (p > 0 or search[SKIPPED] == 0):
        keep(p, ply_best[p])
    search[SOUND] = ply_sound[p]
    if p == 0:
        state[TOP] = ply_base[0]
        search[AT] = -1
    else:
        give_back(p, ply_best[p])


@entry
def search_begin(depth: int, alpha: int, beta: int) -> None:
    """Put the root on the stack; the position must be loaded and weighed."""
    search[AT] = 0
    search[ORDER_TOP] = 0
    search[ROOT_DEPTH] = depth
    search[DEEPEST] = 0
    state[TOP] = 0
    ply_depth[0] = depth
    ply_alpha[0] = alpha
    ply_beta[0] = beta
    ply_seen[0] = -1
    ply_stage[0] = ENTER
    ply_phase[0] = FULL
    ply_best[0] = -INFINITE
    ply_best_index[0] = -1


@entry
def search_go(budget: int) -> int:
    """Go on for `budget` positions; 1 when the root has its value."""
    limit = search[VISITED] + budget
    while search[AT] >= 0 and search[VISITED] < limit and state[ERROR] == 0:
        step()
    return search[AT] < 0


@entry
def search_clear() -> None:
    """Forget what earlier searches found out."""
    for i in range(search[TABLE_MASK] + 1):
        table_key[i] = 0
    for i in range(params[PLAYERS] * HISTORY):
        history[i] = 0
    for i in range(2 * MAX_PLY):
        killers[i] = -1
    search[VISITED] = 0
    state[ERROR] = 0
