"""Integers of rules and positions, with saturation beyond 32 bits; counts with their nouns."""

LARGEST = 2_147_483_647
"""Integers of rules and positions lie between -LARGEST and LARGEST."""


def whole_number(text: str) -> int:
    """Parse an integer of any length; values beyond ±`LARGEST` saturate at ±(`LARGEST` + 1).

    >>> whole_number("-48"), whole_number("+0000000000007"), whole_number("-2147483647")
    (-48, 7, -2147483647)
    >>> whole_number("2147483648") == whole_number("9" * 5000) == -whole_number("-4000000000") == LARGEST + 1
    True
    """
    digits = text.lstrip("+-").lstrip("0")
    value = min(int(digits[: len(str(LARGEST)) + 1] or "0"), LARGEST + 1)
    return -value if text.startswith("-") else value


def is_too_large(text: str) -> bool:
    """Return True if an integer lies beyond ±`LARGEST`."""
    return abs(whole_number(text)) > LARGEST


def number(count: int, word: str) -> str:
    """Format a count with its noun: `1 file`, `2 files`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
