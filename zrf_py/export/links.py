"""Games encoded in URLs of exported pages: variant, seats, moves; `static/saved.js` decodes them."""

import json
from collections.abc import Mapping, Sequence

from zrf_py.author.sharing import packed


def link_of(title: str, moves: Sequence[str] = (), seats: Mapping[str, str] | None = None) -> str:
    """Encode a game in characters that are valid in a URL. `title` is that of the variant, `seats` maps players to
    `human` or a computer player such as `ai:5`; moves are written as in saved games."""
    plain = json.dumps([title.replace("`", '"'), dict(seats or {}), list(moves)], ensure_ascii=False,
                       separators=(",", ":"))
    return packed(plain)
