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


BULLET = re.compile(r"[-*•·]|\d+[.)] ")
ENDS = tuple(".!?:;…)\"'")
FULL = 0.6
"""A line of at least this part of the longest one was broken where the room ended."""


def paragraphs(text: str) -> list[str]:
    """Join the lines that an author broke by hand; headings and the points of a list stay lines of their own.

    >>> paragraphs("RULES\\\\\\\\Two play, and the stones of the\\\\third stand in the way. One\\\\wins.\\\\- no ties")
    ['RULES', 'Two play, and the stones of the third stand in the way. One wins.', '- no ties']
    """
    lines = display_lines(text)
    room = FULL * max(map(len, lines))
    found: list[str] = []
    last = ""
    for line in lines:
        goes_on = line[:1].islower() or (len(last) >= room and not last.endswith(ENDS))
        if line and last and goes_on and not BULLET.match(line):
            found[-1] += f" {line}"
        elif line:
            found.append(line)
        last = line
    return found


def summary(text: str, sentences: int = 2) -> str:
    """Return the first sentences of a text, without its headings; empty if it has none.

    >>> summary("OBJECT\\Two people play. White begins. Black follows.")
    'Two people play. White begins.'
    """
    for paragraph in paragraphs(text):
        if paragraph.endswith(ENDS) and not BULLET.match(paragraph):
            return " ".join(re.split(r"(?<=[.!?])\s+(?=[A-Z(\"])", paragraph)[:sentences])
    return ""


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
