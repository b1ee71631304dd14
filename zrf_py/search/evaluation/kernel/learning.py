"""Worths of squares, corrected by what wins: random games are played, and each piece of a position that was won gains.

It is a regression of results on who stands where: the sums say how likely a side is to win, the result says how wrong
that was, and every piece on the board of some positions of the game bears a little of the error.
"""

from zrf_py.jit.language import apart, entry
from zrf_py.native.kernel import board, cells, goals, sampling, turn
from zrf_py.native.kernel.memory import cell, params, state
from zrf_py.search.evaluation.kernel import incremental
from zrf_py.search.mcts import kernel as mcts
from zrf_py.search.memory import learned, opponent, piece_square, sample_cell, search

SAMPLES = 8
"""Positions of each game that are learned from."""
LATER = 12
"""Sixteenths of a position's target that come from what followed; the rest is what the sums told of the next one.

Temporal differences (Sutton 1988): results of random games are mostly luck, sums are not."""
AT_ONCE = 16
"""Games after which what was learned is used."""
MIXED = 0x2545_F491_4F6C_DD1D
"""Numbers of games times this begin rows of random numbers that have nothing to do with each other."""
FINE = 1024
"""Parts of a hundredth in which worths are learned; `rate` is how many a piece is given for an error of ONE."""


def keep_sample(count: int) -> None:
    for square in range(params.squares):
        sample_cell[count * params.squares + square] = cell[square]


def correct(sample: int, player: int, result: int, rate: int) -> int:
    """Shift the worths of all pieces of a position towards the result for a player, in shares of ONE; what the sums
    told before."""
    base = sample * params.squares
    lead = 0
    for square in range(params.squares):
        held = sample_cell[base + square]
        if held & 255 == player + 1:
            lead += incremental.value_on(square, held)
        elif held & 255 == opponent[player] + 1:
            lead -= incremental.value_on(square, held)
    size = lead if lead > 0 else -lead
    part = mcts.ONE // 2 * size // (size + search.spread)
    told = mcts.ONE // 2 + part if lead > 0 else mcts.ONE // 2 - part
    error = result - told
    change = error * rate // mcts.ONE if error > 0 else -(-error * rate // mcts.ONE)
    for square in range(params.squares):
        held = sample_cell[base + square]
        if held & 255 == player + 1:
            learned[cells.number_of(square, held)] = learned[cells.number_of(square, held)] + change
        elif held & 255 == opponent[player] + 1:
            learned[cells.number_of(square, held)] = learned[cells.number_of(square, held)] - change
    return told


def use(prior: int) -> None:
    """Worths become the prior ones with what was learned."""
    size = params.squares * (params.types + 1)
    for player in range(2):
        owner = prior if player == 0 else opponent[prior]
        for i in range((owner + 1) * size, (owner + 2) * size):
            whole = learned[i] // FINE if learned[i] >= 0 else -(-learned[i] // FINE)
            piece_square[i] = piece_square[i] + whole
            learned[i] = learned[i] - whole * FINE


@entry
@apart
def learn(first: int, player: int, games: int, rate: int, most: int) -> int:
    """Play so many random games from the loaded position and learn from each; positions visited.

    `first` is the number of the first game, which decides what is drawn in it. After `most` positions no further game
    is begun.
    """
    search.visited = 0
    for game in range(first, first + games):
        if search.visited >= most:
            return search.visited
        state.random = (game + 1) * MIXED | 1
        made = 0
        samples = 0
        result = -1
        while made < search.longest and result < 0 and state.error == 0:
            state.top = 0
            m = mcts.rollout_move()
            if m < 0:
                result = goals.final_result()
            else:
                turn.after(m)
                made += 1
                result = state.result
                if result < 0 and samples < SAMPLES and sampling.random_below(6) == 0:
                    keep_sample(samples)
                    samples += 1
        search.visited = search.visited + made
        if result >= 0:
            mask = goals.winners(result)
            share = mcts.ONE // 2 if mask == 0 else (mcts.ONE if mask >> player & 1 else 0)
            for i in range(samples):  # from the end on
                told = correct(samples - 1 - i, player, share, rate)
                share = (share * LATER + told * (16 - LATER)) // 16
        for _i in range(made):
            board.unmake()
        if game % AT_ONCE == AT_ONCE - 1:
            use(player)
            incremental.sum_up()
    return search.visited
