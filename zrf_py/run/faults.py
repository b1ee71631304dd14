"""Faults of rules that only appear in play; every engine raises the same ones."""

from zrf_py.ir.ops import Routine
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.numbers import LARGEST

FUEL = 200_000
"""Limit on operations per run of a block; the original has the same limit."""
MAX_LOOKS = 50_000
"""Limit on legs tried for the longest chain; chains of legs that capture nothing may have no end."""


class RulesFault(ZrfError):
    """The rules cannot be followed on this position; the diagnostic explains why."""


def endless(routine: Routine) -> RulesFault:
    """Return the fault of a block that has used up its fuel."""
    return RulesFault([Diagnostic(
        "endless-block", f"this block runs for more than {FUEL:,} steps", routine.code[-1].origin,
        label="never ends on this position", help="make sure that each `while` comes to an end",
    )])


def endless_turn() -> RulesFault:
    """Return the fault of a search for the longest chain that exceeds `MAX_LOOKS`."""
    return RulesFault([Diagnostic(
        "endless-turn", f"the longest chain of legs isn't found in {MAX_LOOKS:,} tries", None,
        help="with `maximal captures` on, let only captures go on with `add-partial`")])


def bounded(number: int) -> int:
    """Return the number unchanged.

    :raises RulesFault: if its magnitude exceeds `LARGEST`.
    """
    if -LARGEST <= number <= LARGEST:
        return number
    raise RulesFault([Diagnostic(
        "number-too-large", f"a number of the rules has grown beyond {LARGEST:,}", None,
        help="keep counters small: compare before you add or multiply")])
