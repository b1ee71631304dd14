"""What a rule of the grammar has matched, on its way into the syntax tree."""

from typing import Any

from zrf_py.front import syntax as s
from zrf_py.front.nodes import Atom
from zrf_py.text.numbers import whole_number

Children = list[Any]


PARTS = {"SECTION", "BOARD_ITEM", "PIECE_ITEM", "BLOCK", "INSTRUCTION"}


class Token:
    """What the grammar reads: `type` is a terminal of the grammar, `node` the atom or form it stands for."""

    __slots__ = ("node", "type")
    line = column = end_line = end_column = start_pos = end_pos = 0  # Lark asks; places are in `node.origin`

    def __init__(self, type_: str, node: Any) -> None:
        self.type = type_
        self.node = node


def atoms(children: Children) -> tuple[Atom, ...]:
    return tuple(c.node for c in children if isinstance(c, Token) and isinstance(c.node, Atom))


def inner(children: Children) -> Children:
    """What stands between the keyword and the closing bracket."""
    return [read(c) for c in children[2:-1]]


def read(child: Any) -> Any:
    """A part that was read before arrives as a token that carries its tree."""
    return child.node if isinstance(child, Token) and child.type in PARTS else child


def number(token: Token) -> int:
    return whole_number(token.node.text)


def numbers(children: Children) -> tuple[int, ...]:
    return tuple(number(c) for c in children)


class Else:
    """The part of an `if` after `else`, on its way into the `If`."""

    __slots__ = ("body",)

    def __init__(self, body: tuple[s.Instruction, ...]) -> None:
        self.body = body


def body_of(children: Children) -> tuple[s.Instruction, ...]:
    return tuple(read(c) for c in children)
