"""A position → how likely each player wins, and how likely a draw is: fitted to games that computers play.

What a player has (pieces, how near the goals) and what a short search says are put into a softmax over the players and
the draw, so the shares sum to one. The weights are found from games of weak computer players against themselves, for
each game anew. Games that are held back say whether that tells more than how often each seat wins; if not, nothing
is told.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.play.players import greedy_for, player, random_turn
from zrf_py.run.engine import Engine
from zrf_py.run.position import Outcome, Position
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import limits

ENOUGH, PLENTY = 96, 288
"""Games that weights are fitted to, at least and at most."""
MANY_TURNS = 4000
"""Turns in all these games, about: of short ones there are more, since each leaves more to luck."""
MAX_TURNS = 300
"""A game that goes on for longer tells nothing."""
OPENING = 6
"""Up to so many turns at its beginning are drawn by lot, that games differ."""
EACH = 10
"""Positions of a game that are looked at."""
PLAYER = "ai:3"
NODES = 300
STEPS = 150
GAIN = 0.98
"""The log loss must be below so much of what knowing nothing but the seats has."""
OFF = 0.08
"""What is said may be off by so much, on average, from what comes true in games that were held back."""
FOLDS = 3
TEMPERATURES = tuple(t / 20 for t in range(2, 27))
"""What weights are multiplied by, so that on games that were held back nobody is surer than he should be."""
GROUPS = (0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9)
SPREAD = 300.0
SLIPS = 0.1
"""The share of turns that are drawn by lot, so that those who are ahead sometimes lose."""

Features = list[list[float]]
"""A row of numbers for each player, then one for the draw."""


@dataclass
class Samples:
    """`rows` are [game, features, shares of the result]; `games` were played, `endless` of them without an end, in so
    many `turns`."""

    games: int = 0
    endless: int = 0
    rows: list[list[Any]] = field(default_factory=list)
    turns: int = 0

    @property
    def wanted(self) -> int:
        """How many games are enough: more where they are short."""
        return min(PLENTY, max(ENOUGH, MANY_TURNS * self.games // max(1, self.turns)))

    @property
    def are_enough(self) -> bool:
        """Whether there is nothing more to play: as many as wanted, or too many of them without an end."""
        return self.games >= self.wanted or self.endless * 3 > self.wanted


@dataclass(frozen=True)
class Weights:
    """What is kept of a game: weights, and how well they tell of games held back: the log loss, that of the seats
    alone, and how far what is said is from what comes true, on average."""

    weights: list[float]
    loss: float
    blind: float
    off: float = 0.0

    @property
    def tells(self) -> bool:
        """Whether it is worth showing."""
        return self.loss < GAIN * self.blind and self.off < OFF


def seats(program: Program) -> list[int]:
    """The players that are no chance and no neutral ones."""
    return [i for i, p in enumerate(program.game.players) if p.kind == "player"]


def play_more(program: Program, engine: Engine, samples: Samples, seed: int, seconds: float) -> None:
    """Play games until there are enough or the processor time is over; at least one."""
    end = time.process_time() + seconds
    while not samples.are_enough:
        play_one(program, engine, samples, Random(f"{seed} {samples.games}"))
        if time.process_time() > end:
            return


def play_one(program: Program, engine: Engine, samples: Samples, random: Random) -> None:
    """One more game, and some of its positions."""
    position = engine.start()
    past: list[Position] = []
    seen: list[tuple[Position, tuple[Position, ...]]] = []
    opening = random.randrange(OPENING + 1)
    for turn in range(MAX_TURNS):
        moves = engine.moves(position)
        if position.result is not None or not moves:
            break
        if program.game.players[program.game.turns[position.turn].mover].kind == "player":
            seen.append((position, tuple(past)))
        wild = turn < opening or random.random() < SLIPS
        choose = random_turn if wild else player(PLAYER)
        for leg in choose(engine, position, random, tuple(past)):
            past.append(position)
            position = engine.after(position, leg)
    result = position.result or engine.outcome(position)
    samples.games += 1
    samples.turns += len(seen)
    if result is None:
        samples.endless += 1
        return
    shares = shares_of(program, result)
    for at, before in random.sample(seen, min(EACH, len(seen))):
        samples.rows.append([samples.games, features(program, engine, at, before), shares])


def shares_of(program: Program, result: Outcome) -> list[float]:
    """A result as shares of one: of each player, and of the draw."""
    own = seats(program)
    winners = [p for p in own if p in result.winners]
    if not winners and result.losers:
        winners = [p for p in own if p not in result.losers]
    if not winners or len(winners) == len(own):
        return [0.0] * len(own) + [1.0]
    return [1 / len(winners) if p in winners else 0.0 for p in own] + [0.0]


def features(program: Program, engine: Engine, position: Position, past: Sequence[Position]) -> Features:
    """What tells who will win: for each player what he has against the others, how far he has come, what a search
    says of who is to move; each also with the turns that were made, since leads tell more late in a game."""
    greedy = greedy_for(engine)
    own = seats(program)
    have = _centred([greedy.material(position, p) for p in own])
    far = _centred([greedy.progress(position, p) for p in own])
    late = min(2.0, len(past) / 60)
    mover = own.index(m) if (m := program.game.turns[position.turn].mover) in own else -1
    told = _told(engine, position, past)
    rows = []
    for i in range(len(own)):
        said = told if i == mover else -told / max(1, len(own) - 1)
        rows.append([have[i], have[i] * late, far[i], far[i] * late, said, said * late, float(i == mover),
                     *(float(i == j) for j in range(len(own) - 1)), 0.0, 0.0, 0.0])
    rows.append([0.0] * (6 + len(own)) + [1.0, late, abs(told)])
    return rows


def _told(engine: Engine, position: Position, past: Sequence[Position]) -> float:
    """What a short search says of the player to move, from -1 (lost) to 1 (won)."""
    if not engine.moves(position):
        return 0.0
    analysis = search_for(engine.program).analyse(position, past, limits(nodes=NODES))
    if analysis.expected:
        return 0.0
    return 3 * analysis.value / (abs(analysis.value) + SPREAD)


def _centred(values: list[float]) -> list[float]:
    mean = sum(values) / len(values)
    wide = sum(abs(v) for v in values) / len(values) or 1.0
    return [max(-4.0, min(4.0, 8 * (v - mean) / wide)) for v in values]


# -------------------------------------------------------------------------------------------------------------- fitting


def fit(samples: Samples) -> Weights:
    """Weights from all games, as sure of themselves as is right for games that were held back while others were
    learned from."""
    if samples.endless * 3 > samples.games:
        return Weights([], math.inf, 0.0)
    said: list[tuple[list[float], list[float]]] = []
    blind = 0.0
    for fold in range(FOLDS):
        held = [row for row in samples.rows if row[0] % FOLDS == fold]
        rest = [row for row in samples.rows if row[0] % FOLDS != fold]
        if not held or not rest:
            return Weights([], math.inf, 0.0)
        trained = _train(rest)
        said += [(_sums(trained, row[1]), row[2]) for row in held]
        blind += sum(_loss(_shares_of_seats(rest), row[2]) for row in held)
    loss, heat = min((_mean_loss(said, heat), heat) for heat in TEMPERATURES)
    weights = [heat * w for w in _train(samples.rows)]
    return Weights(weights, loss, blind / len(said), _off([(_shares(sums, heat), was) for sums, was in said]))


def _shares_of_seats(rows: Sequence[list[Any]]) -> list[float]:
    """How often each seat wins, and how often nobody does: what is known without looking."""
    won = [sum(row[2][i] for row in rows) + 1 for i in range(len(rows[0][2]))]
    return [w / sum(won) for w in won]


def _mean_loss(said: Sequence[tuple[list[float], list[float]]], heat: float) -> float:
    return sum(_loss(_shares(sums, heat), was) for sums, was in said) / len(said)


def _off(said: Sequence[tuple[list[float], list[float]]]) -> float:
    """How far shares are from what came true, on average over groups of about the same share."""
    pairs = [pair for shares, was in said for pair in zip(shares, was, strict=True)]
    groups = [[pair for pair in pairs if low <= pair[0] < high] for low, high in pairwise((*GROUPS, math.inf))]
    return sum(abs(sum(share - true for share, true in group)) for group in groups) / len(pairs)


def softmax(weights: Sequence[float], rows: Features) -> list[float]:
    """Shares of all players and of the draw, which sum to one."""
    return _shares(_sums(weights, rows))


def _sums(weights: Sequence[float], rows: Features) -> list[float]:
    return [sum(w * x for w, x in zip(weights, row, strict=True)) for row in rows]


def _shares(sums: Sequence[float], heat: float = 1.0) -> list[float]:
    top = max(sums)
    parts = [math.exp(heat * (s - top)) for s in sums]
    total = sum(parts)
    return [p / total for p in parts]


def _loss(said: Sequence[float], was: Sequence[float]) -> float:
    return -sum(w * math.log(max(1e-9, s)) for s, w in zip(said, was, strict=True))


def _train(rows: Sequence[list[Any]]) -> list[float]:
    """Gradient descent with a pull to zero."""
    size = len(rows[0][1][0])
    sparse = [([[(k, x) for k, x in enumerate(row) if x] for row in found], was) for _, found, was in rows]
    weights, speed = [0.0] * size, [0.0] * size
    for _ in range(STEPS):
        slope = [0.01 * w for w in weights]
        for found, was in sparse:
            shares = _shares([sum(weights[k] * x for k, x in row) for row in found])
            for share, true, row in zip(shares, was, found, strict=True):
                off = (share - true) / len(rows)
                for k, x in row:
                    slope[k] += off * x
        for k in range(size):
            speed[k] = 0.9 * speed[k] - 0.15 * slope[k]
            weights[k] += speed[k]
    return weights
