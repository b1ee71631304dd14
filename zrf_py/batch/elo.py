"""Elo differences with 95% confidence intervals, from groups of games with the same opening.

The difference is the logistic one of A. Elo, The Rating of Chessplayers, Past and Present (1978): 400 points mean odds
of ten to one. Games of a group share their opening, so the standard error is estimated from the groups, not from the
games. The interval is E. B. Wilson's (Journal of the American Statistical Association 22, 1927), for the number of
independent games that would have that error; without spread between the groups, for the number of games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from statistics import mean, stdev

Z = 1.96
"""Half the width of a 95% confidence interval, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Rating:
    """`score`: share of points (0 to 1); `low`, `high`: its 95% interval; `elo`: the rating difference it implies."""

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
        """Return a text such as `+120 (95% CI: +60 to +190)`."""
        return f"{_sign(self.elo)} (95% CI: {_sign(self.elo_low)} to {_sign(self.elo_high)})"


def _sign(value: float) -> str:
    return {inf: "+∞", -inf: "−∞"}.get(value) or f"{value:+.0f}".replace("-", "−")


def elo(score: float) -> float:
    """Return the Elo difference implied by a score; infinite for 0 and 1."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else -400 * log10(1 / score - 1) + 0.0


def wilson(share: float, count: float) -> tuple[float, float]:
    """Return the Wilson 95% confidence interval of a share observed in `count` trials; (0, 1) for none."""
    if not count:
        return 0.0, 1.0
    middle = share + Z * Z / (2 * count)
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    divisor = 1 + Z * Z / count
    low, high = (middle - half) / divisor, (middle + half) / divisor
    return low if share > 0 else 0.0, high if share < 1 else 1.0


def rate(groups: Sequence[Sequence[float]]) -> Rating:
    """Return the rating of a player from the points (0 to 1) of its games, grouped by opening."""
    points = [p for group in groups for p in group]
    if not points:
        return Rating(0, 0.5, 0.0, 1.0)
    score = mean(points)
    means = [mean(group) for group in groups if group]
    error = stdev(means) / sqrt(len(means)) if len(means) > 1 else 0.0
    if error == 0 or score in (0, 1):
        return Rating(len(points), score, *wilson(score, len(points)))
    return Rating(len(points), score, *wilson(score, score * (1 - score) / error**2))
