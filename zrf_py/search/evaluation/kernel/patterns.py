"""Learned patterns: each is a set of squares whose contents, read as the digits of a number, select a weight.

The numbers are updated with every changed square; an estimate adds one weight for each pattern. The weights are in
hundredths, from the view of the player `plan.pattern_first`. Values of squares by phase are two sums, for all material
and for none; an evaluation interpolates between them.
"""

from zrf_py.jit.language import inline
from zrf_py.native.kernel import cells
from zrf_py.native.kernel.memory import params
from zrf_py.search.memory import (
    FULL, FULL_BITS, pattern_base, pattern_digit, pattern_entry, pattern_from, pattern_index, pattern_stage,
    pattern_weight, phase_part, phase_value, plan, search,
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


@inline
def watch_phases(square: int, old: int, new: int) -> None:
    """Update the sums of the values by phase after a change of a cell."""
    before = 2 * cells.number_of(square, old)
    now = 2 * cells.number_of(square, new)
    search.phase_full = search.phase_full + phase_value[now] - phase_value[before]
    search.phase_bare = search.phase_bare + phase_value[now + 1] - phase_value[before + 1]
    search.phase_left = search.phase_left + phase_part[new >> 8] - phase_part[old >> 8]


def watch_hand(at: int, more: int) -> None:
    """Update the sums after a change of the number of a player's pieces off the board."""
    place = 2 * ((params.players + 1) * (params.types + 1) * params.squares + at)
    search.phase_full = search.phase_full + more * phase_value[place]
    search.phase_bare = search.phase_bare + more * phase_value[place + 1]


def clear_patterns() -> None:
    """Set numbers and sums to those of an empty board."""
    search.phase_full = 0
    search.phase_bare = 0
    search.phase_left = 0
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


def phases_for(player: int) -> int:
    """Return the part of a player's lead that comes from the values by phase, in hundredths."""
    left = search.phase_left if search.phase_left < FULL else FULL
    total = search.phase_full * left + search.phase_bare * (FULL - left) >> FULL_BITS
    return total if player == plan.pattern_first else -total
