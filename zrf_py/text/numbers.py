"""Whole numbers as people and files write them."""

LARGEST = 2_147_483_647
"""Whole numbers of rules and positions stay between this and the same below zero."""


def whole_number(text: str) -> int:
    """Return the value of a number as written; of one beyond `LARGEST`, however long, the next one beyond it.

    >>> whole_number("-48"), whole_number("+0000000000007"), whole_number("-2147483647")
    (-48, 7, -2147483647)
    >>> whole_number("2147483648") == whole_number("9" * 5000) == -whole_number("-4000000000") == LARGEST + 1
    True
    """
    digits = text.lstrip("+-").lstrip("0")
    value = min(int(digits[: len(str(LARGEST)) + 1] or "0"), LARGEST + 1)
    return -value if text.startswith("-") else value


def is_too_large(text: str) -> bool:
    """Return whether a number as written lies beyond `LARGEST`, above zero or below."""
    return abs(whole_number(text)) > LARGEST
