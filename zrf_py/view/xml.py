"""Escaping for XML: any text of a rules file becomes harmless character data."""

import re
from html import escape

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WHOLE = re.compile("data:image/png;base64,[A-Za-z0-9+/=]*|M[A-Za-z0-9 .,-]*")
"""Embedded pictures and path data, which may be long and need no escaping."""
MAX_TEXT = 400
"""Maximum length of a text, in characters; longer ones are cut."""


def text(value: str) -> str:
    """Escape a text, cut to `MAX_TEXT`, for element content or an attribute; forbidden characters become U+FFFD."""
    return escape(_FORBIDDEN.sub("\ufffd", value[:MAX_TEXT]))


def number(value: float) -> str:
    """Format a number with at most two decimals, so that drawings are small and equal on all machines."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0") if abs(value) < 0.005 else \
        f"{value:.2f}".rstrip("0").rstrip(".")


def attributes(**values: float | str) -> str:
    """Format attributes: `class_="a", stroke_width=1` becomes `class="a" stroke-width="1"`; "" omits an attribute."""
    return " ".join(
        f'{name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in values.items() if value != "")


def _value(value: float | str) -> str:
    if isinstance(value, str):
        return value if _WHOLE.fullmatch(value) else text(value)
    return number(value)
