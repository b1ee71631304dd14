"""Table of all keywords of the rules language, read from `keywords.json`, one row each.

`zrf explain`, the table in grammar/README.md and the suggestions of error messages come from here. The grammar itself
is grammar/zrf.lark; a test keeps the two consistent. Words that have no effect on play, such as those for texts,
pictures and sounds, are marked `ignored`: they are parsed and stored.
"""

import json
from dataclasses import dataclass

from zrf_py.data import data_text


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword: `meaning` in one line; `where` it may occur; its syntax as `form`, with variable parts in capitals,
    optional parts in `[…]` and `…` for repetition; `example` is a line of rules."""

    meaning: str
    where: str
    form: str
    example: str
    ignored: bool = False


KEYWORDS = {word: Keyword(**row) for word, row in json.loads(data_text("front/keywords.json")).items()}

PLUS_WORDS = frozenset(word for word, row in KEYWORDS.items() if row.where.startswith("ZRF+"))
"""Words that are keywords only in a ZRF+ file: (version "zrf+")."""


def _standing(place: str) -> tuple[str, ...]:
    return tuple(word for word, row in KEYWORDS.items() if row.where.removeprefix("ZRF+: ").startswith(place))


BODIES = frozenset(word for word, row in KEYWORDS.items() if row.form.startswith(f"({word} CONDITION INSTRUCTION…"))
"""Instructions that contain other instructions after a condition (`if`, `while`)."""
INSTRUCTIONS: tuple[str, ...] = _standing("move code")
"""Words that may begin an instruction."""
CONDITIONS: tuple[str, ...] = _standing("condition")
"""Words that may begin a condition."""
PIECE_PARTS: tuple[str, ...] = _standing("piece")
GOALS: tuple[str, ...] = _standing("goal")
"""Words that may begin a goal."""
