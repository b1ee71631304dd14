"""Texts of rules files as people read them: `\\` is a line break and a back-quote a quotation mark."""

import re
import textwrap

from zrf_py.text.render import harmless


def display_lines(text: str) -> list[str]:
    """The lines of a text: broken at `\\` and at empty lines; other line ends are blanks.

    >>> display_lines("Pawn\\\\Steps forward\\n  one square")
    ['Pawn', 'Steps forward one square']
    """
    text = re.sub(r"\\[ \t]*\r?\n", r"\\", text)
    text = re.sub(r"(?:[ \t]*\r?\n){2,}", r"\\", text)
    return [harmless(" ".join(line.split()).replace("`", '"')) for line in text.strip().split("\\")]


def display_text(text: str, width: int = 80, indent: str = "") -> str:
    """A text wrapped for a terminal.

    >>> print(display_text("One\\\\two `three`", indent="  "))
      One
      two "three"
    """
    lines: list[str] = []
    for line in display_lines(text):
        lines += textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent) or [""]
    return "\n".join(lines).rstrip()
