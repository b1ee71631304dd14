"""Bytes of a rules file → its text. Apart from the reader of forms, since whoever has the text may need no reader."""

import re

_OLD_MAC = re.compile(r"\r(?!\n)")


def decode(data: bytes) -> str:
    """The text of a rules file: UTF-16 or UTF-8 if it is that, else Windows-1252, which nearly all old files are.

    Lines may end in CR LF, LF or, as on old Macintoshes, in CR alone.

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
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return "".join(_western(byte) for byte in data)


def _wide(data: bytes) -> str:
    """The kind of UTF-16, by its mark or because every other byte is zero; empty if it isn't that."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16-le" if data[0] == 0xFF else "utf-16-be"
    start = data[:512]
    zeros = start[1::2].count(0), start[::2].count(0)
    if len(start) >= 8 and min(zeros) == 0 and max(zeros) * 4 > len(start):
        return "utf-16-le" if zeros[0] else "utf-16-be"
    return ""


def _western(byte: int) -> str:
    # The five bytes that cp1252 leaves undefined.
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)
