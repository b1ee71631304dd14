"""Helpers of `tree.py` and `lalr.py`: the matched children of a grammar rule, before they become a syntax tree."""

from typing import Any

from zrf_py.front import syntax as s
from zrf_py.front.nodes import Atom
from zrf_py.text.numbers import whole_number

Children = list[Any]


PARTS = {"SECTION", "BOARD_ITEM", "PIECE_ITEM", "BLOCK", "INSTRUCTION"}


class Token:
    """A token for Lark: `type` is a terminal of the grammar, `node` the atom, form or finished tree behind it."""

    __slots__ = ("node", "type")
    line = column = end_line = end_column = start_pos = end_pos = 0  # required by Lark; locations are in `node.origin`

    def __init__(self, type_: str, node: Any) -> None:
        self.type = type_
        self.node = node


def atoms(children: Children) -> tuple[Atom, ...]:
    return tuple(c.node for c in children if isinstance(c, Token) and isinstance(c.node, Atom))


def inner(children: Children) -> Children:
    """Return the children between the keyword and the closing parenthesis."""
    return [read(c) for c in children[2:-1]]


def read(child: Any) -> Any:
    """Return the child itself, or the tree of a part that was parsed earlier and arrives as a token."""
    return child.node if isinstance(child, Token) and child.type in PARTS else child


def number(token: Token) -> int:
    return whole_number(token.node.text)


def numbers(children: Children) -> tuple[int, ...]:
    return tuple(number(c) for c in children)


class Else:
    """The `else` branch of an `if`, before the `If` is made."""

    __slots__ = ("body",)

    def __init__(self, body: tuple[s.Instruction, ...]) -> None:
        self.body = body


def body_of(children: Children) -> tuple[s.Instruction, ...]:
    return tuple(read(c) for c in children)
