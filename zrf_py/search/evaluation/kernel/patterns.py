"""Learned patterns: each is a set of squares whose contents, read as the digits of a number, select a weight.

The numbers are updated with every changed square; an estimate adds one weight for each pattern. The weights are in
hundredths, from the view of the player `plan.pattern_first`.
"""

from zrf_py.native.kernel.memory import params
from zrf_py.search.memory import (
    pattern_base, pattern_digit, pattern_entry, pattern_from, pattern_index, pattern_stage, pattern_weight, plan,
    search,
)


def watch_patterns(square: int, old: int, new: int) -> None:
    """Update the numbers of all patterns that contain a changed square."""
    search.pattern_men = search.pattern_men + (new != 0) - (old != 0)
    types = params.types + 1
    more = pattern_digit[(new & 255) * types + (new >> 8)] - pattern_digit[(old & 255) * types + (old >> 8)]
    if more:
        for k in range(pattern_from[square], pattern_from[square + 1]):
            at = pattern_entry[2 * k]
            pattern_index[at] = pattern_index[at] + more * pattern_entry[2 * k + 1]


def clear_patterns() -> None:
    """Set the numbers to those of an empty board."""
    search.pattern_men = 0
    for k in range(plan.patterns):
        pattern_index[k] = pattern_base[k]


def patterns_for(player: int) -> int:
    """Return the patterns' part of a player's lead, in hundredths."""
    stage = pattern_stage[search.pattern_men]
    total = 0
    for k in range(plan.patterns):
        total += pattern_weight[stage + pattern_index[k]]
    return total if player == plan.pattern_first else -total
