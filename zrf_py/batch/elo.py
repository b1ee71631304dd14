"""Scores → how much stronger: Elo differences with 95 % confidence, from pairs of games with the same opening.

The difference is the logistic one of A. Elo, The Rating of Chessplayers, Past and Present (1978): 400 points are ten to
one. Games of a pair share their opening, so the error is estimated from the pairs and not from the games. The
interval is E. B. Wilson's (Journal of the American Statistical Association 22, 1927) for as many independent games as
would have that error; where there is no spread to estimate it from, for the games there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import mean, stdev

Z = 1.96
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rating:
    """`score` is the share of points from 0 to 1, `elo` the difference it stands for; each with its interval."""

    games: int
    score: float
    low: float
    high: float

    @property
    def elo(self) -> float:
        return elo(self.score)

    @property
    def elo_low(self) -> float:
        return elo(self.low)

    @property
    def elo_high(self) -> float:
        return elo(self.high)

    def __str__(self) -> str:
        """Such as `+120 (95 %: +60 to +190)`."""
        return f"{_sign(self.elo)} (95 %: {_sign(self.elo_low)} to {_sign(self.elo_high)})"


def _sign(value: float) -> str:
    return {inf: "+∞", -inf: "−∞"}.get(value) or f"{value:+.0f}".replace("-", "−")


def elo(score: float) -> float:
    """The difference of strength that makes such a score likely; infinite for 0 and 1."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1) + 0.0


def wilson(share: float, count: float) -> tuple[float, float]:
    """The 95 % interval of a share seen in `count` trials; (0, 1) for none."""
    if not count:
        return 0.0, 1.0
    middle = share + Z * Z / (2 * count)
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    whole = 1 + Z * Z / count
    low, high = (middle - half) / whole, (middle + half) / whole
    return low if share > 0 else 0.0, high if share < 1 else 1.0


def rate(groups: Sequence[Sequence[float]]) -> Rating:
    """The rating of somebody by the points (0 to 1) of each game; games with the same opening are a group."""
    points = [p for group in groups for p in group]
    if not points:
        return Rating(0, 0.5, 0.0, 1.0)
    score = mean(points)
    means = [mean(group) for group in groups if group]
    error = stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0
    if error == 0 or score in (0, 1):
        return Rating(len(points), score, *wilson(score, len(points)))
    return Rating(len(points), score, *wilson(score, score * (1 - score) / error**2))
