"""What somebody may have meant: the nearest known word, and short lists of known words."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice

MAX_WORD = 100
MAX_CANDIDATES = 2_000
"""Beyond these, finding out what was meant takes longer than finding it oneself."""


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate most like a word, or None if none is like it; case, `-` and `_` count for little.

    >>> suggest("not-flagg?", ["flag?", "not-flag?", "friend?"])
    'not-flag?'
    >>> suggest("WHITE", ["White", "Black"])
    'White'
    >>> suggest("north", ["up", "down"]) is None
    True
    """
    if len(word) > MAX_WORD:
        return None
    known = list(islice(dict.fromkeys(candidates), MAX_CANDIDATES))
    plain: dict[str, str] = {}
    for candidate in known:
        plain.setdefault(_plain(candidate), candidate)
    if _plain(word) in plain:
        return plain[_plain(word)]
    exact = get_close_matches(word, known, 1, 0.7)
    if exact:
        return exact[0]
    loose = get_close_matches(_plain(word), plain, 1, 0.65)
    return plain[loose[0]] if loose else None


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "").rstrip("?")


def clipped(word: str) -> str:
    """A word as messages show it."""
    return word if len(word) <= MAX_WORD else f"{word[:MAX_WORD]}…"


def listing(candidates: Iterable[str], limit: int = 8) -> str:
    """Words for a message, in the given order; what exceeds the limit is counted.

    >>> listing(["n", "e", "s", "w"], limit=3)
    '`n`, `e`, `s` and 1 more'
    >>> listing([])
    'none'
    """
    words = [f"`{clipped(word)}`" for word in dict.fromkeys(candidates)]
    if not words:
        return "none"
    shown = ", ".join(words[:limit])
    return shown if len(words) <= limit else f"{shown} and {len(words) - limit} more"
