"""Sets of squares that are not known yet: operations on them, each kept once, with what can be said at once said.

A set of squares is a number with a bit for each. `sets.py` makes such graphs from blocks and goals, `bits.py` code.
"""

from collections.abc import Iterable, Sequence

from zrf_py.front import model
from zrf_py.ir.ops import Program

NODES = 3000
"""Operations on sets of one graph, at most."""
WORDS = 1 << 16
"""Words of all of their sets together: code grows with them."""
MOST_PARTS = 50
"""Of what a set is the intersection of, at most so many are looked at."""
LEAVES = frozenset(("empty", "friend", "enemy", "neutral", "last-from", "last-to"))
"""Sets that `bits.py` knows by the name of the test."""

Map = tuple[int, ...]
"""For each start a square, -1 for none."""


class NotSets(Exception):
    """What is asked cannot be said in sets, or not briefly."""


class Graph:
    """Set operations, each kept once. A node is its number.

    ("const", bits), ("leaf", name, number), ("shift", node, by): square s is in it if s + by is in the node,
    ("and", a, b), ("or", a, b), ("not", a).
    """

    def __init__(self, squares: int, single: bool = False) -> None:
        self.squares = squares
        self.single = single
        """There is one type of piece only."""
        self.nodes: list[tuple[object, ...]] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        self._known_parts: dict[int, frozenset[int]] = {}
        self._known_moves: dict[tuple[Map, int], dict[int, int]] = {}
        self.most = min(NODES, WORDS * 64 // max(squares, 1))
        self.nothing = self.const(0)
        self.all = self.const((1 << squares) - 1)

    def _put(self, *node: object) -> int:
        found = self._numbers.get(node)
        if found is None:
            if len(self.nodes) > self.most:
                raise NotSets
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def parts(self, node: int) -> list[int]:
        """The nodes that an operation works on."""
        what, *rest = self.nodes[node]
        numbers = [n for n in rest if isinstance(n, int)]
        return numbers if what in ("and", "or", "not") else numbers[:1] if what == "shift" else []

    def const(self, bits: int) -> int:
        return self._put("const", bits)

    def leaf(self, name: str, number: int = 0) -> int:
        return self._put("leaf", name, number)

    def kind(self, number: int) -> int:
        """The squares with a piece of a type."""
        return self.other(self.leaf("empty")) if self.single else self.leaf("type", number)

    def both(self, a: int, b: int) -> int:
        if self.nothing in (a, b):
            return self.nothing
        if a == b or b == self.all:
            return a
        if a == self.all:
            return b
        first, second = self.nodes[a], self.nodes[b]
        if first[0] == "not" and self._apart(int(first[1]), b):  # type: ignore[call-overload]
            return b
        if second[0] == "not" and self._apart(int(second[1]), a):  # type: ignore[call-overload]
            return a
        if first[0] == second[0] == "const":
            return self.const(int(first[1]) & int(second[1]))  # type: ignore[call-overload]
        return self._put("and", min(a, b), max(a, b))

    def inside(self, a: int) -> int:
        """A set without what `other` has put beyond the board."""
        return a if self.squares % 64 == 0 or a == self.nothing else self._put("and", self.all, a)

    def either(self, a: int, b: int) -> int:
        if self.all in (a, b):
            return self.all
        if a == b or b == self.nothing:
            return a
        if a == self.nothing:
            return b
        return self._put("or", min(a, b), max(a, b))

    def other(self, a: int) -> int:
        """What is not in a set; squares beyond the board may be in it."""
        if a in (self.nothing, self.all):
            return self.nothing if a == self.all else self.all
        node = self.nodes[a]
        return int(node[1]) if node[0] == "not" else self._put("not", a)  # type: ignore[call-overload]

    def _apart(self, a: int, b: int) -> bool:
        """Whether two sets have nothing in common since no square is, say, empty and an enemy's; the second may be
        the intersection of several."""
        one, parts = self._who(a), [b]
        for part in parts if one else ():
            two = self._who(part)
            if two is None and self.nodes[part][0] == "and" and len(parts) < MOST_PARTS:
                parts += self.parts(part)
            elif two is not None and one is not None and one[1] == two[1] and one[0] != two[0]:
                return True
        return False

    def _who(self, a: int) -> tuple[object, object] | None:
        """(leaf, shift) of a set of starts that is about one square each."""
        node, by = self.nodes[a], 0
        if node[0] == "and":
            one, two = (self.nodes[int(n)] for n in node[1:])  # type: ignore[call-overload]
            node = two if one[0] == "const" else one if two[0] == "const" else node
        if node[0] == "shift":
            node, by = self.nodes[int(node[1])], int(node[2])  # type: ignore[call-overload]
        return (node[1], by) if node[0] == "leaf" and node[1] in ("empty", "friend", "enemy") else None

    def _parts(self, a: int) -> frozenset[int]:
        """What a set is put together from by `or`."""
        found = self._known_parts.get(a)
        if found is None:
            node = self.nodes[a]
            found = frozenset((a,))
            if node[0] == "or":
                found = self._parts(int(node[1])) | self._parts(int(node[2]))  # type: ignore[call-overload]
            self._known_parts[a] = found
        return found

    def _join(self, parts: Iterable[int]) -> int:
        found = self.nothing
        for part in sorted(parts):
            found = self.either(found, part)
        return found

    def choose(self, test: int, yes: int, no: int) -> int:
        """What is in `yes` and in the test, or in `no` and not in the test."""
        if yes == no:
            return yes
        if yes == self.all:
            return self.either(test, no)
        if no == self.all:
            return self.either(self.other(test), yes)
        common = self._parts(yes) & self._parts(no)
        if common and self.nothing not in common:
            rest = self.choose(test, self._join(self._parts(yes) - common), self._join(self._parts(no) - common))
            return self.either(self._join(common), rest)
        return self.either(self.both(test, yes), self.both(self.other(test), no))

    def gather(self, a: int, there: Map, wanted: int) -> int:
        """The starts among `wanted` whose square is in a set; anything about other starts."""
        if a in (self.nothing, self.all):
            return a
        groups = self._moves(there, wanted)
        if len(groups) > 4:
            raise NotSets
        found = self.nothing
        for by, starts in groups.items():
            moved = self._put("shift", a, by) if by else a
            found = self.either(found, self.both(moved, self.const(starts)) if len(groups) > 1 else moved)
        return found

    def rows(self, ways: Sequence[Map], wanted: int) -> int | None:
        """How far squares in a row are from one another where some maps lead to the first, the second and so on of it,
        from each of the starts `wanted`; None where they don't."""
        by = [list(self._moves(way, wanted)) for way in ways]
        if len(by) < 2 or any(len(one) != 1 for one in by):
            return None
        step = by[1][0]
        return step if [one[0] for one in by] == [k * step for k in range(len(by))] else None

    def row(self, a: int, by: int, count: int) -> int:
        """The squares from which on so many in a row, each `by` from the one before, are in a set, by doubling."""
        if a in (self.nothing, self.all):
            return a
        found, has = a, 1
        while has < count:
            more = min(has, count - has)
            found = self.both(found, self._put("shift", found, more * by))
            has += more
        return found

    def _moves(self, there: Map, wanted: int) -> dict[int, int]:
        """How far the square of a start is from it, with those of the starts `wanted` for which it is so."""
        groups = self._known_moves.get((there, wanted))
        if groups is None:
            groups = self._known_moves[there, wanted] = {}
            for start in range(self.squares):
                if wanted >> start & 1 and there[start] >= 0:
                    by = there[start] - start
                    groups[by] = groups.get(by, 0) | 1 << start
        return groups


def pattern(graph: Graph, program: Program, goal: model.Relative, player: int) -> int:
    """The starts from which a relative configuration of a player is there.

    :raises NotSets: if the board is not made of rows.
    """
    steps = program.steps[player]
    there: Map = tuple(range(graph.squares))
    found, valid = graph.all, (1 << graph.squares) - 1
    ways: list[Map] = []
    asked: list[int] = []
    for item in goal.items:
        if isinstance(item, int):
            table = steps[2 * item]
            there = tuple(table[p] if p >= 0 else -1 for p in there)
            valid = sum(1 << s for s, p in enumerate(there) if p >= 0)
        elif valid:
            ways.append(there)
            asked.append(occupied_by(graph, item))
    by = graph.rows(ways, valid) if len(set(asked)) == 1 else None
    if by:
        found = graph.row(asked[0], by, len(ways))
    else:
        for way, one in zip(ways, asked, strict=True):
            found = graph.both(found, graph.gather(one, way, valid))
    return graph.inside(graph.both(found, graph.const(valid)))


def occupied_by(graph: Graph, occupant: model.Occupant) -> int:
    """The squares on which an occupant stands, as a goal says it."""
    found = graph.kind(occupant.piece)
    if occupant.owner == "own":
        found = graph.leaf("friend") if graph.single else graph.both(found, graph.leaf("friend"))
    elif occupant.owner == "opponent":
        found = graph.both(found, graph.other(graph.leaf("friend")))
    return graph.other(found) if occupant.negated else found
