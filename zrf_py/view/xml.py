"""Text and numbers as XML: whatever a rules file holds comes out as plain text."""

import re
from html import escape

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WHOLE = re.compile("data:image/png;base64,[A-Za-z0-9+/=]*|M[A-Za-z0-9 .,-]*")
"""Pictures and paths, which may be long and hold nothing that has to be escaped."""
MAX_TEXT = 400
"""Longer names are cut: a picture needs no novel."""


def text(value: str) -> str:
    """A text for between tags or in an attribute; characters that XML forbids become `�`."""
    return escape(_FORBIDDEN.sub("\ufffd", value[:MAX_TEXT]))


def number(value: float) -> str:
    """A number in at most two places after the point, so that drawings stay small and the same everywhere."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0") if abs(value) < 0.005 else \
        f"{value:.2f}".rstrip("0").rstrip(".")


def attributes(**values: float | str) -> str:
    """`class_="a", stroke_width=1` → `class="a" stroke-width="1"`; empty texts are left out."""
    names = {"viewBox": "viewBox"}
    return " ".join(
        f'{names.get(name) or name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in values.items() if value != "")


def _value(value: float | str) -> str:
    if isinstance(value, str):
        return value if _WHOLE.fullmatch(value) else text(value)
    return number(value)
