"""Suggestions for misspelt words (fuzzy matching), and short lists of words for messages."""

import json
import re
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

SHORT = 3
"""Maximum length of words that are too short for `is_slip`: one letter more or less makes another word."""
MAX_WORD = 100
MAX_CANDIDATES = 2_000
"""Limits of `suggest`: longer words get no suggestion, further candidates are ignored (the match is quadratic)."""
HABITS: dict[str, list[str]] = json.loads(Path(__file__).with_name("habits.json").read_text("utf-8"))
"""Word of another system or language (in lower case, without dashes and `?`) → keywords that authors mean by it."""
ALIKE = str.maketrans("lIO", "110")
"""Letters that look like digits, and these digits."""
PARTS = re.compile("[0-9]+|[^-_0-9]+")


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most similar to a word, or None; case, `-`, `_` and a final `?` count for little.

    >>> suggest("not-flagg?", ["flag?", "not-flag?", "friend?"])
    'not-flag?'
    >>> suggest("WHITE", ["White", "Black"]), suggest("en", ["n", "ne"])
    ('White', 'ne')
    >>> suggest("north", ["up", "down"]), suggest("quack", ["back", "n"])
    (None, None)
    """
    if len(word) > MAX_WORD:
        return None
    names = list(islice(dict.fromkeys(candidates), MAX_CANDIDATES))
    plain = {_plain(name): name for name in reversed(names)}
    if _plain(word) in plain:
        return plain[_plain(word)]
    swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)]
    alike = word.translate(ALIKE)
    exact = [name for name in HABITS.get(_plain(word), ()) if name in names]
    exact = exact or [name for name in names if name in swapped or name.translate(ALIKE) == alike]
    parts = sorted(PARTS.findall(word))  # `line-nw-s` has the same parts as `line-s-nw`
    exact = exact or [name for name in names if len(parts) > 1 and sorted(PARTS.findall(name)) == parts]
    exact = exact or get_close_matches(word, names, 1, 0.7)
    loose = exact or get_close_matches(_plain(word), plain, 1, 0.65 if len(word) <= SHORT else 0.7)
    return exact[0] if exact else plain[loose[0]] if loose else None


def did_you_mean(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """Return the help text that names the most similar candidate, or `otherwise` if none is similar."""
    guess = suggest(word, candidates)
    return f"did you mean `{guess}`?" if guess else otherwise


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "").rstrip("?")


def is_slip(word: str, meant: str) -> bool:
    """Return True if `word` is `meant` up to case and dashes, or up to one missing, extra, wrong or swapped letter.

    Short words resemble too many others: for them only case and dashes may differ.

    >>> is_slip("emtpy?", "empty?"), is_slip("DIMENSIONS", "dimensions"), is_slip("north", "n"), is_slip("nn", "n")
    (True, True, False, False)
    """
    if _plain(word) == _plain(meant):
        return True
    start = next((i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), min(len(word), len(meant)))
    rest, other = word[start:], meant[start:]
    return len(word) > SHORT and (rest[1:] == other or rest == other[1:] or rest[1:] == other[1:]
                                  or (rest[1::-1] == other[:2] and rest[2:] == other[2:]))


def clipped(word: str, most: int = MAX_WORD) -> str:
    """Cut a word after `most` characters, for messages and plots."""
    return word if len(word) <= most else f"{word[:most]}…"


def listing(candidates: Iterable[str], limit: int = 8) -> str:
    """Format words for a message, in the given order; those beyond `limit` are only counted.

    >>> listing(["n", "e", "s", "w"], limit=3)
    '`n`, `e`, `s` and 1 more'
    >>> listing([])
    'none'
    """
    words = [f"`{clipped(word)}`" for word in dict.fromkeys(candidates)]
    if not words:
        return "none"
    listed = ", ".join(words[:limit])
    return listed if len(words) <= limit else f"{listed} and {len(words) - limit} more"
