"""Formatting of help texts of rules files, in which `\\` is a line break and a back-quote a quotation mark."""

import re
import textwrap

from zrf_py.text.source import harmless


def display_lines(text: str) -> list[str]:
    """Split a text at `\\` and at empty lines; other line ends become blanks.

    >>> display_lines("Pawn\\\\Steps forward\\n  one square")
    ['Pawn', 'Steps forward one square']
    """
    text = re.sub(r"\\[ \t]*\r?\n", r"\\", text)
    text = re.sub(r"(?:[ \t]*\r?\n){2,}", r"\\", text)
    return [harmless(" ".join(line.split()).replace("`", '"')) for line in text.strip().split("\\")]


BULLET = re.compile(r"[-*•·]|\d+[.)] ")
ENDS = tuple(".!?:;…)\"'")
FULL = 0.6
"""A line of at least this fraction of the longest one counts as wrapped by its author."""


def paragraphs(text: str) -> list[str]:
    """Join lines that the author wrapped by hand; headings and list items stay separate.

    >>> paragraphs("RULES\\\\\\\\Two play, and the stones of the\\\\third stand in the way. One\\\\wins.\\\\- no ties")
    ['RULES', 'Two play, and the stones of the third stand in the way. One wins.', '- no ties']
    """
    lines = display_lines(text)
    room = FULL * max(map(len, lines))
    joined: list[str] = []
    last = ""
    for line in lines:
        goes_on = line[:1].islower() or (len(last) >= room and not last.endswith(ENDS))
        if line and last and goes_on and not BULLET.match(line):
            joined[-1] += f" {line}"
        elif line:
            joined.append(line)
        last = line
    return joined


def summary(text: str, sentences: int = 2) -> str:
    """Return at most `sentences` sentences of the first paragraph that is not a heading or list item; "" without one.

    >>> summary("OBJECT\\\\Two people play. White begins. Black follows.")
    'Two people play. White begins.'
    """
    for paragraph in paragraphs(text):
        if paragraph.endswith(ENDS) and not BULLET.match(paragraph):
            return " ".join(re.split(r"(?<=[.!?])\s+(?=[A-Z(\"])", paragraph)[:sentences])
    return ""


def display_text(text: str, width: int = 80, indent: str = "") -> str:
    """Wrap a text for a terminal.

    >>> print(display_text("One\\\\two `three`", indent="  "))
      One
      two "three"
    """
    lines: list[str] = []
    for line in display_lines(text):
        lines += textwrap.wrap(line, width, initial_indent=indent, subsequent_indent=indent) or [""]
    return "\n".join(lines).rstrip()
