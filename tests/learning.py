"""Connect four learned by self-play, in some sixty lines of numpy: `python -m tests.learning`.

The value of a position depends on its rows of four squares, with a weight for each (own men, other men) in a row. Games
are played in a fleet: each leg leads to the best position, now and then to a random one. The value of the position
after a move is changed towards minus the value after the opponent's move, or towards the reward: TD(0).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zrf_py.envs import Fleet

GAMES, STEPS, RATE, EXPLORE, KINDS = 256, 900, 0.2, 0.1, 25
Numbers = NDArray[np.float64]


def rows(fleet: Fleet) -> NDArray[np.int64]:
    """Return the squares of every four in a row, found by the links of the board."""
    graph, found = fleet.graph, set()
    following = np.full((len(graph.directions), len(graph.squares)), -1)
    following[graph.edge_type, graph.edge_index[0]] = graph.edge_index[1]
    for way in following:
        for square in range(len(graph.squares)):
            line = [square]
            while len(line) < 4 and way[line[-1]] >= 0:
                line.append(int(way[line[-1]]))
            if len(line) == 4:
                found.add(tuple(sorted(line)))
    return np.array(sorted(found))


def best(
    fleet: Fleet, lines: NDArray[np.int64], weights: Numbers, explore: Numbers,
) -> tuple[NDArray[np.int32], Numbers]:
    """Return for each slot an action and the features of the position after it, as seen by the player who acts."""
    ends = np.array([fleet.graph.squares.index(text.split("@")[1]) for text in fleet.actions.texts])
    slots, actions = np.repeat(np.arange(fleet.size), fleet.count), fleet.legal[fleet.legal >= 0]
    boards = fleet.observation[slots][:, :2]
    boards[np.arange(len(slots)), 0, ends[actions]] = 1
    own, other = boards[:, 0][:, lines].sum(2), boards[:, 1][:, lines].sum(2)
    features = np.stack([(own * 5 + other == kind).sum(1) for kind in range(KINDS)], 1).astype(np.float64)
    features = features / 10 * (np.arange(KINDS) > 0)
    values = features @ weights + 99 * (own == 4).any(1) + 9 * explore[slots] * np.random.default_rng(
        int(fleet.ply.sum())).random(len(slots))
    order = np.lexsort((values, slots))
    chosen = order[np.append(np.diff(slots[order]) > 0, [True] * (len(order) > 0))]
    action, where = np.zeros(fleet.size, np.int32), np.zeros((fleet.size, KINDS))
    action[slots[chosen]], where[slots[chosen]] = actions[chosen], features[chosen]
    return action, where


def train(seed: int = 0, steps: int = STEPS) -> Numbers:
    """Return weights learned by self-play."""
    random, weights, slots = np.random.default_rng(seed), np.zeros(KINDS), np.arange(GAMES)
    with Fleet("connect-four", GAMES, seed=seed, threads=2) as fleet:
        lines, before, begun = rows(fleet), np.zeros((GAMES, KINDS)), np.zeros(GAMES, bool)
        for step in range(steps):
            mover, fresh = fleet.player.copy(), fleet.done.copy()
            action, where = best(fleet, lines, weights, random.random(GAMES) < EXPLORE)
            fleet.step(action)
            value = np.where(fleet.done, fleet.reward[slots, mover], np.tanh(where @ weights))
            for position, target, counts in ((before, -value, begun & ~fresh), (where, value, fleet.done & ~fresh)):
                guess = np.tanh(position @ weights)
                weights += RATE * (1 - step / steps) * ((target - guess) * (1 - guess**2) * counts) @ position / GAMES
            before, begun = where, ~fresh & ~fleet.done
    return weights


def score(weights: Numbers, games: int = 400, seed: int = 1) -> float:
    """Return the score against random moves, half of the games as the first player: 1 for a win, ½ for a draw."""
    seat, slots = np.arange(games) % 2, np.arange(games)
    with Fleet("connect-four", games, seed=seed, autoreset="off") as fleet:
        lines, total = rows(fleet), np.zeros(games)
        while not fleet.done.all():
            action, _ = best(fleet, lines, weights, np.zeros(games))
            fleet.step(np.where(fleet.player == seat, action, fleet.sample()))
            total += fleet.reward[slots, seat]
        return float((total + 1).mean() / 2)


if __name__ == "__main__":
    learnt = train()
    print(f"untrained {score(np.zeros(KINDS)):.3f}, trained {score(learnt):.3f}")
    print(learnt.reshape(5, 5).round(2))
