"""Beam search along one player's own turns: expand the best positions of each generation.

A generation is the set of positions after complete turns from the previous one; the best `beam_width` are kept, each in
a slot with its path. Then each other player makes the turn that is best by its static value, until the root player is
to move again. Slots hold whole positions, so that nothing is replayed; one half of them is read while the other is
filled. Only positions after complete turns count as visited.
"""

from zrf_py.jit.language import inline, shift_right, squares_of
from zrf_py.native.kernel import board, goals, keys, turn, turns
from zrf_py.native.kernel.memory import cell, occupied, params, plays, state, turn_mover
from zrf_py.search.alphabeta.kernel import values
from zrf_py.search.evaluation.kernel import races, incremental
from zrf_py.search.memory import (
    COUNTING, INFINITE, WIN, beam, beam_heap, beam_list, in_team, plan, ply, search, standing, table_data,
    table_key,
)
from zrf_py.search.beam.slots import add_turn, load_slot, copy_path, store_slot, slot_for

TURNS_BETWEEN = 40
"""Maximum number of successive turns of others that are played, or skipped, before the root player's next turn."""
MANY_TURNS = 4096
"""Minimum budget, in positions, for searching first turns in order even if it can't cover all of them."""


def turns_of_root() -> None:
    """Search the root's turns in order, or an even sample of short and long ones if a small budget can't cover all."""
    if search.beam_limit - search.visited < MANY_TURNS:
        search.turn_of = COUNTING
        count = all_turns_of(-1)
        search.turn_of = count if count > search.beam_limit - search.visited else 0
    search.turn_drawn = search.beam_limit - search.visited
    all_turns_of(-1)
    search.turn_of = 0


def is_skipped() -> int:
    """Return whether the turn just generated is not in the sample."""
    if search.turn_of == 0:
        return False
    if search.turn_of == COUNTING:
        return True
    drawn = search.turn_drawn
    first = shift_right(search.noise_seed, 8) % search.turn_of
    return (search.turn_turns * drawn + first) % search.turn_of >= drawn


def all_turns_of(slot: int) -> int:
    """Visit all turns of the loaded position (that of `slot`; -1: the root), shortest first; return their number."""
    search.turn_slot = slot
    search.turn_turns = 0
    return turns.visit_turns()


@inline
def has_enough_turns() -> int:
    """Return whether a win is found or the budget used up."""
    return search.beam_won or search.visited >= search.beam_limit


@inline
def has_enough() -> int:
    return state.error or has_enough_turns()


def turn_ends(m: int, number: int, at: int) -> int:
    """Hook of `visit_turns`: process a complete turn, whose position is loaded."""
    search.turn_turns = search.turn_turns + 1
    if state.result >= 0 or is_skipped() == 0:
        search.visited = search.visited + 1
        if search.answering:
            weigh_answer(m, number, at)
        else:
            weigh_turn(number, at)
    return True


@inline
def is_with(player: int) -> int:
    """Return whether a player is the root player or a partner."""
    return in_team[search.beam_root * params.players + player]


def is_won(mask: int, one: int) -> int:
    """Return whether a player, or a partner, is among the winners."""
    for player in range(params.players):
        if mask >> player & 1 and in_team[one * params.players + player]:
            return True
    return False


def weigh_turn(number: int, at: int) -> None:
    """Keep the loaded position, after a turn from a slot, if it is among the best."""
    slot = search.turn_slot
    if state.result >= 0:
        finished(number, at, goals.winners(state.result))
        return
    if is_known():
        return
    value = own_value()
    debt = 0
    if slot >= 0:
        debt = beam[slot].debt
    elif values.is_repetition(0, incremental.position_key()):
        debt = repetition_penalty()
    value -= debt
    new = slot_for(value)
    if new >= 0:
        store_slot(new)
        beam[new].debt = debt
        beam[new].lead = values.lead_of_many(0)
        copy_path(new, slot)
        add_turn(new, number, at)


def is_known() -> int:
    """Return whether the generation has a position with the same own pieces, and add this one. Positions that differ
    only in the others' turns would crowd each other out."""
    key = 1
    for player in range(params.players):
        if is_with(player):
            for square in squares_of(occupied, player + 1, params.words):
                key = key ^ keys.of_cell(square, cell[square])
    at = key & search.table_mask
    if table_key[at] == key and table_data[at] == search.beam_stamp:
        return True
    table_key[at] = key
    table_data[at] = search.beam_stamp
    return False


def finished(number: int, at: int, mask: int) -> None:
    """Handle a turn that ends the game: the first win ends the search, the first draw is stored."""
    if is_won(mask, search.beam_root):
        search.beam_won = 1
        copy_path(search.beam_end, search.turn_slot)
        add_turn(search.beam_end, number, at)
    elif mask == 0 and search.beam_draw == 0:
        search.beam_draw = 1
        copy_path(search.beam_end + 1, search.turn_slot)
        add_turn(search.beam_end + 1, number, at)


def own_value() -> int:
    """Return the value of the root player's side, less the cost of other players' pieces in its goals."""
    value = 0
    for player in range(params.players):
        if plays[player] and is_with(player):
            value += races.owned(player)
            if plan.races and search.per_stranger:
                value -= races.strangers_cost(player)
    return value + incremental.noise()


def repetition_penalty() -> int:
    """Return the penalty for repeating a position of the game: the lead if that draws, `WIN` if it loses, else 0."""
    again = values.value_of_repetition(0)
    if again < 0:
        return WIN
    lead = values.lead_of_many(0)
    return lead if again == 0 and lead > 0 else 0


def weigh_answer(m: int, number: int, at: int) -> None:
    """Store the turn just made by another player, if it is that player's best so far."""
    mover = ply[1].mover
    value = standing[mover + 1]
    if state.result >= 0:
        mask = goals.winners(state.result)
        value = INFINITE if is_won(mask, mover) else -INFINITE
    if search.best_at < 0 or value > search.best_turn:
        search.best_turn = value
        search.best_at = at
        search.best_number = number
        search.best_move = m


def answer(slot: int) -> int:
    """Play the others' turns in the position of a slot; return False if the game ended there."""
    load_slot(slot)
    for _i in range(TURNS_BETWEEN):
        if turn_mover[state.turn] == search.beam_root:
            break
        ply[1].mover = turn_mover[state.turn]
        search.best_at = -1
        search.best_turn = -INFINITE
        if all_turns_of(slot) == 0:
            return has_enough() or ended(slot, goals.final_result())
        if search.best_at >= 0:
            turns.walk(0, search.best_at)
            turn.after(search.best_move)
            add_turn(slot, search.best_number, search.best_at)
        board.begin_afresh()
        if state.result >= 0:
            return ended(slot, state.result)
    store_slot(slot)
    beam[slot].lead = values.lead_of_many(0)
    return True


def ended(slot: int, result: int) -> int:
    """Handle a game that ends before the root player is to move again: store a win; return False."""
    mask = goals.winners(result) if result >= 0 else 0
    if is_won(mask, search.beam_root):
        search.beam_won = 1
        copy_path(search.beam_end, slot)
    return False


def next_generation() -> None:
    """Start a generation; the slots to expand are in `beam_list`."""
    search.beam_next = 0
    search.beam_at = 0
    search.answering = 0
    search.beam_stamp = search.beam_stamp + 1


def grow(limit: int) -> int:
    """Continue up to `limit` positions in all; return True if the generation is complete or a win is found."""
    while search.visited < limit and state.error == 0:
        if search.beam_won:
            return True
        if search.answering == 0:
            if search.beam_at < search.beam_count:
                expand_next()
            else:
                begin_answers()
        elif search.beam_answered == 0 or search.beam_at == search.beam_next:
            search.beam_depth = search.beam_depth + 1
            return True
        else:
            slot = beam_heap[search.beam_at]
            if answer(slot) == 0:
                beam[slot].value = -INFINITE
            search.beam_at = search.beam_at + 1
    return search.beam_won


def expand_next() -> None:
    """Expand the next position of the previous generation."""
    if search.beam_depth == 0:
        turns_of_root()
    else:
        slot = beam_list[search.beam_at]
        load_slot(slot)
        skip_others()
        if all_turns_of(slot) == 0 and has_enough() == 0:
            ended(slot, goals.final_result())
    search.beam_at = search.beam_at + 1


def skip_others() -> None:
    """Skip the turns of the others, unless they have moved already."""
    for _i in range(TURNS_BETWEEN):
        if turn_mover[state.turn] == search.beam_root:
            return
        state.turn = turn.turn_after(state.turn, 1)
        state.clean = 0


def begin_answers() -> None:
    """Begin the answers of the others to the best positions."""
    search.answering = 1
    search.beam_at = 0
    search.beam_half = 1 - search.beam_half
