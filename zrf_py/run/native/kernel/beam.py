"""The best positions of each depth: far ahead along one player's own turns, a few of the widest ways at a time.

A generation is what complete turns lead to from the positions of the generation before; the best `BEAM_WIDTH` of them
are kept, each in a slot with the way that led there. Then everybody else makes the turn that is best for him on the
face of it, until the player at the root is to move again. Slots hold whole positions, so that nothing need be played
again to get back to one. There are two halves of them: one is read while the other is filled. What is counted as
visited are positions after complete turns.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import length, replace_cell, unmake
from zrf_py.run.native.kernel.goals import final_result, winners
from zrf_py.run.native.kernel.legal import legal
from zrf_py.run.native.kernel.memory import (
    CHAIN,
    CLEAN,
    ERROR,
    FRAME,
    HAS_ATTRIBUTES,
    KEEPS,
    MOVES_ROOM,
    PLAYERS,
    RESULT,
    SQUARES,
    STORES,
    TAKEN_FROM,
    TAKEN_TO,
    TOP,
    TURN,
    TURN_UNDO,
    UNDO,
    WORDS,
    attributes,
    cell,
    occupied,
    params,
    plays,
    state,
    stores,
    turn_mover,
)
from zrf_py.run.native.kernel.notes import (
    ANSWERING,
    BEAM_ANSWERED,
    BEAM_AT,
    BEAM_COUNT,
    BEAM_DEPTH,
    BEAM_DRAW,
    BEAM_END,
    BEAM_HALF,
    BEAM_LIMIT,
    BEAM_NEXT,
    BEAM_ROOM,
    BEAM_ROOT,
    BEAM_STAMP,
    BEAM_WIDTH,
    BEAM_WON,
    BEST_TURN,
    COUNTING,
    HASH,
    INFINITE,
    KEPT_LEGS,
    LONGEST_TURN,
    MET_IN_TURN,
    NOISE,
    NOISE_SEED,
    PAST,
    PER_STRANGER,
    RACES,
    TABLE_MASK,
    TURN_DRAWN,
    TURN_LEGS,
    TURN_NODES,
    TURN_OF,
    TURN_STAMP,
    TURN_TURNS,
    VISITED,
    WIN,
    beam_attributes,
    beam_cell,
    beam_debt,
    beam_first,
    beam_heap,
    beam_lead,
    beam_legs,
    beam_list,
    beam_state,
    beam_stores,
    beam_value,
    beam_way,
    best_leg,
    in_team,
    past,
    plan,
    ply_mover,
    search,
    standing,
    table_data,
    table_key,
    turn_key,
    turn_leg,
    turn_legs,
    turn_number,
    turn_parent,
    turn_record,
    turn_stamp,
    walk_record,
)
from zrf_py.run.native.kernel.race import owned, strangers
from zrf_py.run.native.kernel.search import lead_of_many, value_again
from zrf_py.run.native.kernel.turn import advance, after, go_on_from, turn_after
from zrf_py.run.native.kernel.uct import record_at
from zrf_py.run.native.kernel.weigh import cell_mark, place_key, scatter, weigh_attributes, weigh_store
from zrf_py.run.native.kernel.words import entry, inline, lowest_bit, shift_right

WIDEST = 30000
"""Words kept free for the moves of one position."""
TURNS_BETWEEN = 40
"""Turns of others in a row that are made before somebody must have been forgotten."""
MANY_TURNS = 4096
"""Who may look at so many positions looks at all first turns, as far as he gets."""
MOST_MET = MET_IN_TURN * 3 // 4

# ----------------------------------------------------------------------------------------------------------- slots


def keep_at(slot: int) -> None:
    """Write the position at hand, which begins a turn, into a slot."""
    at = slot * params[SQUARES]
    for square in range(params[SQUARES]):
        beam_cell[at + square] = cell[square]
        if params[HAS_ATTRIBUTES]:
            beam_attributes[at + square] = attributes[square]
    at = slot * params[STORES]
    for i in range(params[STORES]):
        beam_stores[at + i] = stores[i]
    at = slot * params[KEEPS]
    for i in range(params[KEEPS]):
        beam_state[at + i] = state[i]


def bring_back(slot: int) -> None:
    """Put the position of a slot on the board, with nothing to take back."""
    at = slot * params[SQUARES]
    for square in range(params[SQUARES]):
        held = beam_cell[at + square]
        if held != cell[square]:
            replace_cell(square, cell[square], held)
        if params[HAS_ATTRIBUTES] and beam_attributes[at + square] != attributes[square]:
            weigh_attributes(square, attributes[square], beam_attributes[at + square])
            attributes[square] = beam_attributes[at + square]
    at = slot * params[STORES]
    for i in range(params[STORES]):
        if beam_stores[at + i] != stores[i]:
            weigh_store(i, stores[i], beam_stores[at + i])
            stores[i] = beam_stores[at + i]
    at = slot * params[KEEPS]
    for i in range(params[KEEPS]):
        state[i] = beam_state[at + i]
    begin_afresh()


@inline
def begin_afresh() -> None:
    """From here on: what led to the position at hand is never taken back."""
    state[FRAME] = 0
    state[TOP] = 0
    state[UNDO] = 0
    state[TURN_UNDO] = 0
    state[TAKEN_FROM] = 0
    state[TAKEN_TO] = 0


def way_to(slot: int, parent: int, legs: int) -> None:
    """Write down how a slot is reached: the way of another one (-1: the root), then legs that were just made."""
    count = 0
    if parent >= 0:
        count = beam_legs[parent]
        for i in range(count):
            beam_way[slot * KEPT_LEGS + i] = beam_way[parent * KEPT_LEGS + i]
    beam_first[slot] = beam_first[parent] if parent >= 0 else legs
    beam_legs[slot] = count
    for i in range(legs):
        add_leg(slot, turn_leg[i])


@inline
def add_leg(slot: int, number: int) -> None:
    count = beam_legs[slot]
    if count < KEPT_LEGS:
        beam_way[slot * KEPT_LEGS + count] = number
        beam_legs[slot] = count + 1


# ------------------------------------------------------------------------------------------- the worst one on top


@inline
def heap_value(place: int) -> int:
    return beam_value[beam_heap[place]]


@inline
def swap(one: int, other: int) -> None:
    slot = beam_heap[one]
    beam_heap[one] = beam_heap[other]
    beam_heap[other] = slot


def rise(place: int) -> None:
    while place > 0 and heap_value(place) < heap_value((place - 1) >> 1):
        swap(place, (place - 1) >> 1)
        place = (place - 1) >> 1


def sink() -> None:
    """Put the first of the heap where it belongs."""
    place = 0
    while 2 * place + 1 < search[BEAM_NEXT]:
        child = 2 * place + 1
        if child + 1 < search[BEAM_NEXT] and heap_value(child + 1) < heap_value(child):
            child += 1
        if heap_value(place) <= heap_value(child):
            return
        swap(place, child)
        place = child


def slot_for(value: int) -> int:
    """A slot for a position of this value; -1 if it is none of the best."""
    count = search[BEAM_NEXT]
    if count < search[BEAM_WIDTH]:
        slot = (1 - search[BEAM_HALF]) * search[BEAM_ROOM] + count
        beam_heap[count] = slot
        beam_value[slot] = value
        search[BEAM_NEXT] = count + 1
        rise(count)
        return slot
    slot = beam_heap[0]
    if value <= beam_value[slot]:
        return -1
    beam_value[slot] = value
    sink()
    return slot


# ----------------------------------------------------------------------------------------------------------- turns


@inline
def new_in_turn(key: int) -> int:
    """Whether a position was not met in this turn; now it is."""
    slot = shift_right(key, 24) & (MET_IN_TURN - 1)
    while turn_stamp[slot] == search[TURN_STAMP]:
        if turn_key[slot] == key:
            return False
        slot = (slot + 1) & (MET_IN_TURN - 1)
    turn_stamp[slot] = search[TURN_STAMP]
    turn_key[slot] = key
    return True


def turns_of_root() -> None:
    """Look at every turn of the root; who may look at fewer looks at some drawn at random, short ones and long ones."""
    if search[BEAM_LIMIT] - search[VISITED] < MANY_TURNS:
        search[TURN_OF] = COUNTING
        count = all_turns_of(-1)
        search[TURN_OF] = count if count > search[BEAM_LIMIT] - search[VISITED] else 0
    search[TURN_DRAWN] = search[BEAM_LIMIT] - search[VISITED]
    all_turns_of(-1)
    search[TURN_OF] = 0


def is_left_out() -> int:
    """Whether the turn just found isn't looked at."""
    if search[TURN_OF] == 0:
        return False
    if search[TURN_OF] == COUNTING:
        return True
    drawn = search[TURN_DRAWN]
    first = shift_right(search[NOISE_SEED], 8) % search[TURN_OF]
    return (search[TURN_TURNS] * drawn + first) % search[TURN_OF] >= drawn


def all_turns_of(slot: int) -> int:
    """Look at every turn of the position at hand, the shortest first; how many there are. It is the position of a
    slot, or the root (-1)."""
    search[TURN_STAMP] = search[TURN_STAMP] + 1
    search[TURN_TURNS] = 0
    search[TURN_NODES] = 1
    turn_legs[0] = 0
    start = state[FRAME]
    board = search[HASH]
    n = 0
    while n < search[TURN_NODES] and has_enough() == 0:
        walk_on(n)
        legs_from(n, slot, board)
        while state[FRAME] > start:
            unmake()
        n += 1
    state[TOP] = 0
    return search[TURN_TURNS]


@inline
def has_enough() -> int:
    return state[ERROR] or search[BEAM_WON] or search[VISITED] >= search[BEAM_LIMIT]


def walk_on(n: int) -> None:
    """From the beginning of the turn to where a node of it is."""
    legs = turn_legs[n]
    at = n
    for i in range(legs):
        walk_record[legs - 1 - i] = turn_record[at]
        turn_leg[legs - 1 - i] = turn_number[at]
        at = turn_parent[at]
    for i in range(legs):
        advance(walk_record[i])
        go_on_from(walk_record[i])


def legs_from(n: int, slot: int, board: int) -> None:
    """Every leg that goes on from a node, where the position is, or begins the turn."""
    legs = turn_legs[n]
    m = legal()
    end = state[TOP]
    number = 0
    while m < end:
        if has_enough() or after(m) == 0:
            return
        turn_leg[legs] = number
        if state[CHAIN] < 0 or state[RESULT] >= 0:
            search[TURN_TURNS] = search[TURN_TURNS] + 1
            if state[RESULT] >= 0 or is_left_out() == 0:
                search[VISITED] = search[VISITED] + 1
                if search[ANSWERING]:
                    weigh_answer(legs + 1)
                else:
                    weigh_turn(slot, legs + 1)
        elif search[HASH] != board and has_room_after(n) and new_in_turn(place_key()):
            add_to_turn(n, m, number)
        unmake()
        m += length(m)
        number += 1


@inline
def has_room_after(n: int) -> int:
    """Whether there is room for another node, with moves of its own."""
    if search[TURN_NODES] >= MOST_MET or turn_legs[n] + 2 >= LONGEST_TURN:
        return False
    return state[TOP] + WIDEST <= params[MOVES_ROOM]


@inline
def add_to_turn(parent: int, m: int, number: int) -> None:
    """A leg has led to where the turn can go on."""
    new = search[TURN_NODES]
    turn_parent[new] = parent
    turn_record[new] = m
    turn_number[new] = number
    turn_legs[new] = turn_legs[parent] + 1
    search[TURN_NODES] = new + 1


@inline
def is_with(player: int) -> int:
    """Whether a player and the one at the root win together."""
    return in_team[search[BEAM_ROOT] * params[PLAYERS] + player]


def is_won(mask: int, one: int) -> int:
    """Whether a player, or who is with him, is among the winners."""
    for player in range(params[PLAYERS]):
        if mask >> player & 1 and in_team[one * params[PLAYERS] + player]:
            return True
    return False


def weigh_turn(slot: int, legs: int) -> None:
    """Keep the position at hand, which a turn from a slot has led to, if it is one of the best."""
    if state[RESULT] >= 0:
        finished(slot, legs, winners(state[RESULT]))
        return
    if is_known():
        return
    value = own_value()
    debt = 0
    if slot >= 0:
        debt = beam_debt[slot]
    elif was_there(place_key()):
        debt = owed()
    value -= debt
    new = slot_for(value)
    if new >= 0:
        keep_at(new)
        beam_debt[new] = debt
        beam_lead[new] = lead_of_many(0)
        way_to(new, slot, legs)


def is_known() -> int:
    """Whether the generation has a position with the same men on one's own side; now it has. Those that differ only in
    what the others have done would take each other's room."""
    key = 1
    words = params[WORDS]
    for player in range(params[PLAYERS]):
        if is_with(player):
            for word in range(words):
                bits = occupied[(player + 1) * words + word]
                while bits:
                    square = word * 64 + lowest_bit(bits)
                    key = key ^ cell_mark(square, cell[square])
                    bits = bits & (bits - 1)
    at = key & search[TABLE_MASK]
    if table_key[at] == key and table_data[at] == search[BEAM_STAMP]:
        return True
    table_key[at] = key
    table_data[at] = search[BEAM_STAMP]
    return False


def finished(slot: int, legs: int, mask: int) -> None:
    """A turn has ended the game: the first win found ends the search, and the first draw is kept in mind."""
    if is_won(mask, search[BEAM_ROOT]):
        search[BEAM_WON] = 1
        way_to(search[BEAM_END], slot, legs)
    elif mask == 0 and search[BEAM_DRAW] == 0:
        search[BEAM_DRAW] = 1
        way_to(search[BEAM_END] + 1, slot, legs)


def own_value() -> int:
    """What the side of the player at the root is worth, strangers in his goal deducted."""
    value = 0
    for player in range(params[PLAYERS]):
        if plays[player] and is_with(player):
            value += owned(player)
            if plan[RACES] and search[PER_STRANGER]:
                value -= strangers(player)
    if search[NOISE]:
        value += shift_right(scatter(search[HASH] ^ search[NOISE_SEED]), 32) % search[NOISE] - search[NOISE] // 2
    return value


def was_there(key: int) -> int:
    for i in range(search[PAST]):
        if past[i] == key:
            return True
    return False


def owed() -> int:
    """What is lost by coming back to a position of the game, for good: being ahead, or all if that is a loss."""
    again = value_again(0)
    if again < 0:
        return WIN
    lead = lead_of_many(0)
    return lead if again == 0 and lead > 0 else 0


# --------------------------------------------------------------------------------------------------------- answers


def weigh_answer(legs: int) -> None:
    """Keep in mind the turn of somebody else that has just been made, if it is his best so far."""
    mover = ply_mover[1]
    value = standing[mover + 1]
    if state[RESULT] >= 0:
        mask = winners(state[RESULT])
        value = INFINITE if is_won(mask, mover) else -INFINITE
    if search[TURN_LEGS] == 0 or value > search[BEST_TURN]:
        search[BEST_TURN] = value
        search[TURN_LEGS] = legs
        for i in range(legs):
            best_leg[i] = turn_leg[i]


def answer(slot: int) -> int:
    """Let the others make their turns in the position of a slot; 0 if somebody else has won, or nobody."""
    bring_back(slot)
    for _i in range(TURNS_BETWEEN):
        if turn_mover[state[TURN]] == search[BEAM_ROOT]:
            break
        ply_mover[1] = turn_mover[state[TURN]]
        search[TURN_LEGS] = 0
        search[BEST_TURN] = -INFINITE
        if all_turns_of(slot) == 0:
            return has_enough() or ended(slot, final_result())
        for k in range(search[TURN_LEGS]):
            state[TOP] = 0
            base = legal()
            after(record_at(base, best_leg[k]))
            add_leg(slot, best_leg[k])
        begin_afresh()
        if state[RESULT] >= 0:
            return ended(slot, state[RESULT])
    keep_at(slot)
    beam_lead[slot] = lead_of_many(0)
    return True


def ended(slot: int, result: int) -> int:
    """The game has ended before the player at the root is to move again; no turn of his goes on from there."""
    mask = winners(result) if result >= 0 else 0
    if is_won(mask, search[BEAM_ROOT]):
        search[BEAM_WON] = 1
        way_to(search[BEAM_END], slot, 0)
    return False


# ------------------------------------------------------------------------------------------------------ generations


@entry
def beam_begin(width: int) -> None:
    """Begin with the loaded and weighed position: the next generation is the first."""
    search[BEAM_ROOT] = turn_mover[state[TURN]]
    ply_mover[0] = search[BEAM_ROOT]
    search[BEAM_DEPTH] = 0
    search[BEAM_HALF] = 0
    search[BEAM_WON] = 0
    search[BEAM_DRAW] = 0
    search[BEAM_COUNT] = 1
    state[TOP] = 0
    beam_next(width)


@entry
def beam_next(width: int) -> None:
    """Begin a generation; the slots to go on from are in `beam_list`."""
    search[BEAM_WIDTH] = width
    search[BEAM_NEXT] = 0
    search[BEAM_AT] = 0
    search[ANSWERING] = 0
    search[BEAM_STAMP] = search[BEAM_STAMP] + 1


@entry
def beam_go(budget: int) -> int:
    """Go on for about `budget` positions; 1 when the generation is complete, or a win is found."""
    limit = search[VISITED] + budget
    while search[VISITED] < limit and state[ERROR] == 0:
        if search[BEAM_WON]:
            return True
        if search[ANSWERING] == 0:
            if search[BEAM_AT] < search[BEAM_COUNT]:
                one_of_the_best()
            else:
                turn_over()
        elif search[BEAM_ANSWERED] == 0 or search[BEAM_AT] == search[BEAM_NEXT]:
            search[BEAM_DEPTH] = search[BEAM_DEPTH] + 1
            return True
        else:
            slot = beam_heap[search[BEAM_AT]]
            if answer(slot) == 0:
                beam_value[slot] = -INFINITE
            search[BEAM_AT] = search[BEAM_AT] + 1
    return search[BEAM_WON]


def one_of_the_best() -> None:
    """Look at all turns of the next position of the generation before."""
    if search[BEAM_DEPTH] == 0:
        turns_of_root()
    else:
        slot = beam_list[search[BEAM_AT]]
        bring_back(slot)
        sit_still()
        if all_turns_of(slot) == 0 and has_enough() == 0:
            ended(slot, final_result())
    search[BEAM_AT] = search[BEAM_AT] + 1


def sit_still() -> None:
    """Pass over the turns of others, if they haven't made them."""
    for _i in range(TURNS_BETWEEN):
        if turn_mover[state[TURN]] == search[BEAM_ROOT]:
            return
        state[TURN] = turn_after(state[TURN], 1)
        state[CLEAN] = 0


def turn_over() -> None:
    """All turns are looked at; now the others answer to the best of them."""
    search[ANSWERING] = 1
    search[BEAM_AT] = 0
    search[BEAM_HALF] = 1 - search[BEAM_HALF]
