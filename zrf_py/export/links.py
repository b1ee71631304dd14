"""A game as part of a URL that pages read: its variant, who plays, the moves; see `static/saved.js`."""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence


def link_of(title: str, moves: Sequence[str] = (), seats: Mapping[str, str] | None = None) -> str:
    """Encode a game in characters that a URL may hold. `title` is the variant's, `seats` maps players to `human`,
    `random` or `ai:5`; moves are written as in saved games."""
    plain = json.dumps([title.replace("`", '"'), dict(seats or {}), list(moves)], ensure_ascii=False,
                       separators=(",", ":"))
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(plain.encode()) + packer.flush()).decode("ascii").rstrip("=")
