"""Operations on ranges of slots: check and play actions, draw random ones, begin games."""

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
"""Words of a cache line (64 bytes)."""
MOST_CHANCES = 10000
"""Maximum number of dice moves in succession."""


@entry
def fleet_root(slot: int) -> None:
    """Make the loaded position the start position: store it in `slot`, which must be the slot after all games."""
    state.top = 0
    keep(slot)


@entry
def fleet_put(slot: int, past: int) -> None:
    """Put the loaded position into a slot, with `past` keys of earlier positions already in `slot_seen`."""
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
    """Seed the random generators of slots `first` … `last` - 1 from one number, each differently."""
    for slot in range(first, last):
        slot_words[slot * fleet.stride + RANDOM] = keys.mix(keys.mix(number + 1) + slot) | 1


@inline
def work(what: int, first: int, last: int) -> None:
    """Run operation `what` in slots `first` … `last` - 1."""
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
    """Check that the actions are legal, and look up their codes; note the first slot whose action is illegal."""
    for slot in range(first, last):
        if slot_done[slot] == 0 and slot_truncated[slot] == 0 and slot_action[slot] != HOLD:
            action = slot_action[slot]
            at = slot * fleet.room
            unmatched = slot_count[slot]
            for i in range(unmatched):
                if slot_legal[at + i] == action:
                    slot_chosen[slot] = slot_code[at + i]
                    unmatched = 0
                    break
            if unmatched or slot_count[slot] == 0:
                note_wrong(slot)
                return


def note_wrong(slot: int) -> None:
    held = read_now(crew, Crew.wrong)
    while (held < 0 or slot < held) and replace_now(crew, Crew.wrong, held, slot) == 0:
        held = read_now(crew, Crew.wrong)


@inline
def step(first: int, last: int) -> None:
    """Play the legs that `check` looked up; begin a new game where one is over (unless OFF). HOLD does neither."""
    for slot in range(first, last):
        if slot + 1 < last:
            prefetch(slot + 1)
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
def prefetch(slot: int) -> None:
    """Prefetch the memory of a slot that will be played next."""
    at = slot * fleet.stride
    for line in range(fleet.stride // WORDS + 1):
        soon(slot_words, at + line * WORDS)
    if slot_chosen[slot] <= A_RECORD:
        soon(slot_record, slot * fleet.words_room + A_RECORD - slot_chosen[slot])


@inline
def list_anew(first: int, last: int) -> None:
    """List the legal actions again, after the memory for them has grown."""
    for slot in range(first, last):
        load(slot)
        slot_count[slot] = fleet.room
        list_legs(slot)


@entry
def fleet_load(slot: int) -> None:
    """Load the position of a slot."""
    load(slot)


@inline
def draw_actions(first: int, last: int) -> None:
    """Draw a uniformly random legal action in each slot; 0 if there is none."""
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
    """Write the record of a listed leg; return its index in `moves`."""
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
    """Like `fetch`, for a leg whose block must be run to write its record."""
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
    """Begin the next game at once; keep reward and flags of the game that has ended, and copy its observation."""
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
    """Play a record, and discard the undo log."""
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
    """Play dice moves, at most `MOST_CHANCES`, until an ordinary player is to move or the game is over."""
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
    """Write legal actions, player and observation, and store the position; at a game's end, write reward and flags."""
    result = show_position(slot)
    if result >= 0:
        reward(slot, result)
        slot_done[slot] = 1
    elif slot_ply[slot] >= fleet.most:
        slot_truncated[slot] = 1


@inline
def show_position(slot: int) -> int:
    """Write legal actions, player and observation, and store the position; return the result (-1: none yet)."""
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
