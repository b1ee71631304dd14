"""Symbolic sets of squares: a graph of set operations with hash consing and simplification.

A set is an integer with a bit per square. `sets.py` builds graphs from blocks and goals; `bits.py` compiles them.
"""

from collections.abc import Iterable, Sequence

from zrf_py.front import model
from zrf_py.ir.ops import Program

NODES = 3000
"""Limit on the operations of one graph."""
WORDS = 1 << 16
"""Limit on the words of all sets of one graph, because code grows with them."""
MOST_PARTS = 50
"""Maximum number of operands of an intersection that `Graph` examines."""
LEAVES = frozenset(("empty", "friend", "enemy", "neutral", "last-from", "last-to"))
"""Sets that `bits.py` takes from the position; they have the names of tests, without the question mark."""

Map = tuple[int, ...]
"""For each start, a square; -1: none."""


def words_of(bits: int, count: int) -> list[int]:
    """Split a set into words of 64 bits."""
    return [bits >> 64 * i & 0xFFFF_FFFF_FFFF_FFFF for i in range(count)]


class NotSets(Exception):
    """A block or goal can't be expressed by sets within the limits."""


class Graph:
    """Set operations, hash-consed. A node is identified by its number.

    A node is ("const", bits), ("leaf", name, number), ("and", a, b), ("or", a, b), ("not", a) or ("shift", a, by). A
    shift contains square s if node `a` contains s + by.
    """

    def __init__(self, squares: int, single: bool = False, groups: int = 4, most: int = NODES) -> None:
        """:param groups: maximum number of different distances from starts to their squares.
        :param most: maximum number of operations."""
        self.squares = squares
        self.groups = groups
        self.single = single
        """True if the game has only one type of piece."""
        self.nodes: list[tuple[object, ...]] = []
        self._numbers: dict[tuple[object, ...], int] = {}
        self._known_parts: dict[int, frozenset[int]] = {}
        self._known_moves: dict[tuple[Map, int], dict[int, int]] = {}
        self.most = min(most, WORDS * 64 // max(squares, 1))
        self.nothing = self.const(0)
        self.all = self.const((1 << squares) - 1)

    def _put(self, *node: object) -> int:
        number = self._numbers.get(node)
        if number is None:
            if len(self.nodes) > self.most:
                raise NotSets
            number = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number

    def parts(self, node: int) -> list[int]:
        """Return the operands of a node."""
        operation, *rest = self.nodes[node]
        numbers = [n for n in rest if isinstance(n, int)]
        return numbers if operation in ("and", "or", "not") else numbers[:1] if operation == "shift" else []

    def reachable(self, roots: Iterable[int]) -> list[int]:
        """Return `roots` and all nodes on which they depend, each after its operands."""
        return sorted(model.steps_from(roots, self.parts))

    def const(self, bits: int) -> int:
        return self._put("const", bits)

    def leaf(self, name: str, number: int = 0) -> int:
        return self._put("leaf", name, number)

    def kind(self, number: int) -> int:
        """Return the squares with a piece of a type."""
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
        """Intersect a set with the board; the complement (`other`) may contain bits beyond it."""
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
        """Return the complement of a set; it may contain squares beyond the board."""
        if a in (self.nothing, self.all):
            return self.nothing if a == self.all else self.all
        node = self.nodes[a]
        return int(node[1]) if node[0] == "not" else self._put("not", a)  # type: ignore[call-overload]

    def _apart(self, a: int, b: int) -> bool:
        """Return whether two sets are certainly disjoint, such as empty squares and enemies; `b` may be an `and`."""
        first, parts = self._who(a), [b]
        for part in parts if first else ():
            second = self._who(part)
            if second is None and self.nodes[part][0] == "and" and len(parts) < MOST_PARTS:
                parts += self.parts(part)
            elif second is not None and first is not None and first[1] == second[1] and first[0] != second[0]:
                return True
        return False

    def _who(self, a: int) -> tuple[object, object] | None:
        """Return (name, shift) if the set lies within the shifted leaf `empty`, `friend` or `enemy`, else None."""
        node, by = self.nodes[a], 0
        if node[0] == "and":
            left, right = (self.nodes[int(n)] for n in node[1:])  # type: ignore[call-overload]
            node = right if left[0] == "const" else left if right[0] == "const" else node
        if node[0] == "shift":
            node, by = self.nodes[int(node[1])], int(node[2])  # type: ignore[call-overload]
        return (node[1], by) if node[0] == "leaf" and node[1] in ("empty", "friend", "enemy") else None

    def _parts(self, a: int) -> frozenset[int]:
        """Return the operands of a union, flattened; for another node, the node itself."""
        operands = self._known_parts.get(a)
        if operands is None:
            node = self.nodes[a]
            operands = frozenset((a,))
            if node[0] == "or":
                operands = self._parts(int(node[1])) | self._parts(int(node[2]))  # type: ignore[call-overload]
            self._known_parts[a] = operands
        return operands

    def _join(self, parts: Iterable[int]) -> int:
        union = self.nothing
        for part in sorted(parts):
            union = self.either(union, part)
        return union

    def choose(self, test: int, yes: int, no: int) -> int:
        """Return the if-then-else of sets: `yes` inside the test, `no` outside."""
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

    def gather(self, a: int, squares: Map, domain: int) -> int:
        """Return the starts in `domain` whose square in `squares` is in set `a`; the result for others is arbitrary.

        :raises NotSets: if the squares have more than `groups` different distances from their starts.
        """
        if a in (self.nothing, self.all):
            return a
        groups = self._moves(squares, domain)
        if len(groups) > self.groups:
            raise NotSets
        result = self.nothing
        for by, starts in groups.items():
            moved = self._put("shift", a, by) if by else a
            result = self.either(result, self.both(moved, self.const(starts)) if len(groups) > 1 else moved)
        return result

    def rows(self, maps: Sequence[Map], domain: int) -> int | None:
        """Return the distance between neighbours if the maps lead from all starts in `domain` to consecutive squares of
        a row, beginning with the start itself; else None."""
        by = [list(self._moves(squares, domain)) for squares in maps]
        if len(by) < 2 or any(len(shifts) != 1 for shifts in by):
            return None
        step = by[1][0]
        return step if [shifts[0] for shifts in by] == [k * step for k in range(len(by))] else None

    def row(self, a: int, by: int, count: int) -> int:
        """Return the starts of the rows in set `a`: `count` squares, `by` apart. Each step doubles the length."""
        if a in (self.nothing, self.all):
            return a
        result, has = a, 1
        while has < count:
            more = min(has, count - has)
            result = self.both(result, self._put("shift", result, more * by))
            has += more
        return result

    def _moves(self, squares: Map, domain: int) -> dict[int, int]:
        """Group the starts in `domain` by the distance to their square in `squares`."""
        groups = self._known_moves.get((squares, domain))
        if groups is None:
            groups = self._known_moves[squares, domain] = {}
            for start in range(self.squares):
                if domain >> start & 1 and squares[start] >= 0:
                    by = squares[start] - start
                    groups[by] = groups.get(by, 0) | 1 << start
        return groups


def pattern(graph: Graph, program: Program, goal: model.Relative, player: int) -> int:
    """Return the starts at which a player's relative configuration matches.

    :raises NotSets: if the board is not made of rows.
    """
    steps = program.steps[player]
    squares_at: Map = tuple(range(graph.squares))
    matches, valid = graph.all, (1 << graph.squares) - 1
    maps: list[Map] = []
    occupants: list[int] = []
    for item in goal.items:
        if isinstance(item, int):
            table = steps[2 * item]
            squares_at = tuple(table[p] if p >= 0 else -1 for p in squares_at)
            valid = sum(1 << s for s, p in enumerate(squares_at) if p >= 0)
        elif valid:
            maps.append(squares_at)
            occupants.append(occupied_by(graph, item))
    by = graph.rows(maps, valid) if len(set(occupants)) == 1 else None
    if by:
        matches = graph.row(occupants[0], by, len(maps))
    else:
        for squares, occupant in zip(maps, occupants, strict=True):
            matches = graph.both(matches, graph.gather(occupant, squares, valid))
    return graph.inside(graph.both(matches, graph.const(valid)))


def occupied_by(graph: Graph, occupant: model.Occupant) -> int:
    """Return the squares whose content matches an occupant in a goal."""
    squares = graph.kind(occupant.piece)
    if occupant.owner == "own":
        squares = graph.leaf("friend") if graph.single else graph.both(squares, graph.leaf("friend"))
    elif occupant.owner == "opponent":
        squares = graph.both(squares, graph.other(graph.leaf("friend")))
    return graph.other(squares) if occupant.negated else squares
