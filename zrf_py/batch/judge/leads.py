"""Lead history of games: drama, lead changes, decisiveness.

The measures are those of C. Browne, Automatic Generation and Evaluation of Recombination Games, PhD thesis, Queensland
University of Technology, 2008, and C. Browne and F. Maire, Evolutionary Game Design, IEEE Transactions on Computational
Intelligence and AI in Games 2 (1), 2010. They need an estimate of who leads: Browne uses the player's own search, the
judge its evaluator, at up to two dozen points of each game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, sqrt
from statistics import quantiles

MARGIN = 0.04
"""Minimum difference of shares that counts as a lead."""
STEEP = 3.0
CERTAIN = 1e8
"""Minimum lead that means a proven win, and so is left out of the scale."""


@dataclass(frozen=True, slots=True)
class LeadHistory:
    """History of a game: points `at` from 0 to 1 of its length, and each side's estimated chance (0 to 1) there."""

    at: tuple[float, ...]
    shares: tuple[tuple[float, ...], ...]
    won: tuple[int, ...]

    def leader(self, look: int) -> int | None:
        """Return the side ahead at a point; None if no side leads clearly."""
        shares = self.shares[look]
        first, second = sorted(shares, reverse=True)[:2]
        return shares.index(first) if first - second > MARGIN else None

    def drama(self) -> float | None:
        """Return the mean of the square roots of the winner's deficits (0.0: no deficit); None if no side won alone."""
        if len(self.won) != 1 or not self.shares:
            return None
        lost = [sqrt(max(s) - s[self.won[0]]) for s in self.shares if max(s) - s[self.won[0]] > MARGIN]
        return sum(lost) / len(lost) if lost else 0.0

    def lead_changes(self) -> int:
        """Count the changes of the leading side."""
        leaders = [leader for look in range(len(self.shares)) if (leader := self.leader(look)) is not None]
        return sum(a != b for a, b in pairwise(leaders))

    def decided(self) -> float | None:
        """Return the first point (0 to 1) at which the winner's share exceeds all that losers ever had; 1.0 if there is
        none; None if no side won alone."""
        if len(self.won) != 1 or not self.shares:
            return None
        winner = self.won[0]
        threshold = max((share for shares in self.shares for side, share in enumerate(shares) if side != winner),
                        default=0.0)
        return next((at for at, shares in zip(self.at, self.shares, strict=True) if shares[winner] > threshold), 1.0)

    def half_way(self) -> int | None:
        """Return the side that led at half time; None if no side led clearly."""
        middle = [look for look, at in enumerate(self.at) if at <= 0.5]
        return self.leader(middle[-1]) if middle else None


def lead_histories(games: Iterable[tuple[Sequence[tuple[int, Sequence[float]]], int, Sequence[int]]], are_shares: bool,
            ) -> list[LeadHistory]:
    """Convert games, as (looks, turns, winners), to histories. Values that are not shares are scaled by a logistic
    function that maps the ninth decile of the leads to 95%. Return [] if the evaluator sees no lead in any game."""
    games_with_looks = [(looks, max(turns, 1), won) for looks, turns, won in games if looks]
    leads = sorted(abs(lead) for looks, _, _ in games_with_looks for _, worths in looks for lead in _leads(worths)
                   if abs(lead) < CERTAIN)
    if not leads or leads[-1] < 1e-9:
        return []
    scale = quantiles(leads, n=10)[8] if len(leads) > 1 else leads[-1]
    scale = scale or leads[-1]
    return [
        LeadHistory(tuple(turn / turns for turn, _ in looks),
               tuple(tuple(worths) if are_shares else tuple(1 / (1 + exp(-STEEP * max(-9.0, min(9.0, lead / scale))))
                                                          for lead in _leads(worths)) for _, worths in looks),
               tuple(won))
        for looks, turns, won in games_with_looks
    ]


def _leads(worths: Sequence[float]) -> list[float]:
    """Return each side's lead over the best other one."""
    if len(worths) < 2:
        return []
    return [worth - max(other for j, other in enumerate(worths) if j != i) for i, worth in enumerate(worths)]
