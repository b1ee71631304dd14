"""Delta debugging over forms: find the smallest part of a rules file that still breaks something in the same way."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from tests.fuzz.mutations import WORD
from tests.fuzz.targets import Target
from tests.fuzz.workers import apart

SECONDS = 120
"""Seconds for which an input is minimised."""
Form = list["Form | bytes"]
"""A form: words and forms in parentheses."""


def smaller(target: Target, data: bytes, what: str, seconds: float = SECONDS) -> bytes:
    """Remove forms and words from an input as long as the finding stays the same."""
    sign = kind_of(what)

    def breaks(other: bytes) -> bool:
        answer = apart(target, other)
        return isinstance(answer, str) and kind_of(answer) == sign

    return reduced(data, breaks, time.monotonic() + seconds)


def kind_of(what: str) -> str:
    """Return the kind of a finding, without the numbers and names of the input that caused it."""
    lines = what.strip().splitlines()
    line = next((line for line in lines if "Finding: " in line), lines[-1])
    return re.sub(r"\d+|(position after|`|\[).*", "", line)


def reduced(data: bytes, breaks: Callable[[bytes], bool], until: float = float("inf")) -> bytes:
    """Return the smallest text found that still breaks; the text itself if nothing can be left out."""
    tree = parsed(data)
    if not breaks(written(tree)):
        return data

    def holds() -> bool:
        return time.monotonic() < until and breaks(written(tree))

    size = 0
    while size != (size := len(written(tree))):
        _shrink(tree, holds)
    return written(tree)


def _shrink(form: Form, holds: Callable[[], bool]) -> None:
    """Leave out runs of parts of a form, the longest first, then parts of its parts."""
    length = len(form)
    while length:
        at = 0
        while at < len(form):
            part = form[at : at + length]
            del form[at : at + length]
            if not holds():
                form[at:at] = part
                at += length
        length //= 2
    for inner in form:
        if isinstance(inner, list):
            _shrink(inner, holds)


def parsed(data: bytes) -> Form:
    """Return the forms of a text; missing parentheses are added at its end, and extra ones left out."""
    stack: list[Form] = [[]]
    for word in WORD.findall(data):
        if word == b"(":
            stack[-1].append([])
            stack.append(stack[-1][-1])  # type: ignore[arg-type]
        elif word == b")":
            del stack[max(1, len(stack) - 1) :]
        elif word.strip() and not word.startswith(b";"):
            stack[-1].append(word)
    return stack[0]


def written(form: Form, depth: int = 0) -> bytes:
    """Return the text of forms, each section of a game on its own line."""
    return b" ".join(part if isinstance(part, bytes)
                     else b"\n" * (depth < 2) + b"  " * depth * (depth < 2) + b"(" + written(part, depth + 1) + b")"
                     for part in form)
