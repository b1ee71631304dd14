"""The best positions of each depth: far ahead along one player's own turns, a few of the widest ways at a time.

A generation is what complete turns lead to from the positions of the generation before; the best `BEAM_WIDTH` of them
are kept, each in a slot with the way that led there. Then everybody else makes the turn that is best for him on the
face of it, until the player at the root is to move again. Slots hold whole positions, so that nothing need be played
again to get back to one. There are two halves of them: one is read while the other is filled. What is counted as
visited are positions after complete turns.
"""

from zrf_py.jit.language import entry, inline, lowest_bit, shift_right
from zrf_py.native.kernel import board, goals, keys, turn, turns
from zrf_py.native.kernel.memory import cell, occupied, params, plays, state, turn_mover
from zrf_py.search.alphabeta.kernel import values
from zrf_py.search.evaluation.kernel import races, incremental
from zrf_py.search.memory import (
    COUNTING, INFINITE, WIN, beam, beam_heap, beam_list, in_team, past, plan, ply, search, standing, table_data,
    table_key,
)
from zrf_py.search.beam.slots import add_turn, bring_back, copy_way, keep_at, slot_for

TURNS_BETWEEN = 40
"""Turns of others in a row that are made before somebody must have been forgotten."""
MANY_TURNS = 4096
"""Who may look at so many positions looks at all first turns, as far as he gets."""

# ----------------------------------------------------------------------------------------------------------- turns


def turns_of_root() -> None:
    """Look at every turn of the root; who may look at fewer looks at some drawn at random, short ones and long ones."""
    if search.beam_limit - search.visited < MANY_TURNS:
        search.turn_of = COUNTING
        count = all_turns_of(-1)
        search.turn_of = count if count > search.beam_limit - search.visited else 0
    search.turn_drawn = search.beam_limit - search.visited
    all_turns_of(-1)
    search.turn_of = 0


def is_left_out() -> int:
    """Whether the turn just found isn't looked at."""
    if search.turn_of == 0:
        return False
    if search.turn_of == COUNTING:
        return True
    drawn = search.turn_drawn
    first = shift_right(search.noise_seed, 8) % search.turn_of
    return (search.turn_turns * drawn + first) % search.turn_of >= drawn


def all_turns_of(slot: int) -> int:
    """Look at every turn of the position at hand, the shortest first; how many there are. It is the position of a
    slot, or the root (-1)."""
    search.turn_slot = slot
    search.turn_turns = 0
    return turns.visit_turns()


@inline
def has_enough_turns() -> int:
    """Whether no more turns need be looked at."""
    return search.beam_won or search.visited >= search.beam_limit


@inline
def has_enough() -> int:
    return state.error or has_enough_turns()


def turn_ends(m: int, number: int, at: int) -> int:
    """A turn leads to the position at hand: keep it if it is one of the best, or the best answer so far."""
    search.turn_turns = search.turn_turns + 1
    if state.result >= 0 or is_left_out() == 0:
        search.visited = search.visited + 1
        if search.answering:
            weigh_answer(m, number, at)
        else:
            weigh_turn(number, at)
    return True


@inline
def is_with(player: int) -> int:
    """Whether a player and the one at the root win together."""
    return in_team[search.beam_root * params.players + player]


def is_won(mask: int, one: int) -> int:
    """Whether a player, or who is with him, is among the winners."""
    for player in range(params.players):
        if mask >> player & 1 and in_team[one * params.players + player]:
            return True
    return False


def weigh_turn(number: int, at: int) -> None:
    """Keep the position at hand, which a turn from a slot has led to, if it is one of the best."""
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
    elif was_there(incremental.position_key()):
        debt = owed()
    value -= debt
    new = slot_for(value)
    if new >= 0:
        keep_at(new)
        beam[new].debt = debt
        beam[new].lead = values.lead_of_many(0)
        copy_way(new, slot)
        add_turn(new, number, at)


def is_known() -> int:
    """Whether the generation has a position with the same men on one's own side; now it has. Those that differ only in
    what the others have done would take each other's room."""
    key = 1
    words = params.words
    for player in range(params.players):
        if is_with(player):
            for word in range(words):
                bits = occupied[(player + 1) * words + word]
                while bits:
                    square = word * 64 + lowest_bit(bits)
                    key = key ^ keys.of_cell(square, cell[square])
                    bits = bits & (bits - 1)
    at = key & search.table_mask
    if table_key[at] == key and table_data[at] == search.beam_stamp:
        return True
    table_key[at] = key
    table_data[at] = search.beam_stamp
    return False


def finished(number: int, at: int, mask: int) -> None:
    """A turn has ended the game: the first win found ends the search, and the first draw is kept in mind."""
    if is_won(mask, search.beam_root):
        search.beam_won = 1
        copy_way(search.beam_end, search.turn_slot)
        add_turn(search.beam_end, number, at)
    elif mask == 0 and search.beam_draw == 0:
        search.beam_draw = 1
        copy_way(search.beam_end + 1, search.turn_slot)
        add_turn(search.beam_end + 1, number, at)


def own_value() -> int:
    """What the side of the player at the root is worth, strangers in his goal deducted."""
    value = 0
    for player in range(params.players):
        if plays[player] and is_with(player):
            value += races.owned(player)
            if plan.races and search.per_stranger:
                value -= races.strangers(player)
    return value + incremental.noise()


def was_there(key: int) -> int:
    if plan.endless:
        return False
    for i in range(search.past):
        if past[i] == key:
            return True
    return False


def owed() -> int:
    """What is lost by coming back to a position of the game, for good: being ahead, or all if that is a loss."""
    again = values.value_of_repetition(0)
    if again < 0:
        return WIN
    lead = values.lead_of_many(0)
    return lead if again == 0 and lead > 0 else 0


# --------------------------------------------------------------------------------------------------------- answers


def weigh_answer(m: int, number: int, at: int) -> None:
    """Keep in mind the turn of somebody else that has just been made, if it is his best so far."""
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
    """Let the others make their turns in the position of a slot; 0 if somebody else has won, or nobody."""
    bring_back(slot)
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
    keep_at(slot)
    beam[slot].lead = values.lead_of_many(0)
    return True


def ended(slot: int, result: int) -> int:
    """The game has ended before the player at the root is to move again; no turn of his goes on from there."""
    mask = goals.winners(result) if result >= 0 else 0
    if is_won(mask, search.beam_root):
        search.beam_won = 1
        copy_way(search.beam_end, slot)
    return False


# ------------------------------------------------------------------------------------------------------ generations


@entry
def beam_begin(width: int) -> None:
    """Begin with the loaded and weighed position: the next generation is the first."""
    search.beam_root = turn_mover[state.turn]
    ply[0].mover = search.beam_root
    search.beam_depth = 0
    search.beam_half = 0
    search.beam_won = 0
    search.beam_draw = 0
    search.beam_count = 1
    state.top = 0
    beam_next(width)


@entry
def beam_next(width: int) -> None:
    """Begin a generation; the slots to go on from are in `beam_list`."""
    search.beam_width = width
    search.beam_next = 0
    search.beam_at = 0
    search.answering = 0
    search.beam_stamp = search.beam_stamp + 1


@entry
def beam_go(budget: int) -> int:
    """Go on for about `budget` positions; 1 when the generation is complete, or a win is found."""
    limit = search.visited + budget
    while search.visited < limit and state.error == 0:
        if search.beam_won:
            return True
        if search.answering == 0:
            if search.beam_at < search.beam_count:
                one_of_the_best()
            else:
                turn_over()
        elif search.beam_answered == 0 or search.beam_at == search.beam_next:
            search.beam_depth = search.beam_depth + 1
            return True
        else:
            slot = beam_heap[search.beam_at]
            if answer(slot) == 0:
                beam[slot].value = -INFINITE
            search.beam_at = search.beam_at + 1
    return search.beam_won


def one_of_the_best() -> None:
    """Look at all turns of the next position of the generation before."""
    if search.beam_depth == 0:
        turns_of_root()
    else:
        slot = beam_list[search.beam_at]
        bring_back(slot)
        sit_still()
        if all_turns_of(slot) == 0 and has_enough() == 0:
            ended(slot, goals.final_result())
    search.beam_at = search.beam_at + 1


def sit_still() -> None:
    """Pass over the turns of others, if they haven't made them."""
    for _i in range(TURNS_BETWEEN):
        if turn_mover[state.turn] == search.beam_root:
            return
        state.turn = turn.turn_after(state.turn, 1)
        state.clean = 0


def turn_over() -> None:
    """All turns are looked at; now the others answer to the best of them."""
    search.answering = 1
    search.beam_at = 0
    search.beam_half = 1 - search.beam_half
