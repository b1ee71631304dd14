"""Encode graphs of set operations as the tables that `kernel/fills.py` interprets."""

from __future__ import annotations

from array import array
from itertools import pairwise

from zrf_py.ir.ops import Program
from zrf_py.jit.language import wrap
from zrf_py.native.bitboards.graph import Graph, words_of
from zrf_py.native.bitboards.sets import Groups
from zrf_py.native.kernel import fills as f
from zrf_py.native.kernel import masks as k

_JOINS = {"and": f.AND, "or": f.OR, "not": f.NOT, "shift": f.SHIFT}
_LEAVES = {
    "empty": f.EMPTY, "empty?": f.EMPTY, "friend": f.FRIEND, "friend?": f.FRIEND, "enemy": f.ENEMY,
    "neutral": f.NEUTRAL, "type": f.TYPE, "last-from": f.LAST_FROM, "last-to": f.LAST_TO, "store": f.STORE,
    "start": f.START,
}
TABLES = (k.set_from, k.set_node, k.set_words, k.yield_node)
"""Tables that a game's own code does not use."""


class _Nodes:
    """The nodes on which the yields of all groups depend, renumbered."""

    def __init__(self, program: Program) -> None:
        self.squares = len(program.game.board.places)
        self.words = (self.squares + 63) // 64
        self.neutral = sum(1 << i for i, player in enumerate(program.game.players) if player.kind == "neutral")
        self.rows: list[int] = []
        self.constants: dict[int, int] = {(1 << self.squares) - 1: 0}

    @property
    def count(self) -> int:
        return len(self.rows) // k.SetNode.size

    def add(self, graph: Graph, roots: list[int]) -> dict[int, int]:
        """Add the nodes reachable from `roots`; return a map from old to new numbers."""
        renumbered: dict[int, int] = {}
        for node in graph.reachable(roots):
            renumbered[node] = self.count
            self.rows += self._row(graph.nodes[node], renumbered)
        return renumbered

    def _row(self, node: tuple[object, ...], numbers: dict[int, int]) -> list[int]:
        match node:
            case ("const", int(bits)):
                return [f.CONST, self.constants.setdefault(bits, len(self.constants)), 0]
            case ("leaf", str(name), int(number)):
                return [_LEAVES[name], self.neutral if name == "neutral" else number, 0]
            case ("shift", int(a), int(by)):
                return [f.SHIFT, numbers[a], by]
            case (str(name), int(a), *rest):
                return [_JOINS[name], numbers[a], numbers[rest[0] if rest else a]]  # type: ignore[index]
        raise AssertionError(node)

    def constant_words(self) -> list[int]:
        """Return the words of all constant sets, as signed integers."""
        return [wrap(word) for bits in self.constants for word in words_of(bits, self.words)]


def node_tables(program: Program, groups: Groups) -> tuple[dict[str, array[int]], dict[str, int]]:
    """Return the tables of the nodes of all groups, and the sizes of the arrays for their values."""
    nodes, begins, starts = _Nodes(program), [0], list[int]()
    for group in groups.groups:
        numbers = nodes.add(group.graph, [y.starts for y in group.yields])
        begins.append(nodes.count)
        starts += [numbers[y.starts] for y in group.yields]
    most = max((b - a for a, b in pairwise(begins)), default=0)
    tables = {
        k.set_from.name: array("i", begins), k.set_node.name: array("q", nodes.rows),
        k.set_words.name: array("q", nodes.constant_words()), k.yield_node.name: array("i", starts),
    }
    return tables, {k.set_values.name: max(most, 1) * nodes.words}
