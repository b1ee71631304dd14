"""What can be wrong with rules only once they are played: each fault is found by every engine alike."""

from zrf_py.ir.ops import Routine
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.numbers import LARGEST

FUEL = 200_000
"""Operations one block may execute for one piece; the original has the same limit."""
MAX_LOOKS = 50_000
"""Legs that are tried to find the longest chain: all ways are, and where nothing is taken there is no end of them."""


class RulesFault(ZrfError):
    """A `ZrfError`: the rules can't be followed on this position; the diagnostic says what is wrong."""


def endless(routine: Routine) -> RulesFault:
    """The fault of a block that has used up its fuel."""
    return RulesFault([Diagnostic(
        "endless-block", f"this block runs for more than {FUEL:,} steps", routine.code[-1].origin,
        label="never ends on this position", help="make sure that each `while` comes to an end",
    )])


def endless_turn() -> RulesFault:
    """The fault of a chain whose longest way isn't found."""
    return RulesFault([Diagnostic(
        "endless-turn", f"the longest chain of legs isn't found in {MAX_LOOKS:,} tries", None,
        help="with `maximal captures` on, let only captures go on with `add-partial`")])


def bounded(number: int) -> int:
    """The number itself.

    :raises RulesFault: if it is too large for a whole number of the rules.
    """
    if -LARGEST <= number <= LARGEST:
        return number
    raise RulesFault([Diagnostic(
        "number-too-large", f"a number of the rules has grown beyond {LARGEST:,}", None,
        help="keep counters small: compare before you add or multiply")])
