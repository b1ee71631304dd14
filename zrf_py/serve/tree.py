"""The moves of a table as a tree: the game is one way through it, what was tried beside it is kept as variations.

Nodes are numbers, 0 is the start. They are never removed, so a browser may look at any of them whatever others do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

Ply = list[Any]
"""The list made by `describe.describe_ply`."""
TEXT, PLAYER, GOES_ON, IS_EDIT = range(4)

MAX_NODES = 8_000
SHOWN = 12
"""Moves of a variation that are told with it."""


@dataclass(eq=False, slots=True)
class Node:
    """A move after another: `next` is the continuation that was chosen last, 0 if there is none; `tried` says who made
    it beside the game while others play, "" if it belongs to the game."""

    text: str
    parent: int
    depth: int
    ply: Ply
    tried: str = ""
    children: list[int] = field(default_factory=list)
    next: int = 0


def unknown(text: str) -> Ply:
    """Placeholder for a move that no worker has looked at yet."""
    return [text, "", False, text.startswith("("), False, text]


class Tree:
    """All moves that were made at a table."""

    def __init__(self, line: Sequence[str] = ()) -> None:
        self.nodes = [Node("", 0, 0, unknown(""))]
        self.grow(0, line)

    def __len__(self) -> int:
        """Number of moves, the start not counted."""
        return len(self.nodes) - 1

    def __contains__(self, node: object) -> bool:
        return type(node) is int and 0 <= node < len(self.nodes)

    def __getitem__(self, node: int) -> Node:
        return self.nodes[node]

    # -------------------------------------------------------------------------------------------------- adding moves

    def child(self, node: int, text: str) -> int:
        """The node of a move after another, 0 if it was never made."""
        return next((c for c in self.nodes[node].children if self.nodes[c].text == text), 0)

    def add(self, node: int, text: str, ply: Ply | None = None, tried: str = "") -> int:
        """The node of one more move; the one there is if it was made before."""
        found = self.child(node, text)
        if not found:
            found = len(self.nodes)
            self.nodes.append(Node(text, node, self.nodes[node].depth + 1, ply or unknown(text), tried))
            self.nodes[node].children.append(found)
        elif not tried:
            self.nodes[found].tried = ""
        if not tried or not self.nodes[node].next:
            self.nodes[node].next = found
        return found

    def grow(self, node: int, line: Sequence[str]) -> int:
        """The node at the end of several moves."""
        for text in line:
            node = self.add(node, text)
        return node

    def choose(self, node: int) -> None:
        """From now on the way through the tree leads here."""
        while node:
            self.nodes[self.nodes[node].parent].next = node
            node = self.nodes[node].parent

    def learn(self, node: int, first: int, plies: Sequence[Ply]) -> None:
        """Store a worker's facts about the moves on the way to a node, from the `first`-th on."""
        for at, ply in zip(self.way(node)[first:], plies, strict=False):
            self.nodes[at].ply = ply

    # ------------------------------------------------------------------------------------------------------- queries

    def way(self, node: int) -> list[int]:
        """The nodes of the moves that lead to one."""
        found = []
        while node:
            found.append(node)
            node = self.nodes[node].parent
        return found[::-1]

    def is_seen(self, node: int, who: str | None) -> bool:
        """Return whether `who` (None: anybody) may see a move: all may, unless another one tried it beside the game."""
        return who is None or self.nodes[node].tried in ("", who)

    def onward(self, node: int, who: str | None = "") -> Iterator[int]:
        """The nodes that follow, as they were chosen last, as far as `who` may see them."""
        while (node := self.nodes[node].next) and self.is_seen(node, who):
            yield node

    def line(self, node: int, who: str | None = "") -> list[int]:
        """The way to a node and on to its end."""
        return [*self.way(node), *self.onward(node, who)]

    def texts(self, node: int) -> list[str]:
        """The record of moves that leads to a node."""
        return [self.nodes[at].text for at in self.way(node)]

    def plies(self, nodes: Sequence[int]) -> list[Ply]:
        return [self.nodes[at].ply for at in nodes]

    def first_unknown(self, node: int) -> int:
        """Return the index of the first move on the way to a node that no worker has looked at."""
        way = self.way(node)
        return next((i for i, at in enumerate(way) if not self.nodes[at].ply[PLAYER] and not self.nodes[at].ply[3]),
                    len(way))

    def variations(self, line: Sequence[int], who: str | None = "") -> list[dict[str, Any]]:
        """Return the variations of a line: the move where each begins (`ply`, from 0), its node, its first moves."""
        found = []
        for ply, (before, after) in enumerate(zip([0, *line], [*line, 0], strict=True)):
            for at in self.nodes[before].children:
                if at != after and self.is_seen(at, who):
                    rest = [at, *self.onward(at, who)][:SHOWN]
                    found.append({"ply": ply, "node": at, "plies": self.plies(rest),
                                  "tried": self.nodes[at].tried != ""})
        return found

    def opening(self, node: int) -> list[int]:
        """Return what comes before the first choice on the way to a node: a position set up, then throws of chance."""
        return list(takewhile(lambda at: self.is_change(at) or self.nodes[at].ply[PLAYER].startswith("?"),
                              self.way(node)))

    def is_change(self, node: int) -> bool:
        """Return whether the node is an edit of the board and no move."""
        return bool(self.nodes[node].ply[IS_EDIT])

    def is_half_set_up(self, node: int, after: int) -> bool:
        """Return whether a node before `after` is no position to stop at: in the middle of setting up, or the
        start that was left for a position set up."""
        return self.is_change(after) and (node == 0 or self.is_change(node))

    def on(self, line: Sequence[int], node: int) -> bool:
        """Return whether a line passes through a node."""
        depth = self.nodes[node].depth
        return node == 0 or (depth <= len(line) and line[depth - 1] == node)

    # -------------------------------------------------------------------------------------------------------- saving

    def as_json(self) -> list[Any]:
        """[parent, text] of each move in the order they were made, with who tried it if somebody did."""
        return [[n.parent, n.text, *([n.tried] if n.tried else [])] for n in self.nodes[1:]]

    def beside(self, node: int) -> list[tuple[int, str]]:
        """All moves that don't lead to a node, as saved games keep them: after which move, counted along the way to the
        node and then in this list; and the text."""
        number = {at: i for i, at in enumerate([0, *self.way(node)])}
        found = []
        for at in range(1, len(self.nodes)):
            if at not in number:
                number[at] = len(number)
                found.append((number[self.nodes[at].parent], self.nodes[at].text))
        return found

    def chosen(self) -> list[int]:
        """The chosen continuations that are not the first ones: what `as_json` doesn't say."""
        return [n.next for n in self.nodes if n.next and n.next != n.children[0]]

    @staticmethod
    def from_json(moves: Sequence[Any], chosen: Sequence[int] = ()) -> Tree:
        """
        :raises ValueError, TypeError, IndexError: if it isn't what `as_json` made.
        """
        tree = Tree()
        for parent, text, *tried in moves[:MAX_NODES]:
            if parent not in tree:
                raise ValueError("a move after none")
            tree.add(parent, str(text), tried=str(tried[0]) if tried else "")
        for node in tree.nodes:
            node.next = node.children[0] if node.children else 0
        for at in chosen:
            if at in tree:
                tree[tree[at].parent].next = at
        return tree
