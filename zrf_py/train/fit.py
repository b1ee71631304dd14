"""Fit weights to labelled positions: logistic regression on top of the built-in sums, regularised towards 0.

The model predicts the first player's share of wins from the sums, a weight per pattern, mobility and side to move.
Weights that the symmetries map to each other are tied, with opposite signs where the players are exchanged. A weight is
the sum of a part shared by all stages and a part of its own stage. The same rows give the same weights.

Where patterns are single squares, each type also has a weight of its own, on the board and off it. Positions are
interpolated between the two stages by the material that is left; decided ones, and those whose best move is a capture,
are left out. The target is the search value alone: results of games would make big pieces too valuable, because large
leads win more often than their value predicts.
"""

from array import array
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zrf_py.search.memory import FULL, SPREAD
from zrf_py.search.plan import Patterns
from zrf_py.train.games import Row
from zrf_py.train.geometry import Geometry
from zrf_py.train.symmetries import Symmetry

PENALTIES = (300.0, 100.0, 30.0, 10.0, 3.0)
"""L2 penalties that are tried, from the strongest, until one predicts held-out games worse than the one before."""
STAGED = 2.0
"""Factor on the penalty for the parts of weights that belong to one stage."""
NEWTON, CONJUGATE = 2, 12
"""Number of Newton steps for each penalty, and of conjugate-gradient steps within each Newton step."""
OUTCOME = 0.5
"""Weight of a game's result in the target of its positions; the rest is the value found by search."""
DECIDED = 5 * SPREAD
"""Value or lead beyond which positions are left out, where patterns are single squares."""
SCALES = (100.0, 4000.0)
"""Bounds of the scale: the value, in hundredths, that stands for odds of e to 1."""
HELD_OUT = 10
"""One game in this many is held out, to choose the penalty."""
LARGEST = 32_000

Floats = Any
"""A numpy array; its element type is not checked."""


@dataclass(frozen=True)
class Fitted:
    """Weights, their scale (see `SCALES`), and mean log losses on held-out positions without and with patterns."""

    patterns: Patterns
    scale: float
    before: float
    after: float


class Fitter:
    """Fitter of the weights of one game, from the view of player `first`."""

    def __init__(self, shape: Geometry, symmetries: Sequence[Symmetry], first: int) -> None:
        self.shape, self.first = shape, first
        self.radices = [shape.radix ** np.arange(length, dtype=np.int64) for length in shape.lengths]
        self.tie, self.sign = self._tied(symmetries)
        self.count = int(self.tie.max()) + 1
        """Number of different weights."""

    def _tied(self, symmetries: Sequence[Symmetry]) -> tuple[Floats, Floats]:
        """Return for each weight the number of its class of tied weights, and its sign (0: it equals its negative)."""
        least = np.arange(self.shape.offsets[-1], dtype=np.int64)
        signs = np.ones(len(least), np.int8)
        for symmetry in symmetries:
            image = self._image(symmetry)
            if image is not None:
                sign = -1 if symmetry.swaps else 1
                signs = np.where(image < least, sign, np.where((image == least) & (signs != sign), 0, signs))
                least = np.minimum(image, least)
        if self.shape.parts:
            for at in self.shape.offsets[:-1]:
                signs[at] = 0  # the weight of an empty square is 0
            types, changed = self._types(any(symmetry.swaps for symmetry in symmetries))
            least, signs = np.concatenate([least, len(least) + types]), np.concatenate([signs, changed])
        return np.unique(least, return_inverse=True)[1].reshape(-1), signs.astype(np.int8)

    def _types(self, swaps: bool) -> tuple[Floats, Floats]:
        """Return the classes and signs of two weights for each digit: for its piece on the board, then off it."""
        radix = self.shape.radix
        own, other = np.arange(radix), np.array(self.shape.swapped if swaps else range(radix))
        least = np.minimum(own, other)
        signs = np.where(own == least, 1, -1) * ((own != other) | (not swaps)) * (own > 0)
        return np.concatenate([least, radix + least]), np.tile(signs, 2)

    def _image(self, symmetry: Symmetry) -> Floats | None:
        """Return an array with the index of each weight's image; None if the image of some pattern is not a pattern."""
        shape, offsets = self.shape, self.shape.offsets
        places = {frozenset(row): (kind, row) for kind, row in zip(shape.classes, shape.squares, strict=True)}
        parts = []
        for number, length in enumerate(shape.lengths):
            image = [symmetry.squares[square] for square in shape.squares[shape.classes.index(number)]]
            if frozenset(image) not in places:
                return None
            kind, row = places[frozenset(image)]
            digits = np.arange(shape.radix**length)[:, None] // self.radices[number] % shape.radix
            if symmetry.swaps:
                digits = np.array(shape.swapped)[digits]
            parts.append(offsets[kind] + digits @ np.array([shape.radix ** row.index(square) for square in image]))
        return np.concatenate(parts)

    def features(self, boards: Floats) -> Floats:
        """Map an array of cells [position, square] to indices of their weights within a stage [position, pattern]."""
        digits = np.array(self.shape.digits, np.int64)[boards]
        offsets = self.shape.offsets
        columns = [offsets[kind] + digits[:, list(row)] @ self.radices[kind]
                   for row, kind in zip(self.shape.squares, self.shape.classes, strict=True)]
        return np.stack(columns, axis=1)

    def counts(self, held: Floats) -> Floats:
        """Map an array of cells and stores [position, square or store] to the numbers of pieces of each digit, on the
        board and then off it [position, digit or radix + digit]."""
        shape, size = self.shape, len(self.shape.stages) - 1
        kinds = len(shape.parts)
        digits = np.array(shape.digits, np.int64)
        columns = [held[:, size + number] for number in range(held.shape[1] - size)]
        off = np.zeros((len(held), shape.radix), np.int8)
        for number, column in enumerate(columns):
            off[:, digits[(number // (kinds - 1) + 1) * kinds + number % (kinds - 1) + 1]] += column.astype(np.int8)
        board = digits[held[:, :size]]
        on = np.stack([(board == digit).sum(1) for digit in range(shape.radix)], axis=1)
        return np.concatenate([on, off], axis=1).astype(np.int8)

    def fit(self, games: Sequence[Sequence[Row]], per_move: int) -> Fitted:
        """Fit weights to the rows of games; `per_move` is the built-in value of mobility, in hundredths."""
        data = _Data(self, games)
        solver = _Solver(self, data, per_move)
        before = solver.loss(data.held)
        best, best_weights = before, solver.weights.copy()
        for penalty in PENALTIES:
            for _ in range(NEWTON):
                solver.step(penalty)
            if (loss := solver.loss(data.held)) >= best:
                break
            best, best_weights = loss, solver.weights.copy()
        return Fitted(self._patterns(best_weights, data.scale, solver.prior), data.scale, before, best)

    def _patterns(self, weights: Floats, scale: float, prior: float) -> Patterns:
        shape, stages, count = self.shape, self.shape.stages[-1] + 1, self.count
        table = weights[None, :count] + weights[count : count * (stages + 1)].reshape(stages, count)
        table = table[:, self.tie] * self.sign[None, :]
        rounded = np.clip(np.rint(table * scale), -LARGEST, LARGEST).astype(np.int16)
        mobility = round((prior + float(weights[count * (stages + 1)])) * scale)
        if not shape.parts:
            return shape.patterns(self.first, mobility, array("h", rounded.tobytes()))
        return shape.by_phase(self.first, mobility, self._by_phase(rounded.astype(np.int32)))

    def _by_phase(self, table: Floats) -> "array[int]":
        """Return weights, [stage][index], as the array `phase_value`."""
        shape, size = self.shape, len(self.shape.stages) - 1
        digits, kinds, begin = np.array(shape.digits), len(shape.parts), self.shape.offsets[-1]
        board = np.zeros((len(digits), size, 2), np.int32)
        for (square,), kind in zip(shape.squares, shape.classes, strict=True):
            board[:, square] = (table[:, shape.offsets[kind] + digits] + table[:, begin + digits]).T[:, ::-1]
        pieces = digits.reshape(-1, kinds)[1:, 1:].reshape(-1)
        hands = table[:, begin + shape.radix + pieces].T[:, ::-1]
        values = np.concatenate([board.reshape(-1, 2), hands])
        return array("h", np.clip(values, -LARGEST, LARGEST).astype(np.int16).tobytes())


class _Data:
    """Rows as arrays, with an entry for each position; `held` has the indices of the positions held out, `used` those
    of the others. `blend` holds (stage, share) arrays; the shares of a position sum to 1."""

    def __init__(self, fitter: Fitter, games: Sequence[Sequence[Row]]) -> None:
        shape = fitter.shape
        if shape.parts:
            games = [[row for row in game if not row[5] and max(abs(row[2]), abs(row[4])) < DECIDED] for game in games]
        rows = [row for game in games for row in game]
        held = np.frombuffer(b"".join(b64decode(row[0]) for row in rows), np.uint16).reshape(len(rows), -1)
        boards = held[:, : len(shape.stages) - 1]
        side, lead, mobility, value = (np.array([row[at] for row in rows], np.float32) for at in range(1, 5))
        result = np.array([-1.0 if row[6] is None else row[6] for row in rows], np.float32)
        index = fitter.features(boards)
        self.stages = np.array(shape.stages)[(boards != 0).sum(1)]
        self.blend = [(self.stages, np.ones(len(rows)))]
        counts = np.ones(index.shape, np.int8)
        if shape.parts:
            types = shape.offsets[-1] + np.arange(2 * shape.radix)
            index = np.concatenate([index, np.tile(types, (len(rows), 1))], axis=1)
            counts = np.concatenate([counts, fitter.counts(held)], axis=1)
            left = np.minimum(np.array(shape.parts)[boards % len(shape.parts)].sum(1) / FULL, 1)
            self.blend = [(np.zeros_like(self.stages), 1 - left), (np.ones_like(self.stages), left)]
        self.weights = fitter.tie[index].astype(np.int32)
        self.signs = fitter.sign[index] * counts
        self.side, self.lead, self.mobility = side, lead, mobility
        self.scale = _scale(value[result >= 0], result[result >= 0])
        by_search = _share(value / self.scale)
        outcome = 0.0 if shape.parts else OUTCOME
        self.target = np.where(result < 0, by_search, outcome * result + (1 - outcome) * by_search)
        numbers = np.repeat(np.arange(len(games)), [len(game) for game in games])
        everything = np.arange(len(rows))
        self.held, self.used = everything[numbers % HELD_OUT == 0], everything[numbers % HELD_OUT != 0]


def _share(logit: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(logit, -12, 12)))


def _scale(values: Floats, results: Floats) -> float:
    """Return the value that stands for odds of e to 1, fitted to the results of games by Newton's method."""
    if not len(values):
        return float(SPREAD)
    slope, values = 1 / SPREAD, np.clip(values, -10 * SPREAD, 10 * SPREAD)
    for _ in range(20):
        share = _share(slope * values)
        curve = float((share * (1 - share) * values * values).sum()) + 1.0
        slope += float(((results - share) * values).sum()) / curve
        slope = min(max(slope, 1 / SCALES[1]), 1 / SCALES[0])
    return 1 / slope


class _Solver:
    """Logistic regression by Newton's method, each step by conjugate gradients.

    `weights` are in logits: the shared parts, the parts of each stage in turn, the weight of mobility (in addition to
    the built-in `prior`), and the weight of the side to move, by stage.
    """

    def __init__(self, fitter: Fitter, data: _Data, per_move: int) -> None:
        self.data, self.count, self.stages = data, fitter.count, fitter.shape.stages[-1] + 1
        self.weights = np.zeros((self.stages + 1) * self.count + 1 + self.stages)
        self.prior = per_move / data.scale
        self.offset = data.lead / data.scale + self.prior * data.mobility
        self.penalty = np.ones_like(self.weights)
        self.penalty[self.count : (self.stages + 1) * self.count] = STAGED

    def sums(self, weights: Floats, at: Floats) -> Floats:
        """Return the weighted sums, in logits, of the positions numbered `at`."""
        data, end = self.data, (self.stages + 1) * self.count
        index = data.weights[at]
        total = weights[index]
        for stages, share in data.blend:
            total += share[at, None] * weights[index + ((stages[at] + 1) * self.count)[:, None]]
        return ((data.signs[at] * total).sum(1) + weights[end] * data.mobility[at]
                + weights[end + 1 + data.stages[at]] * data.side[at])

    def pulls(self, errors: Floats, at: Floats) -> Floats:
        """Apply the transpose of `sums`: return for each weight the signed sum of the errors of its positions."""
        data, end = self.data, (self.stages + 1) * self.count
        index, each, gradient = data.weights[at], data.signs[at] * errors[:, None], np.zeros(len(self.weights))
        for stages, share in data.blend:
            numbers = index + ((stages[at] + 1) * self.count)[:, None]
            gradient += np.bincount(numbers.ravel(), (share[at, None] * each).ravel(), len(self.weights))
        gradient[: self.count] = gradient[self.count : end].reshape(self.stages, -1).sum(0)
        gradient[end] = errors @ data.mobility[at]
        gradient[end + 1 :] = np.bincount(data.stages[at], errors * data.side[at], self.stages)
        return gradient

    def predict(self, at: Floats) -> Floats:
        """Return the predicted shares of wins of the positions numbered `at`."""
        return _share(self.offset[at] + self.sums(self.weights, at))

    def loss(self, at: Floats) -> float:
        """Return the mean log loss of the positions numbered `at`; 0 if there are none."""
        share, target = self.predict(at), self.data.target[at]
        return float(-(target * np.log(share) + (1 - target) * np.log(1 - share)).mean()) if len(at) else 0.0

    def step(self, penalty: float) -> None:
        """Make one step of Newton's method on the used positions; `penalty` applies to the shared parts."""
        at, penalties = self.data.used, penalty * self.penalty
        share = self.predict(at)
        curve = share * (1 - share)
        rest = self.pulls(self.data.target[at] - share, at) - penalties * self.weights
        change, direction, size = np.zeros_like(rest), rest.copy(), float(rest @ rest)
        for _ in range(CONJUGATE):
            image = self.pulls(curve * self.sums(direction, at), at) + penalties * direction
            length = size / max(float(direction @ image), 1e-12)
            change += length * direction
            rest -= length * image
            size, before = float(rest @ rest), size
            direction = rest + size / max(before, 1e-12) * direction
        self.weights += change
