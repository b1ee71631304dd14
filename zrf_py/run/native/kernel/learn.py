"""Worths of squares, corrected by what wins: random games are played, and each piece of a position that was won gains.

It is a regression of results on who stands where: the sums say how likely a side is to win, the result says how wrong
that was, and every piece on the board of some positions of the game bears a little of the error.
"""

from __future__ import annotations

from zrf_py.run.native.kernel.board import unmake
from zrf_py.run.native.kernel.drawing import random_below
from zrf_py.run.native.kernel.goals import final_result, winners
from zrf_py.run.native.kernel.memory import ERROR, RANDOM, RESULT, SQUARES, TOP, TYPES, cell, params, state
from zrf_py.run.native.kernel.notes import (
    LONGEST,
    SPREAD,
    VISITED,
    learned,
    opponent,
    sample_cell,
    search,
    worth,
)
from zrf_py.run.native.kernel.turn import after
from zrf_py.run.native.kernel.uct import ONE, draw_move
from zrf_py.run.native.kernel.weigh import number_of, weigh_all, worth_of
from zrf_py.run.native.kernel.words import apart, entry

SAMPLES = 8
"""Positions of each game that are learned from."""
FINE = 1024
"""Parts of a hundredth in which worths are learned; `rate` is how many a piece is given for an error of ONE."""


def keep_sample(count: int) -> None:
    for square in range(params[SQUARES]):
        sample_cell[count * params[SQUARES] + square] = cell[square]


def correct(sample: int, player: int, result: int, rate: int) -> None:
    """Shift the worths of all pieces of a position towards the result for a player, in shares of ONE."""
    base = sample * params[SQUARES]
    lead = 0
    for square in range(params[SQUARES]):
        held = sample_cell[base + square]
        if held & 255 == player + 1:
            lead += worth_of(square, held)
        elif held & 255 == opponent[player] + 1:
            lead -= worth_of(square, held)
    size = lead if lead > 0 else -lead
    part = ONE // 2 * size // (size + search[SPREAD])
    error = result - (ONE // 2 + part if lead > 0 else ONE // 2 - part)
    change = error * rate // ONE if error > 0 else -(-error * rate // ONE)
    for square in range(params[SQUARES]):
        held = sample_cell[base + square]
        if held & 255 == player + 1:
            learned[number_of(square, held)] = learned[number_of(square, held)] + change
        elif held & 255 == opponent[player] + 1:
            learned[number_of(square, held)] = learned[number_of(square, held)] - change


def use(prior: int) -> None:
    """Worths become the prior ones with what was learned."""
    size = params[SQUARES] * (params[TYPES] + 1)
    for player in range(2):
        owner = prior if player == 0 else opponent[prior]
        for i in range((owner + 1) * size, (owner + 2) * size):
            whole = learned[i] // FINE if learned[i] >= 0 else -(-learned[i] // FINE)
            worth[i] = worth[i] + whole
            learned[i] = learned[i] - whole * FINE


@entry
@apart
def learn(seed: int, player: int, games: int, rate: int) -> int:
    """Play so many random games from the loaded position and learn from each; positions visited."""
    state[RANDOM] = seed * 2 + 1
    search[VISITED] = 0
    for game in range(games):
        made = 0
        samples = 0
        result = -1
        while made < search[LONGEST] and result < 0 and state[ERROR] == 0:
            state[TOP] = 0
            m = draw_move()
            if m < 0:
                result = final_result()
            else:
                after(m)
                made += 1
                result = state[RESULT]
                if result < 0 and samples < SAMPLES and random_below(6) == 0:
                    keep_sample(samples)
                    samples += 1
        search[VISITED] = search[VISITED] + made
        if result >= 0:
            mask = winners(result)
            share = ONE // 2 if mask == 0 else (ONE if mask >> player & 1 else 0)
            for i in range(samples):
                correct(i, player, share, rate)
        for _i in range(made):
            unmake()
        if game % 16 == 15:
            use(player)
            weigh_all()
    return search[VISITED]
