"""Decoding: bytes of a rules file in, text out. Separate from `forms.py`, so that decoding needs no lexer."""

import codecs
import re

_OLD_MAC = re.compile(r"\r(?!\n)")
WESTERN = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256))
"""The characters of Windows-1252, by byte; the five bytes that it leaves undefined are taken as Latin-1."""


def decode(data: bytes) -> str:
    """Decode a rules file: UTF-16 or UTF-8 if valid, else Windows-1252, the encoding of nearly all old files.

    A CR alone (line end of old Macintoshes) becomes LF; CR LF is kept.

    >>> decode(b"caf\\xe9"), decode("café".encode()), decode("café".encode("utf-16"))
    ('café', 'café', 'café')
    >>> decode(b"; a\\r(game)")
    '; a\\n(game)'
    """
    text = _decoded(data)
    return _OLD_MAC.sub("\n", text) if "\r" in text else text


def _decoded(data: bytes) -> str:
    if wide := _wide(data):
        try:
            return data.decode(wide).removeprefix("\ufeff")
        except UnicodeDecodeError:
            pass
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    return codecs.charmap_decode(data, "strict", WESTERN)[0]


def _wide(data: bytes) -> str:
    """Return the UTF-16 codec of a text with a byte order mark or zeros in every other byte; "" for other texts."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16-le" if data[0] == 0xFF else "utf-16-be"
    start = data[:512]
    zeros = start[1::2].count(0), start[::2].count(0)
    if len(start) >= 8 and min(zeros) == 0 and max(zeros) * 4 > len(start):
        return "utf-16-le" if zeros[0] else "utf-16-be"
    return ""
