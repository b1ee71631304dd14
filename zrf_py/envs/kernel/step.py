"""One leg in each game of some slots."""

from zrf_py.jit.language import copy_all, entry, inline, read_now, replace_now, soon
from zrf_py.native.kernel import board, goals, keys, legal, sampling, turn, walk
from zrf_py.native.kernel.masks import setting, yield_direct
from zrf_py.native.kernel.memory import NO_ERROR, choices, moves, params, state, turn_mover
from zrf_py.envs.kernel.memory import (
    A_PASS, A_RECORD, BEGIN, CHECK, DRAW, HOLD, OFF, SAME, STEP, UNNAMED, Crew, chance_player, crew, fleet, leg_yield,
    seat_of, slot_action, slot_chosen, slot_code, slot_count, slot_done, slot_final, slot_legal, slot_observation,
    slot_player, slot_ply, slot_record, slot_truncated, slot_words,
)
from zrf_py.envs.kernel.names import action_of
from zrf_py.envs.kernel.past import begin_past, note_leg, note_turn
from zrf_py.envs.kernel.show import fault, list_legs, no_reward, observe, reward
from zrf_py.envs.kernel.slots import RANDOM, keep, load

WORDS = 8
"""That come to a processor together."""
MOST_CHANCES = 10000
"""Moves of dice one after the other."""


@entry
def fleet_root(slot: int) -> None:
    """The position that was loaded is the one that games begin with."""
    state.top = 0
    keep(slot)


@entry
def fleet_put(slot: int, past: int) -> None:
    """The position that was loaded stands in a slot; so many keys of earlier ones are in `slot_seen`."""
    state.random = slot_words[slot * fleet.stride + RANDOM]
    begin_past(slot, past)
    slot_ply[slot] = 0
    slot_done[slot] = 0
    slot_truncated[slot] = 0
    no_reward(slot)
    settle(slot)
    show(slot)


@entry
def fleet_seed(first: int, last: int, number: int) -> None:
    """Each slot has numbers at random of its own."""
    for slot in range(first, last):
        slot_words[slot * fleet.stride + RANDOM] = keys.mix(keys.mix(number + 1) + slot) | 1


@inline
def work(what: int, first: int, last: int) -> None:
    """One of the things to do, in some slots."""
    if what == CHECK:
        check(first, last)
    elif what == STEP:
        step(first, last)
    elif what == DRAW:
        draw_actions(first, last)
    elif what == BEGIN:
        for slot in range(first, last):
            begin(slot)
            show(slot)
    else:
        list_anew(first, last)


@inline
def check(first: int, last: int) -> None:
    """Find out what to play, and whether it is legal."""
    for slot in range(first, last):
        if slot_done[slot] == 0 and slot_truncated[slot] == 0 and slot_action[slot] != HOLD:
            wanted = slot_action[slot]
            at = slot * fleet.room
            left = slot_count[slot]
            for i in range(left):
                if slot_legal[at + i] == wanted:
                    slot_chosen[slot] = slot_code[at + i]
                    left = 0
                    break
            if left or slot_count[slot] == 0:
                note_wrong(slot)
                return


def note_wrong(slot: int) -> None:
    held = read_now(crew, Crew.wrong)
    while (held < 0 or slot < held) and replace_now(crew, Crew.wrong, held, slot) == 0:
        held = read_now(crew, Crew.wrong)


@inline
def step(first: int, last: int) -> None:
    """Play the legs that `check` has found."""
    for slot in range(first, last):
        if slot + 1 < last:
            call_in(slot + 1)
        if slot_action[slot] == HOLD:
            continue
        if slot_done[slot] or slot_truncated[slot]:
            if fleet.autoreset != OFF:
                begin(slot)
                show(slot)
            else:
                no_reward(slot)
        else:
            make_leg(slot)


@inline
def call_in(slot: int) -> None:
    """Let the memory of the next slot come while this one is at work."""
    at = slot * fleet.stride
    for line in range(fleet.stride // WORDS + 1):
        soon(slot_words, at + line * WORDS)
    if slot_chosen[slot] <= A_RECORD:
        soon(slot_record, slot * fleet.words_room + A_RECORD - slot_chosen[slot])


@inline
def list_anew(first: int, last: int) -> None:
    """Write the legal actions once more, into memory that has grown."""
    for slot in range(first, last):
        load(slot)
        slot_count[slot] = fleet.room
        list_legs(slot)


@entry
def fleet_load(slot: int) -> None:
    """The position of a slot becomes the one at hand."""
    load(slot)


@inline
def draw_actions(first: int, last: int) -> None:
    """A uniformly random action in each slot."""
    for slot in range(first, last):
        at = slot * fleet.stride + RANDOM
        state.random = slot_words[at]
        slot_action[slot] = 0
        if slot_count[slot]:
            slot_action[slot] = slot_legal[slot * fleet.room + sampling.random_below(slot_count[slot])]
        slot_words[at] = state.random


def begin(slot: int) -> None:
    numbers = slot_words[slot * fleet.stride + RANDOM]
    load(crew.slots)
    state.random = numbers
    begin_past(slot, 0)
    slot_ply[slot] = 0
    slot_done[slot] = 0
    slot_truncated[slot] = 0
    no_reward(slot)
    settle(slot)


def make_leg(slot: int) -> None:
    load(slot)
    play_leg(slot, fetch(slot, slot_chosen[slot]))
    slot_ply[slot] = slot_ply[slot] + 1
    no_reward(slot)
    settle(slot)
    show(slot)
    if fleet.autoreset == SAME and (slot_done[slot] or slot_truncated[slot]):
        restart(slot)


def fetch(slot: int, code: int) -> int:
    """Write the record of a leg that was listed; where it begins."""
    state.top = 0
    if code == A_PASS:
        state.target_square = -1
        walk.write_pass(-1)
        return 0
    if code >= 0:
        which = code % setting.most_types
        start = code // setting.most_types % params.squares
        i = code // setting.most_types // params.squares
        if yield_direct[i]:
            return sampling.write_yield(i, start, which)
        return record_of(slot, i, start, leg_yield[code])
    at = slot * fleet.words_room + A_RECORD - code
    head = slot_record[at]
    size = board.HEAD + (head & board.SMALL) + (head >> 12 & board.SMALL) + (head >> 24 & board.SMALL)
    for i in range(size):
        moves[i] = slot_record[at + i]
    state.top = size
    return 0


def record_of(slot: int, i: int, start: int, action: int) -> int:
    """The same where its block has to be run."""
    sampling.run_yield(i, start)
    m = 0
    while m < state.top:
        if action_of(m) == action:
            return m
        m += board.length(m)
    fault(slot, UNNAMED)
    walk.write_pass(-1)
    return m


def restart(slot: int) -> None:
    """The next game, with the end of the last one still in sight."""
    if fleet.watched:
        size = fleet.planes * params.squares
        copy_all(slot_final, slot * size, slot_observation, slot * size, size)
    done = slot_done[slot]
    truncated = slot_truncated[slot]
    numbers = slot_words[slot * fleet.stride + RANDOM]
    load(crew.slots)
    state.random = numbers
    begin_past(slot, 0)
    slot_ply[slot] = 0
    settle(slot)
    show_position(slot)
    slot_done[slot] = done
    slot_truncated[slot] = truncated


def play_leg(slot: int, m: int) -> None:
    """Play a record for good."""
    state.result = -1
    board.play(m)
    if turn.chains(m):
        note_leg()
        state.clean = 0
        board.forget_frames()
    else:
        turn.finish_turn()
        note_turn(slot)
        board.begin_afresh()


@inline
def settle(slot: int) -> None:
    """Let the dice have their turns."""
    if fleet.chances:
        throw(slot)


def throw(slot: int) -> None:
    for _i in range(MOST_CHANCES):
        if state.result >= 0 or chance_player[turn_mover[state.turn]] == 0 or state.error:
            return
        state.top = 0
        base = legal.legal()
        count = sampling.list_records(base, state.top)
        if count == 0:
            return
        play_leg(slot, choices[sampling.random_below(count)])


@inline
def show(slot: int) -> None:
    """What a learner sees, and whether the game is over."""
    result = show_position(slot)
    if result >= 0:
        reward(slot, result)
        slot_done[slot] = 1
    elif slot_ply[slot] >= fleet.most:
        slot_truncated[slot] = 1


@inline
def show_position(slot: int) -> int:
    """What a learner sees; the result, -1 while the game goes on."""
    result = state.result
    count = list_legs(slot)
    if result < 0 and count == 0 and state.error == NO_ERROR:
        result = goals.final_result()
    if state.error:
        fault(slot, state.error)
        state.error = NO_ERROR
        slot_truncated[slot] = 1
    slot_player[slot] = seat_of[turn_mover[state.turn]]
    keep(slot)
    if fleet.watched:
        observe(slot)
    return result
