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
    """Return the fault of a block that has exceeded `FUEL` operations."""
    return RulesFault([Diagnostic(
        "endless-block", f"this block ran for more than {FUEL:,} steps", routine.code[-1].origin,
        label="never ends in this position", help="make sure that each `while` stops at some point",
    )])


def endless_turn() -> RulesFault:
    """Return the fault of a search for the longest chain that exceeds `MAX_LOOKS`."""
    return RulesFault([Diagnostic(
        "endless-turn", f"the longest sequence of legs could not be determined in {MAX_LOOKS:,} steps", None,
        help="if the option `maximal captures` is set, use `add-partial` only in captures")])


def bounded(number: int) -> int:
    """Return the number unchanged.

    :raises RulesFault: if its magnitude exceeds `LARGEST`.
    """
    if -LARGEST <= number <= LARGEST:
        return number
    raise RulesFault([Diagnostic(
        "number-too-large", f"a number that the rules compute is beyond {LARGEST:,}", None,
        help="keep counters small: test their size before you add or multiply")])
