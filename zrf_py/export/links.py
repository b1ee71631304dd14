"""A game as part of a URL that pages read: its variant, who plays, the moves; see `static/saved.js`."""

import json
from collections.abc import Mapping, Sequence

from zrf_py.author.sharing import packed


def link_of(title: str, moves: Sequence[str] = (), seats: Mapping[str, str] | None = None) -> str:
    """Encode a game in characters that a URL may hold. `title` is the variant's, `seats` maps players to `human`,
    `random` or `ai:5`; moves are written as in saved games."""
    plain = json.dumps([title.replace("`", '"'), dict(seats or {}), list(moves)], ensure_ascii=False,
                       separators=(",", ":"))
    return packed(plain)
