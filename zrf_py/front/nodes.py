"""Nested forms, as read from text and as left after expansion: types only.

A file is a tuple of nodes. Expansion makes one `Form` for each distinct (macro, arguments) pair and puts the same
object wherever that call stands; later stages use the identity of a form to do its work once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zrf_py.text.source import Origin

NAME, NUMBER, STRING = "name", "number", "string"


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A name, a number (an optional sign and digits) or a string (`text` is what stands between the quotes)."""

    kind: str
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A parenthesised list; `origin` spans both parentheses."""

    items: tuple[Node, ...]
    origin: Origin

    @property
    def head(self) -> str:
        """The first item if it is a name, else the empty string."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) and first.kind == NAME else ""


Node: TypeAlias = Atom | Form
