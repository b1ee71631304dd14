"""Texts and games as fragments of links: raw deflate in base64url, as `packing.js` packs it in a browser."""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence

from zrf_py.text.diagnostics import ZrfError

MAX_PACKED = 256 << 10
"""Maximum number of characters of a link's data."""
MAX_TEXT = 1 << 20
"""Maximum number of bytes of a text in a link: the limit of the rules editor."""
OLD = "eN"
"""Prefix of link data from earlier releases, which kept the zlib header."""
MARK = "#z="
"""Prefix of the fragment of a link to rules."""


def packed(content: str | bytes, common: bytes = b"") -> str:
    """Return the data of a link to a text or to bytes; `common` is a preset dictionary, at most 32 KiB, not stored.

    >>> unpacked(packed("(game)"))
    '(game)'
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=common)
    content = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    data = packer.compress(content) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked(link: str) -> str:
    """Unpack the text of a link, or of a link's data alone; ignore everything after `&`, such as tables of a game.

    :raises ZrfError: if the data is damaged, or too long.
    """
    data = link.rpartition(MARK)[2].partition("&")[0].strip()
    opener = zlib.decompressobj(15 if data.startswith(OLD) else -15)
    try:
        if len(data) > MAX_PACKED:
            raise ValueError
        plain = opener.decompress(base64.b64decode(data + "=" * (-len(data) % 4), b"-_", validate=True), MAX_TEXT)
        if not opener.eof or opener.unconsumed_tail or opener.unused_data:
            raise ValueError
        return plain.decode("utf-8")
    except (ValueError, binascii.Error, zlib.error):
        raise ZrfError("this link is damaged, or its text is too long", "bad-link") from None


def pack(*values: object) -> str:
    """Encode values as JSON in characters that are allowed in links."""
    return packed(json.dumps(values, ensure_ascii=False, separators=(",", ":")))


def link_of(title: str, moves: Sequence[str] = (), seats: Mapping[str, str] | None = None) -> str:
    """Encode a game in a link to an exported page; `saved.js` decodes it. `title` is that of the variant, `seats` maps
    players to `human` or a computer player such as `ai:5`; moves are written as in saved games."""
    return pack(title.replace("`", '"'), dict(seats or {}), list(moves))


def unpack(text: str) -> tuple[str, str | None, list[str]]:
    """Decode a link to a served game, made by `pack`: the game, the variant, the moves so far.

    :raises ZrfError: if the link is damaged, or expands to too much data.
    """
    try:
        game, variant, line = json.loads(unpacked(text))
        if not isinstance(game, str) or not isinstance(line, list) or not all(isinstance(t, str) for t in line):
            raise ValueError
        return game, None if variant is None else str(variant), line
    except (ValueError, TypeError, RecursionError):
        raise ZrfError("this link is damaged, or its text is too long", "bad-link") from None
