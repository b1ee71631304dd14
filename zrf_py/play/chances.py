"""Each side's probability of winning, and that of a draw, derived from the search value of a position.

Each game has one curve, fitted to positions of self-play games, with their search values and the games' results: a
softmax over the sides and the draw. The shares sum to one. Early values predict less than late ones: the weight of a
value grows with the stage of the game, the share of its pieces already captured, or already placed. With more than two
sides, one player's value says little about the others, so each side's material and progress are features, too.
Cross-validation compares the fit with the base rates of the seats; if it isn't better, no chances are shown.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.play.players import greedy_for, player, random_turn
from zrf_py.run.engine import Engine
from zrf_py.run.position import NOBODY, Outcome, Position
from zrf_py.search.game_search import search_for
from zrf_py.search.limits import limits
from zrf_py.search.memory import SPREAD, SURE
from zrf_py.search.result import Analysis

ENOUGH, PLENTY = 64, 192
"""Minimum and maximum number of games to fit weights to."""
MANY_TURNS = 3000
"""Approximate number of turns of all games to fit weights to: short games depend more on luck, so more are played."""
MAX_TURNS = 300
"""Maximum number of turns of a game; a longer one is dropped."""
OPENING = 6
"""Maximum number of random turns at the beginning, so that games differ."""
EACH = 10
"""Maximum number of positions evaluated in each game."""
PLAYER = "ai:5"
NODES = 1_000
"""Positions visited by the search for each value; twenty times as many give the same curve."""
STEPS = 150
GAIN = 0.98
"""The log loss must be below this fraction of that of the seats' base rates."""
FOLDS = 3
NEVER = 50.0
"""Weight against draws in the general curve, which predicts none."""
LEAST = 0.01
"""Minimum weight of the search value, so that a certain win is never taken for a draw."""
FAR = 5.0
"""Limit on features while weights are fitted, in multiples of their mean size."""
CALM, EARLY = 0.002, 0.2
"""Penalty on all weights; extra penalty on the weight of early values, times the mean stage. Early search values vary
with the depth of the search, so that opening moves would look like mistakes without this penalty. It costs little: with
learned weights, the log loss rises from 0.51 to 0.53 in othello and from 0.35 to 0.36 in checkers."""
SLIPS = 0.05
"""Share of turns that are random, so that the leader sometimes loses."""

Features = list[list[float]]
"""A row of numbers for each side, then one for the draw."""


@dataclass
class Samples:
    """Positions sampled from self-play: `rows` are [game, features, shares of the result]. `games` is the number of
    games, `endless` that of games without a result, `turns` the total number of players' turns."""

    games: int = 0
    endless: int = 0
    rows: list[list[Any]] = field(default_factory=list)
    turns: int = 0

    @property
    def wanted(self) -> int:
        """Number of games to play: more if they are short."""
        return min(PLENTY, max(ENOUGH, MANY_TURNS * self.games // max(1, self.turns)))

    @property
    def are_enough(self) -> bool:
        """True if no more games are to be played: there are enough, or too many had no result."""
        return self.games >= self.wanted or self.endless * 3 > self.wanted


@dataclass(frozen=True)
class Weights:
    """Fitted weights of a game; `loss` is their log loss on held-out games, `blind` that of the base rates."""

    weights: list[float]
    loss: float
    blind: float

    @property
    def tells(self) -> bool:
        """True if the fit beats the base rates (log loss below `GAIN` times `blind`)."""
        return bool(self.weights) and self.loss < GAIN * self.blind


def unfitted(program: Program) -> Weights:
    """Return the weights of the general curve, for games without fitted ones; `tells` is True only for two sides."""
    own = program.game.sides
    steep = 100 * math.log(3) / (2 * SPREAD)  # at `SPREAD` the chance of winning is 3 in 4
    return Weights([steep, *[0.0] * (len(own) + 1), -NEVER, 0.0, 0.0], 0.0, float(len(own) == 2))


def play_more(program: Program, engine: Engine, samples: Samples, seed: int, seconds: float) -> None:
    """Play games until there are enough, or `seconds` of processor time have passed; the last one is finished."""
    end = time.process_time() + seconds
    while not samples.are_enough:
        play_one(program, engine, samples, Random(f"{seed} {samples.games}"))
        if time.process_time() > end:
            return


def play_one(program: Program, engine: Engine, samples: Samples, random: Random) -> None:
    """Play one more game, and sample some of its positions."""
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
    ended = shares_of(program, result)
    search = search_for(program)
    for at, before in random.sample(seen, min(EACH, len(seen))):
        analysis = search.analyse(at, before, limits(nodes=NODES))
        if not analysis.proven and abs(analysis.value) <= SURE:
            sampled = features(program, engine, at, analysis.player_of(program, at), analysis.value)
            samples.rows.append([samples.games, sampled, ended])


def shares_of(program: Program, result: Outcome) -> list[float]:
    """Return a result as shares that sum to one: of each side, and of the draw."""
    own = program.game.sides
    won = [side for side in own if result.is_won_by(*side)]
    if not won or len(won) == len(own):
        return [0.0] * len(own) + [1.0]
    return [1 / len(won) if side in won else 0.0 for side in own] + [0.0]


def features(program: Program, engine: Engine, position: Position, mover: int, value: int) -> Features:
    """Return the features of a position, a row for each side and one for the draw. A side's row has the search value
    (`value` is that of `mover`), the seat (one-hot), with more than two sides relative material and progress, and last
    the value times the stage of the game; the draw's row has the size of the lead."""
    own = program.game.sides
    late = stage(program, position)
    have, far = _counted(engine, position, own) if len(own) > 2 else ([0.0] * len(own), [0.0] * len(own))
    lead = value / 100
    rows = []
    for i, side in enumerate(own):
        worth = lead if mover in side else -lead / max(1, len(own) - 1)
        rows.append([worth, *(float(i == j) for j in range(1, len(own))), have[i], far[i], 0.0, 0.0, worth * late])
    rows.append([0.0] * (len(own) + 2) + [1.0, abs(lead), 0.0])
    return rows


def stage(program: Program, position: Position) -> float:
    """Return the stage of the game, from 0 (start) to 1: the share of the initial pieces that have left the board, or
    of the initially empty squares that have been filled."""
    men = len(position.owner) - position.owner.count(NOBODY)
    begun = len({square for _, _, square in program.game.setup})
    return abs(men - begun) / max(1, begun if men < begun else len(position.owner) - begun)


def _counted(engine: Engine, position: Position, own: Sequence[tuple[int, ...]]) -> tuple[list[float], list[float]]:
    greedy = greedy_for(engine)
    return (_centred([sum(greedy.material(position, p) for p in side) for side in own]),
            _centred([sum(greedy.progress(position, p) for p in side) for side in own]))


def _centred(values: list[float]) -> list[float]:
    mean = sum(values) / len(values)
    wide = sum(abs(v) for v in values) / len(values) or 1.0
    return [max(-4.0, min(4.0, 8 * (v - mean) / wide)) for v in values]


def shares(
    weights: Weights, program: Program, engine: Engine, position: Position, result: Analysis, value: int | None = None,
) -> list[float]:
    """Return each side's probability of winning, then that of a draw, given the `value` of a line of a search. If that
    is None, the best line's value is used, and a proven draw between two sides is certain."""
    own = program.game.sides
    if value is None and result.proven and abs(result.value) <= SURE and len(own) == 2:
        return [0.0, 0.0, 1.0]
    mover = result.player_of(program, position)
    value = result.value if value is None else value
    return softmax(weights.weights, features(program, engine, position, mover, value))


def score(program: Program, shares: Sequence[float], player: int) -> float:
    """Return the expected score of a player, from 0 (lost) to 1 (won); all sides share a draw."""
    own = program.game.sides
    return sum(share for side, share in zip(own, shares, strict=False) if player in side) + shares[-1] / len(own)


def fit(samples: Samples) -> Weights:
    """Return weights fitted to all games, with their cross-validated log loss; no weights if too few games ended."""
    if samples.endless * 3 > samples.games:
        return Weights([], math.inf, 0.0)
    loss = blind = 0.0
    for fold in range(FOLDS):
        held = [row for row in samples.rows if row[0] % FOLDS == fold]
        rest = [row for row in samples.rows if row[0] % FOLDS != fold]
        if not held or not rest:
            return Weights([], math.inf, 0.0)
        trained = _train(rest)
        loss += sum(_loss(softmax(trained, sampled), was) for _, sampled, was in held)
        blind += sum(_loss(_shares_of_seats(rest), was) for _, _, was in held)
    return Weights(_train(samples.rows), loss / len(samples.rows), blind / len(samples.rows))


def _shares_of_seats(rows: Sequence[list[Any]]) -> list[float]:
    """Return the base rates of a win for each seat and of a draw, with add-one smoothing."""
    won = [sum(row[2][i] for row in rows) + 1 for i in range(len(rows[0][2]))]
    return [w / sum(won) for w in won]


def softmax(weights: Sequence[float], rows: Features) -> list[float]:
    """Return the shares of all sides and of the draw, which sum to one; missing trailing weights count as 0."""
    sums = [sum(w * x for w, x in zip(weights, row, strict=False)) for row in rows]
    top = max(sums)
    parts = [math.exp(s - top) for s in sums]
    return [part / sum(parts) for part in parts]


def _loss(predicted: Sequence[float], actual: Sequence[float]) -> float:
    return -sum(w * math.log(max(1e-9, s)) for s, w in zip(predicted, actual, strict=True))


def _train(rows: Sequence[list[Any]]) -> list[float]:
    """Fit weights to scaled features by gradient descent with momentum, regularised towards the seats' base rates."""
    size = len(rows[0][1][0])
    columns = [[abs(line[k]) for _, sampled, _ in rows for line in sampled if line[k]] for k in range(size)]
    usual = [sum(column) / len(column) if column else 1.0 for column in columns]
    scaled = [([[max(-FAR, min(FAR, x / u)) for x, u in zip(line, usual, strict=True)] for line in sampled], was)
              for _, sampled, was in rows]
    first, *others, drawn = (math.log(share) for share in _shares_of_seats(rows))
    penalties = [CALM] * size
    penalties[0] += EARLY * sum(columns[-1]) / max(1.0, sum(columns[0]))
    even = drawn - (first + sum(others)) / (size - 5)
    begin = [0.0, *(other - first for other in others), 0.0, 0.0, even, 0.0, 0.0]
    weights, speed = begin.copy(), [0.0] * size
    for _ in range(STEPS):
        slope = [penalty * (w - w0) for penalty, w, w0 in zip(penalties, weights, begin, strict=True)]
        for sampled, was in scaled:
            for share, true, line in zip(softmax(weights, sampled), was, sampled, strict=True):
                off = (share - true) / len(rows)
                for k, x in enumerate(line):
                    slope[k] += off * x
        for k in range(size):
            speed[k] = 0.9 * speed[k] - 0.15 * slope[k]
            weights[k] += speed[k]
    weights[0], weights[-1] = max(LEAST, weights[0]), max(0.0, weights[-1])  # a certain win stays a win, not a draw
    weights[-2] = min(0.0, weights[-2])
    return [w / u for w, u in zip(weights, usual, strict=True)]
