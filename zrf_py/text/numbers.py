"""Whole numbers as people and files write them."""

MAX_NUMBER = 1_000_000_000


def whole_number(text: str) -> int:
    """The value of a number as written; beyond a thousand million, where nothing in a game is, it stops.

    >>> whole_number("-48"), whole_number("9" * 5000)
    (-48, 1000000000)
    """
    return max(-MAX_NUMBER, min(MAX_NUMBER, int(text[:12])))
