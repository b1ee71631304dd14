"""Learn piece-square values from random games by temporal-difference regression.

In positions sampled from each game, a player's share of wins is predicted from the total value of its pieces, less that
of the opponent's pieces. The error is spread over all pieces on the board.
"""

from zrf_py.jit.language import apart, copy_all, entry
from zrf_py.native.kernel import board, cells, goals, sampling, turn
from zrf_py.native.kernel.memory import cell, params, state
from zrf_py.search.evaluation.kernel import incremental
from zrf_py.search.mcts import kernel as mcts
from zrf_py.search.memory import learned, opponent, piece_square, sample_cell, search

SAMPLES = 8
"""Maximum number of positions sampled per game."""
LATER = 12
"""Sixteenths of a sample's target taken from the next sample's target; the rest is the prediction for the next sample.

TD(lambda) (Sutton 1988): results of random games are mostly luck, predictions are not."""
AT_ONCE = 16
"""Games between updates of the weights."""
MIXED = 0x2545_F491_4F6C_DD1D
"""Factor that turns consecutive game numbers into unrelated seeds."""
FINE = 1024
"""Learned changes are in units of 1/FINE of a hundredth; `rate` is the change of each piece for an error of ONE."""


def correct(sample: int, player: int, result: int, rate: int) -> int:
    """Shift the weights of all pieces of a sample towards a player's result, 0 to ONE; return the prediction before
    the shift, on the same scale."""
    base = sample * params.squares
    lead = 0
    for square in range(params.squares):
        held = sample_cell[base + square]
        if held & 255 == player + 1:
            lead += incremental.value_on(square, held)
        elif held & 255 == opponent[player] + 1:
            lead -= incremental.value_on(square, held)
    estimate = mcts.share_of(lead)
    error = result - estimate
    change = error * rate // mcts.ONE if error > 0 else -(-error * rate // mcts.ONE)
    for square in range(params.squares):
        held = sample_cell[base + square]
        if held & 255 == player + 1:
            learned[cells.number_of(square, held)] = learned[cells.number_of(square, held)] + change
        elif held & 255 == opponent[player] + 1:
            learned[cells.number_of(square, held)] = learned[cells.number_of(square, held)] - change
    return estimate


def use(prior: int) -> None:
    """Add the whole hundredths of the learned changes to the weights, and keep the rest."""
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
    """Play random games from the loaded position and learn from each; return the number of positions visited.

    `first` is the number of the first game; a game's number seeds it. No game is begun after `most` positions.
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
                    copy_all(sample_cell, samples * params.squares, cell, 0, params.squares)
                    samples += 1
        search.visited = search.visited + made
        if result >= 0:
            mask = goals.winners(result)
            share = mcts.ONE // 2 if mask == 0 else (mcts.ONE if mask >> player & 1 else 0)
            for i in range(samples):  # from the last sample to the first
                estimate = correct(samples - 1 - i, player, share, rate)
                share = (share * LATER + estimate * (16 - LATER)) // 16
        for _i in range(made):
            board.unmake()
        if game % AT_ONCE == AT_ONCE - 1:
            use(player)
            incremental.sum_up()
    return search.visited
