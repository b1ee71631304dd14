"""The record of a game being played, as a tree: the game is one path through it; other moves are variations.

Nodes are numbers; 0 is the start. They are never removed, so a browser may show any of them, whatever others do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any

Ply = list[Any]
"""A list as `describe_ply` of `view/describe.py` returns it; a record needs its first four entries."""
TEXT, PLAYER, GOES_ON, IS_EDIT = range(4)

MAX_NODES = 8_000
SHOWN = 12
"""Maximum number of moves shown of a variation."""


@dataclass(eq=False, slots=True)
class Node:
    """A move in the tree: `next` is the continuation chosen last, 0 if none; `tried` is the user who tried the move
    in private during a game between people, "" for a move of the game itself."""

    text: str
    parent: int
    depth: int
    ply: Ply
    tried: str = ""
    children: list[int] = field(default_factory=list)
    next: int = 0
    position: Any = None
    """The position after the move, if the process that keeps the record also plays; else None."""


def unknown(text: str) -> Ply:
    """Return a placeholder for a move that no worker has examined yet."""
    return [text, "", False, text.startswith("("), False, text]


def common(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Return the length of the common prefix of two lists."""
    different = (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x is not y and x != y)
    return next(different, min(len(a), len(b)))


class Tree:
    """All moves made in a game, on a server or in a terminal."""

    def __init__(self, line: Sequence[str] = ()) -> None:
        self.nodes = [Node("", 0, 0, unknown(""))]
        self.grow(0, line)

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self.nodes) - 1

    def __contains__(self, node: object) -> bool:
        return type(node) is int and 0 <= node < len(self.nodes)

    def __getitem__(self, node: int) -> Node:
        return self.nodes[node]

    def child(self, node: int, text: str) -> int:
        """Return the node of the move `text` after a node; 0 if it was never made there."""
        return next((c for c in self.nodes[node].children if self.nodes[c].text == text), 0)

    def add(self, node: int, text: str, ply: Ply | None = None, tried: str = "") -> int:
        """Add a move and return its node, or the existing node if the move was made there before."""
        child = self.child(node, text)
        if not child:
            child = len(self.nodes)
            self.nodes.append(Node(text, node, self.nodes[node].depth + 1, ply or unknown(text), tried))
            self.nodes[node].children.append(child)
        elif not tried:
            self.nodes[child].tried = ""
        if not tried or not self.nodes[node].next:
            self.nodes[node].next = child
        return child

    def grow(self, node: int, line: Sequence[str]) -> int:
        """Add several moves; return the last node."""
        for text in line:
            node = self.add(node, text)
        return node

    def choose(self, node: int) -> None:
        """Make the path to a node the chosen continuation at each node on it."""
        while node:
            self.nodes[self.nodes[node].parent].next = node
            node = self.nodes[node].parent

    def learn(self, node: int, first: int, plies: Sequence[Ply]) -> None:
        """Store a worker's facts about the moves on the path to a node, from index `first` on."""
        for at, ply in zip(self.path(node)[first:], plies, strict=False):
            self.nodes[at].ply = ply

    def path(self, node: int) -> list[int]:
        """Return the path to a node, without the start."""
        path = []
        while node:
            path.append(node)
            node = self.nodes[node].parent
        return path[::-1]

    def is_seen(self, node: int, viewer: str | None) -> bool:
        """Return whether `viewer` (None: one who sees all) may see a move; private tries are hidden from others."""
        return viewer is None or self.nodes[node].tried in ("", viewer)

    def onward(self, node: int, viewer: str | None = "") -> Iterator[int]:
        """Yield the chosen continuation of a node, as far as `viewer` may see it."""
        while (node := self.nodes[node].next) and self.is_seen(node, viewer):
            yield node

    def line(self, node: int, viewer: str | None = "") -> list[int]:
        """Return the path to a node, and the chosen continuation after it as far as `viewer` may see it."""
        return [*self.path(node), *self.onward(node, viewer)]

    def texts(self, node: int) -> list[str]:
        """Return the record of moves that leads to a node."""
        return [self.nodes[at].text for at in self.path(node)]

    def plies(self, nodes: Sequence[int]) -> list[Ply]:
        return [self.nodes[at].ply for at in nodes]

    def first_unknown(self, node: int) -> int:
        """Return the index of the first move of a node's path that no worker has examined, or the path's length."""
        path = self.path(node)
        return next((i for i, at in enumerate(path) if not self.nodes[at].ply[PLAYER] and not self.nodes[at].ply[3]),
                    len(path))

    def variations(self, line: Sequence[int], viewer: str | None = "") -> list[dict[str, Any]]:
        """Return the variations of a line: the index where each leaves it (`ply`), its node and its first moves."""
        entries = []
        for ply, (before, after) in enumerate(zip([0, *line], [*line, 0], strict=True)):
            for at in self.nodes[before].children:
                if at != after and self.is_seen(at, viewer):
                    rest = [at, *self.onward(at, viewer)][:SHOWN]
                    entries.append({"ply": ply, "node": at, "plies": self.plies(rest),
                                    "tried": self.nodes[at].tried != ""})
        return entries

    def opening(self, node: int) -> list[int]:
        """Return the nodes before the first choice on the path to a node: edits of the board and chance moves."""
        return list(takewhile(lambda at: self.is_change(at) or self.nodes[at].ply[PLAYER].startswith("?"),
                              self.path(node)))

    def is_change(self, node: int) -> bool:
        """Return whether the node is an edit of the board, not a move."""
        return bool(self.nodes[node].ply[IS_EDIT])

    def is_half_set_up(self, node: int, after: int) -> bool:
        """Return whether the board is only half set up at a node: it is the start or an edit, and its next node `after`
        is an edit."""
        return self.is_change(after) and (node == 0 or self.is_change(node))

    def before(self, tip: int, choosers: Collection[str], between_turns: bool) -> int:
        """Return the node to which a takeback at `tip` leads: the last choice of one of the `choosers`, `tip` if there
        is none, or the node before `tip` if `choosers` is empty. With choosers and `between_turns`, only the start of a
        turn qualifies. A set-up counts as one step; nothing leads back before a set-up with which the game began."""
        path = self.path(tip)
        for node, after in zip(reversed([0, *path[:-1]]), reversed(path), strict=False):
            if not self.is_half_set_up(node, after) and (not choosers or self._chooses(
                    node, after, choosers, between_turns)):
                return node
        return tip

    def after(self, tip: int, choosers: Collection[str], between_turns: bool) -> int:
        """Return the node that redo leads to: the next choice (see `before`) among moves taken back, or their end."""
        onward = list(self.onward(tip))
        return next((node for node, after in pairwise(onward) if not self.is_half_set_up(node, after)
                     and self._chooses(node, after, choosers, between_turns)), onward[-1] if onward else tip)

    def _chooses(self, node: int, after: int, choosers: Collection[str], between_turns: bool) -> bool:
        in_turn = node != 0 and self.nodes[node].ply[GOES_ON]
        return self.nodes[after].ply[PLAYER] in choosers and not (between_turns and in_turn)

    def on(self, line: Sequence[int], node: int) -> bool:
        """Return whether a line passes through a node."""
        depth = self.nodes[node].depth
        return node == 0 or (depth <= len(line) and line[depth - 1] == node)

    def as_json(self) -> list[Any]:
        """Return [parent, text] for each move, in order of creation, or [parent, text, user] for a private try."""
        return [[n.parent, n.text, *([n.tried] if n.tried else [])] for n in self.nodes[1:]]

    def beside(self, node: int) -> list[tuple[int, str]]:
        """Return all moves off the path to a node, as saved games store them: (number of the move that it follows,
        text). Numbers count the moves of the path, then those of this list."""
        number = {at: i for i, at in enumerate([0, *self.path(node)])}
        entries = []
        for at in range(1, len(self.nodes)):
            if at not in number:
                number[at] = len(number)
                entries.append((number[self.nodes[at].parent], self.nodes[at].text))
        return entries

    def chosen(self) -> list[int]:
        """Return the chosen continuations that are not first children; `as_json` does not contain this choice."""
        return [n.next for n in self.nodes if n.next and n.next != n.children[0]]

    @staticmethod
    def from_json(moves: Sequence[Any], chosen: Sequence[int] = ()) -> Tree:
        """Restore a tree; raise ValueError, TypeError or IndexError if `moves` isn't what `as_json` returned."""
        tree = Tree()
        for parent, text, *tried in moves[:MAX_NODES]:
            if parent not in tree:
                raise ValueError("a move without a parent")
            tree.add(parent, str(text), tried=str(tried[0]) if tried else "")
        for node in tree.nodes:
            node.next = node.children[0] if node.children else 0
        for at in chosen:
            if at in tree:
                tree[tree[at].parent].next = at
        return tree
