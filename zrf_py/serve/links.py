"""A position as part of a link: game, variant and moves so far; packed, and unpacked safely."""

import base64
import json
import zlib
from dataclasses import dataclass

from zrf_py.text.diagnostics import ZrfError

MAX_PACKED = 64 << 10
MAX_PLAIN = 1 << 20


@dataclass(frozen=True)
class Linked:
    """The content of a link."""

    game: str
    variant: str | None
    line: list[str]


def pack(game: str, variant: str | None, line: list[str]) -> str:
    """Encode a game in characters that a link may hold."""
    plain = json.dumps([game, variant, line], ensure_ascii=False, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")


def unpack(text: str) -> Linked:
    """Decode a link made by `pack`.

    :raises ZrfError: if the link is damaged, or expands to too much data.
    """
    try:
        if len(text) > MAX_PACKED:
            raise ValueError
        opener = zlib.decompressobj()
        plain = opener.decompress(base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)), MAX_PLAIN)
        if opener.unconsumed_tail:
            raise ValueError
        game, variant, line = json.loads(plain)
        if not isinstance(game, str) or not isinstance(line, list) or not all(isinstance(t, str) for t in line):
            raise ValueError
        return Linked(game, None if variant is None else str(variant), line)
    except (ValueError, TypeError, zlib.error, RecursionError):
        raise ZrfError("this link is damaged: a part of it is missing", "bad-link") from None
