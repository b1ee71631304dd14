"""Outputs of a slot: legal actions, observation, reward."""

from zrf_py.jit.language import MANY, copy_all, fill_all, inline, lowest_bit, squares_of
from zrf_py.native.kernel import board, goals, legal, sampling
from zrf_py.native.kernel.masks import group_from, setting, yield_count, yield_direct, yield_masks
from zrf_py.native.kernel.memory import (
    END_RESULT, END_ROW, RESULT_LOSS, attributes, cell, ends, moves, occupied, params, plays, state, stores,
    turn_mover,
)
from zrf_py.envs.kernel.memory import (
    A_PASS, A_RECORD, AMBIGUOUS, UNNAMED, crew, fill_at, fleet, leg_at, leg_more, leg_stamp, leg_yield, out_player,
    piece_plane, seat_of, slot_code, slot_count, slot_legal, slot_observation, slot_record, slot_reward, slot_words,
)
from zrf_py.envs.kernel.names import action_of
from zrf_py.envs.kernel.slots import TIMES

# ------------------------------------------------------------------------------------------------------ legal actions


def list_legs(slot: int) -> int:
    """Write the legal actions of the loaded position and their codes; return their number."""
    fleet.stamp = fleet.stamp + 1
    count = -1
    if fleet.by_sets:
        count = list_by_sets(slot)
    if count < 0:
        count = list_written(slot)
    for i in range(count, slot_count[slot]):
        if i < fleet.room:
            slot_legal[slot * fleet.room + i] = -1
    slot_count[slot] = count
    return count


def list_by_sets(slot: int) -> int:
    """Like `list_legs`, from bitboards without records; -1 if that is impossible (names clash, or there is no room)."""
    if state.result >= 0:
        return 0
    left = sampling.count_moves(MANY)
    if left + 1 > fleet.room:
        return -1
    passes = sampling.passes(left)
    at = slot * fleet.room
    count = 0
    if left:
        for i in range(group_from[state.group], group_from[state.group + 1]):
            for start in squares_of(yield_masks, i, params.words):
                for which in range(yield_count[i]):
                    code = (i * params.squares + start) * setting.most_types + which
                    action = leg_yield[code]
                    if action < 0 or (leg_stamp[action] == fleet.stamp and (
                            yield_direct[i] == 0 or leg_more[action] == 1)):
                        fleet.stamp = fleet.stamp + 1
                        return -1
                    if leg_stamp[action] != fleet.stamp:
                        leg_stamp[action] = fleet.stamp
                        slot_legal[at + count] = action
                        slot_code[at + count] = code
                        count += 1
    if passes:
        slot_legal[at + count] = fleet.pass_action
        slot_code[at + count] = A_PASS
        count += 1
    return count


def list_written(slot: int) -> int:
    """Like `list_legs`, by generating and storing records; reports lack of room in `fleet`."""
    state.top = 0
    base = legal.legal()
    end = state.top
    stamp = fleet.stamp
    at = slot * fleet.room
    count = 0
    m = base
    while m < end and state.error == 0:
        action = action_of(m)
        if action < 0:
            fault(slot, UNNAMED)
            return 0
        if leg_stamp[action] == stamp:
            action = free_action(slot, action, m)
        if action >= 0:
            leg_stamp[action] = stamp
            leg_at[action] = m
            if count < fleet.room:
                slot_legal[at + count] = action
                slot_code[at + count] = A_RECORD - (m - base)
            count += 1
        m += board.length(m)
    if count > fleet.room or end - base > fleet.words_room:
        fleet.wanted_room = count if count > fleet.wanted_room else fleet.wanted_room
        fleet.wanted_words = end - base if end - base > fleet.wanted_words else fleet.wanted_words
        crew.trouble = 1
    else:
        copy_all(slot_record, slot * fleet.words_room, moves, base, end - base)
    state.top = 0
    return count


def free_action(slot: int, action: int, m: int) -> int:
    """Return a free action for record `m`: one of the same name, or else a spare one; -1 if an equivalent leg is listed
    already, or if no action is left (a fault)."""
    while leg_stamp[action] == fleet.stamp:
        if is_same(leg_at[action], m):
            return -1
        if leg_more[action] == 1:
            action += 1
        elif action < fleet.others:
            action = fleet.others
        else:
            action += 1
        if action >= fleet.others_end:
            fault(slot, AMBIGUOUS)
            return -1
    return action


def is_same(m: int, other: int) -> int:
    """Return whether two records are equivalent."""
    rest = 1099511627775
    if moves[m] != moves[other]:
        return False
    if moves[m] & board.SMALL == 0 and moves[m + 1] & rest != moves[other + 1] & rest:
        return False
    if board.partial_of(m) > -2 and board.end_of(m) != board.end_of(other):
        return False
    for i in range(board.HEAD, board.length(m)):
        if moves[m + i] != moves[other + i]:
            return False
    return True


def fault(slot: int, which: int) -> None:
    if fleet.fault == 0:
        fleet.fault = which
        fleet.fault_slot = slot
        crew.trouble = 1


# ------------------------------------------------------------------------------------------------------------ rewards


@inline
def no_reward(slot: int) -> None:
    for i in range(fleet.ordinary):
        slot_reward[slot * fleet.ordinary + i] = 0


@inline
def reward(slot: int, result: int) -> None:
    """Write the rewards: 1 for each winner, -1 for each loser, 0 in a draw."""
    won = goals.winners(result)
    rest = -1 if won or is_loss(result) else 0
    for player in range(params.players):
        if plays[player]:
            slot_reward[slot * fleet.ordinary + seat_of[player]] = 1 if won >> player & 1 else rest


@inline
def is_loss(result: int) -> int:
    """Return whether a result without winners is a loss, not a draw."""
    if result >= goals.DEFAULTS:
        return result < 2 * goals.DEFAULTS or (fleet.alone and result < 3 * goals.DEFAULTS)
    return ends[result // params.players * END_ROW + END_RESULT] == RESULT_LOSS


# ------------------------------------------------------------------------------------------------------- observations


def observe(slot: int) -> None:
    """Write the observation of the loaded position, from the view of the player to move."""
    squares = params.squares
    base = slot * fleet.planes * squares
    fill_all(slot_observation, base, 0, fleet.planes * squares)
    viewer = turn_mover[state.turn]
    row = viewer * (params.players + 1) * (params.types + 1)
    for owner in range(1, params.players + 1):
        for square in squares_of(occupied, owner, params.words):
            at = piece_plane[row + owner * (params.types + 1) + (cell[square] >> 8)]
            slot_observation[base + at + square] = 1
    observe_squares(base)
    for i in range(fleet.fills):
        fill(base, fleet.fill_plane + i, stores[fill_at[viewer * fleet.fills + i]])
    if fleet.turn_planes > 1:
        fill(base, fleet.turn_plane + state.turn, 1)
    elif fleet.turn_planes:
        fill(base, fleet.turn_plane, state.turn)
    if fleet.must_plane >= 0:
        fill(base, fleet.must_plane, state.must)
    if fleet.out_plane >= 0:
        for i in range(params.players):
            fill(base, fleet.out_plane + i, state.out >> out_player[viewer * params.players + i] & 1)
    if fleet.times_plane >= 0:
        fill(base, fleet.times_plane, slot_words[slot * fleet.stride + TIMES])


@inline
def observe_squares(base: int) -> None:
    """Write the planes set square by square: attributes, the last move, the piece that must move on."""
    squares = params.squares
    if fleet.attribute_plane >= 0:
        for square in range(squares):
            mask = attributes[square]
            while mask:
                slot_observation[base + (fleet.attribute_plane + lowest_bit(mask)) * squares + square] = 1
                mask = mask & (mask - 1)
    if fleet.last_plane >= 0:
        if state.last_from >= 0:
            slot_observation[base + fleet.last_plane * squares + state.last_from] = 1
        if state.last_to >= 0:
            slot_observation[base + (fleet.last_plane + 1) * squares + state.last_to] = 1
    if fleet.chain_plane >= 0 and state.chain >= 0:
        slot_observation[base + fleet.chain_plane * squares + state.chain] = 1


@inline
def fill(base: int, plane: int, value: int) -> None:
    """Fill a plane, which is all 0, with a value clipped to -127 … 127."""
    if value > 127:
        value = 127
    if value < -127:
        value = -127
    if value:
        fill_all(slot_observation, base + plane * params.squares, value, params.squares)
