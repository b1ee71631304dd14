"""Types of nested forms (S-expressions), as read from text and as left after expansion.

A file is a tuple of nodes. Expansion makes each form of a macro once for each choice of the arguments that it can see,
and shares that object among all calls with this choice; later stages memoise by the identity of a form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from zrf_py.text.packing import packed
from zrf_py.text.source import Origin, Span

NAME, NUMBER, STRING = "name", "number", "string"

MAX_NESTING = 250
"""Maximum nesting of forms, as written and as expanded, so that later stages can recurse within Python's limit."""


@packed
@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """A name, a number (an optional sign and digits) or a string (`text` is without the quotes)."""

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
        """The text of the first item if it is a name, else ""."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) and first.kind == NAME else ""


Node: TypeAlias = Atom | Form


def written(node: Node) -> str:
    """Return a node as text on one line, with single blanks and no comments."""
    if isinstance(node, Form):
        return f"({' '.join(map(written, node.items))})"
    return f'"{node.text}"' if node.kind == STRING else node.text


@dataclass(frozen=True, slots=True, eq=False)
class Macro:
    """One `(define name body…)`; `definition` spans the whole define."""

    name: str
    body: tuple[Node, ...]
    definition: Span


@dataclass(frozen=True, slots=True, eq=False)
class Expanded:
    """Forms without macros. `size` counts nodes as if nothing were shared; `macros` serves suggestions."""

    nodes: tuple[Node, ...]
    macros: Mapping[str, Macro]
    size: int
