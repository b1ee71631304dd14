"""Positions encoded in links: game, variant and moves so far."""

import json

from zrf_py.author.sharing import packed, unpacked
from zrf_py.text.diagnostics import ZrfError


def pack(game: str, variant: str | None, line: list[str]) -> str:
    """Encode a game in characters that are allowed in links."""
    return packed(json.dumps([game, variant, line], ensure_ascii=False, separators=(",", ":")))


def unpack(text: str) -> tuple[str, str | None, list[str]]:
    """Decode a link made by `pack`: the game, the variant, the moves so far.

    :raises ZrfError: if the link is damaged, or expands to too much data.
    """
    try:
        game, variant, line = json.loads(unpacked(text))
        if not isinstance(game, str) or not isinstance(line, list) or not all(isinstance(t, str) for t in line):
            raise ValueError
        return game, None if variant is None else str(variant), line
    except (ValueError, TypeError, RecursionError):
        raise ZrfError("this link is damaged, or its text is too long", "bad-link") from None
