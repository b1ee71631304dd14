"""Sequential probability ratio test of an Elo difference: a match stops as soon as it is decided.

A. Wald, Sequential Tests of Statistical Hypotheses (1945), in the generalised form of the testing sites of chess
engines: the unit is a group of games with one opening, for two sides a pair. The scores of pairs have five values
(the pentanomial model), whose probabilities are the most likely ones with the mean that each hypothesis demands. Games
of a pair depend on each other, pairs do not, so neither uneven openings nor draws distort the error rates. With more
sides a group has more games, and its mean score is used in the same way; dice are part of the luck of a game.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log
from statistics import mean

from zrf_py.batch.jobs import Result
from zrf_py.text.diagnostics import ZrfError

ERROR = 0.05
"""Default probability of each wrong decision."""
RARE = 1e-3
"""Count assumed for a score that has not occurred, so that its probability isn't zero."""
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean scores of a pair of games, from two losses to two wins."""
FIRST, SECOND = "H0", "H1"
"""Decisions: the difference is at most `elo0`, or at least `elo1`."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Test of H0 (stronger by `elo0`, logistic) against H1 (by `elo1`); `alpha`, `beta`: risk of wrong H1, wrong H0."""

    elo0: float
    elo1: float
    alpha: float = ERROR
    beta: float = ERROR

    def __post_init__(self) -> None:
        """:raises ZrfError: if `elo0` is not below `elo1`, or either is outside ±1000."""
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ZrfError("a sequential test needs two Elo values from -1000 to 1000, the smaller one first", "usage",
                           help="`--sprt 0 10` tests whether the first player is 10 Elo stronger rather than equal")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def llr(self, scores: Mapping[float, int]) -> float:
        """Return the log-likelihood ratio of H1 to H0, given the number of groups by mean score (0 to 1)."""
        if not sum(scores.values()):
            return 0.0
        counts = {score: scores.get(score) or RARE for score in {*PAIR_SCORES, *scores}}
        low, high = (_tilt(counts, 1 / (1 + 10 ** (-elo / 400))) for elo in (self.elo0, self.elo1))
        return sum(count * log(low[score] / high[score]) for score, count in counts.items())

    def decision(self, llr: float) -> str:
        """Return the hypothesis that is accepted; "" while the test goes on."""
        low, high = self.bounds
        return FIRST if llr <= low else SECOND if llr >= high else ""


def _tilt(counts: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return divisors: the most likely distribution with this mean has the probabilities `count / total / divisor`.

    The divisors are 1 + x (score - mean), where x solves Σ count (score - mean) / divisor = 0; the sum decreases in x.
    """
    distances = {score: score - mean for score in counts}
    low, high = -1 / max(distances.values()), -1 / min(distances.values())
    for _ in range(100):
        x = (low + high) / 2
        if sum(count * distances[score] / (1 + x * distances[score]) for score, count in counts.items()) > 0:
            low = x
        else:
            high = x
    return {score: 1 + x * distance for score, distance in distances.items()}


@dataclass
class Run:
    """A test in progress. Groups count in the order of their numbers, whichever game ends first: otherwise short games
    would count too much during the test, and the result would depend on the number of workers."""

    test: Sprt
    size: int
    """Games per group."""
    scores: Counter[float] = field(default_factory=Counter)
    groups: int = 0
    """Groups considered so far."""
    decision: str = ""
    _results: dict[int, Result] = field(default_factory=dict)

    @property
    def llr(self) -> float:
        return self.test.llr(self.scores)

    @property
    def games(self) -> int:
        """Number of games considered: games 0 … `games` - 1."""
        return self.groups * self.size

    def add(self, number: int, result: Result) -> bool:
        """Add the result of a game; return True once the test is decided. Groups with a failed game don't count."""
        self._results[number] = result
        while not self.decision and all(self.games + i in self._results for i in range(self.size)):
            group = [self._results.pop(self.games + i) for i in range(self.size)]
            self.groups += 1
            if not any("fault" in game for game in group):
                self.scores[mean_score(game["points"] for game in group)] += 1
                self.decision = self.test.decision(self.llr)
        return bool(self.decision)


def mean_score(points: Iterable[float]) -> float:
    """Return the mean score of a group, rounded so that equal scores are equal numbers."""
    return round(mean(points), 6)


def pentanomial(scores: Mapping[float, int]) -> tuple[int, ...]:
    """Return the numbers of pairs that scored 0, ½, 1, 1½ and 2 points."""
    return tuple(scores.get(score, 0) for score in PAIR_SCORES)
