"""Sets of squares from which blocks may move, computed once for all pieces when complete turns are listed.

A block begins with operations that only look at the board. Each path through them has a set of starts from which it is
open, computed for all squares at once, and a table of its ends, from which the rest of the block runs. The tested
squares are in tables, too, because the start square of the piece whose turn is listed (the lifted piece) counts as
empty. If a path tests few squares, each is compared with this start square; otherwise blocks that test it run in full.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from llvmlite import ir

from zrf_py.ir.ops import Op, Program, Routine
from zrf_py.jit.translate import WORD, Kernel
from zrf_py.native.bitboards.bits import Bits
from zrf_py.native.bitboards.graph import Graph, Map, NotSets
from zrf_py.native.kernel.memory import PositionFields, state
from zrf_py.native.kernel.reached import MOST_ROUTES, MOST_SETS, gate_rows, reach_gates
from zrf_py.native.specialise.ways import CONTENTS, GROUPS, Path, beginning_of, paths_of

FEW = 2
"""Maximum number of tested squares in a path if each of them is compared with the lifted piece's square."""
_BYTE, _SHORT = ir.IntType(8), ir.IntType(16)
Sets = tuple[tuple[int, ...], ...]
"""[set][side]: the set's node in the side's graph."""
MOST_NODES = 2000
"""Limit on the set operations of all gates of a side."""


@dataclass(frozen=True)
class Route:
    """A path through the first operations of a block, for each side."""

    nodes: tuple[int, ...]
    """[side]: node of the set of its starts, in the side's graph."""
    lands: tuple[Map, ...]
    """[side][start]: the square where the path ends."""
    looks: tuple[tuple[Map, ...], ...]
    """[side][place][start]: the squares that the path tests."""
    without: tuple[tuple[int, ...], ...]
    """[place][side]: like `nodes`, if the place counts as empty; () if the path tests more than `FEW` squares."""


class Gates:
    """The gates of a game: the sets of squares from which the paths of its blocks are open."""

    def __init__(self, kernel: Kernel, program: Program) -> None:
        self.kernel = kernel
        self.program = program
        self.squares = len(program.game.board.places)
        self.words = (self.squares + 63) // 64
        self.most = gate_rows(sum(map(len, program.moves)))
        self.graphs: dict[int, Graph] = {}
        for side in sorted({turn.side for turn in program.game.turns}):
            alike = (graph for other, graph in self.graphs.items() if program.steps[other] == program.steps[side])
            self.graphs[side] = next(alike, None) or Graph(self.squares, groups=GROUPS, most=MOST_NODES)
        self.rows: dict[Sets, int] = {}
        """Sets that are tested together → number of the first one; the numbers of the others follow it."""
        self.count = 0
        self._routes: dict[object, tuple[int, bool, tuple[Route, ...]] | None] = {}

    def routes(self, routine: Routine) -> tuple[int, bool, tuple[Route, ...]] | None:
        """Return the exit of a block's first operations (index of the next one, whether `to` is set) and the paths
        through them; None if the paths have different exits, one tests no square, or sets can't express them."""
        beginning = beginning_of(routine.code)
        if beginning not in self._routes:
            self._routes[beginning] = self._new_routes(beginning)
        return self._routes[beginning]

    def _new_routes(self, beginning: tuple[Op, ...]) -> tuple[int, bool, tuple[Route, ...]] | None:
        try:
            rows = [*zip(*(paths_of(self.program, beginning, side) for side in self.graphs), strict=True)]
            routes = tuple(self._route(row) for row in rows)
        except (NotSets, ValueError):
            return None
        ends = {(path.leave, path.sets_to) for row in rows for path in row}
        return (*ends.pop(), routes) if len(ends) == 1 and all(route.looks[0] for route in routes) else None

    def _route(self, paths: tuple[Path, ...]) -> Route:
        if any(path.end is None or [*path.contents.values()] != [*paths[0].contents.values()] for path in paths):
            raise NotSets
        both = [*zip(paths, self.graphs.values(), strict=True)]
        tested = [[*path.contents][1:] for path in paths]
        return Route(
            tuple(self._starts(graph, path) for path, graph in both),
            tuple(path.end or () for path in paths),
            tuple(map(tuple, tested)),
            tuple(tuple(self._starts(graph, replace(path, contents={**path.contents, landed: CONTENTS}))
                        if "empty" in path.contents[landed] else graph.nothing
                        for landed, (path, graph) in zip(place, both, strict=True))
                  for place in zip(*tested, strict=True) if len(tested[0]) <= FEW))

    def _starts(self, graph: Graph, path: Path) -> int:
        """Return the node of the starts from which a path is open."""
        node = graph.all
        for landed, contents in [*path.contents.items()][1:]:
            if any(start == square for start, square in enumerate(landed)):
                raise NotSets
            if contents != CONTENTS:
                (name,) = contents if len(contents) == 1 else CONTENTS - contents
                leaf = graph.leaf(name) if name in contents else graph.other(graph.leaf(name))
                node = graph.both(node, graph.gather(leaf, landed, _valid(landed)))
        return graph.both(node, graph.const(path.valid))

    # ---------------------------------------------------------------------------------------------------------- code

    def open_routes(
        self, builder: ir.IRBuilder, blocks: Sequence[Sequence[Route]], square: ir.Value, side: ir.Value,
    ) -> tuple[ir.Value, ir.Value | None]:
        """Emit two bit masks of the paths of some blocks. The first has the paths that may be open from a square, the
        second those of blocks that must run to find out, because they test the square of the lifted piece: such a block
        has a single bit in each, for its first path. The second is None if the paths are short (`is_short`)."""
        b = builder
        routes = tuple(route for block in blocks for route in block)
        if is_short(routes):
            return self._exactly(b, routes, square, side), None
        masks, rows = self.asking(blocks)
        number = self._entry(b, rows, _BYTE, 1, self.squares, (self._start(b), side, square))
        row = b.mul(b.zext(b.extract_element(number, WORD(0)), WORD), WORD(2))
        firsts = sum(1 << sum(map(len, blocks[:i])) for i in range(len(blocks)))
        table = self._table(WORD, [n for mask in masks for n in (~mask, mask & firsts)])
        mask, slow = (b.load(b.gep(table, [b.add(row, WORD(i))], inbounds=True, source_etype=WORD), typ=WORD)
                      for i in range(2))
        opens = _number(b, self._are_open(b, tuple(route.nodes for route in routes), square), len(routes))
        return b.or_(b.and_(opens, mask), slow), slow

    def suits(self, blocks: Sequence[Sequence[Route]]) -> bool:
        """Return whether the paths of some blocks can be tested together."""
        routes = [route for block in blocks for route in block]
        return len(routes) <= MOST_ROUTES and self.count <= self.most - 4 * MOST_ROUTES and (
            is_short(routes) or len(self.asking(blocks)[0]) <= MOST_SETS)

    def _exactly(self, builder: ir.IRBuilder, routes: tuple[Route, ...], square: ir.Value, side: ir.Value) -> ir.Value:
        """Emit a bit mask of the paths that are open from a square."""
        b, count = builder, 1 << (len(routes) - 1).bit_length()
        used, routes = len(routes), (*routes, *[routes[-1]] * (count - len(routes)))
        start = _all(b, b.trunc(self._start(b), _SHORT), count)
        opens = self._are_open(b, tuple(route.nodes for route in routes), square)
        for place in range(len(routes[0].without)):
            rows = [[route.looks[nth][place][s] for s in range(self.squares) for route in routes]
                    for nth in range(len(self.graphs))]
            lifted = b.icmp_signed("==", self._entry(b, rows, _SHORT, count, 1, (square, side, WORD(0))), start)
            opens = b.and_(opens, b.not_(lifted))
            sets = tuple(route.without[place] for route in routes)
            if {*sets} != {tuple(graph.nothing for graph in self.graphs.values())}:
                opens = b.or_(opens, b.and_(lifted, self._are_open(b, sets, square)))
        return _number(b, opens, used)

    def asking(self, blocks: Sequence[Sequence[Route]]) -> tuple[list[int], list[list[int]]]:
        """Return bit masks of paths, and for each [side][tested square][start] the number of the mask of those paths
        whose block tests that square."""
        masks: dict[int, int] = {0: 0}
        tables = []
        for nth in range(len(self.graphs)):
            asking = [0] * self.squares ** 2
            first = 0
            for block in blocks:
                paths = (1 << len(block)) - 1 << first
                first += len(block)
                for start, square in ((start, maps[start]) for route in block for maps in route.looks[nth]
                                      for start in range(self.squares) if maps[start] >= 0):
                    asking[square * self.squares + start] |= paths
            tables.append([masks.setdefault(paths, len(masks)) for paths in asking])
        return [*masks], tables

    def landing(
        self, builder: ir.IRBuilder, routes: Sequence[Route], route: ir.Value, square: ir.Value, side: ir.Value,
    ) -> ir.Value:
        """Emit the square to which a path, given by its number, leads."""
        rows = [[path.lands[nth][s] for s in range(self.squares) for path in routes] for nth in range(len(self.graphs))]
        entry = self._entry(builder, rows, _SHORT, 1, len(routes), (square, side, route))
        return builder.sext(builder.extract_element(entry, WORD(0)), WORD)

    def _start(self, builder: ir.IRBuilder) -> ir.Value:
        return self.kernel.memory.load(builder, state, WORD(PositionFields.reach_start))

    def _are_open(self, builder: ir.IRBuilder, sets: Sets, square: ir.Value) -> ir.Value:
        """Emit a vector of i1 that states which of the sets contain a square."""
        b, count = builder, len(sets)
        if sets not in self.rows:
            self.rows[sets] = self.count
            self.count += count
        at = b.add(b.mul(b.lshr(square, WORD(6)), WORD(self.most)), WORD(self.rows[sets]))
        found = b.load(self.kernel.memory.element(b, reach_gates, at), typ=ir.VectorType(WORD, count), align=8)
        bit = b.shl(WORD(1), b.and_(square, WORD(63)))
        return b.icmp_unsigned("!=", b.and_(found, _all(b, bit, count)), found.type(None))

    def _entry(
        self, builder: ir.IRBuilder, rows: Sequence[Sequence[int]], unit: ir.IntType, count: int, words: int,
        place: tuple[ir.Value, ir.Value, ir.Value],
    ) -> ir.Value:
        """Emit the `count` entries at [square][word] of a side's table; `rows`: the tables of the sides."""
        square, side, word = place
        entries = [*rows[0]] if all(row == rows[0] for row in rows) else []
        at = builder.mul(square, WORD(words))
        if not entries:
            entries = [0] * (len(rows[0]) * (1 + max(self.graphs)))
            for owner, row in zip(self.graphs, rows, strict=True):
                entries[owner * len(row) : (owner + 1) * len(row)] = row
            at = builder.add(builder.mul(side, WORD(self.squares * words)), at)
        table = self._table(unit, entries)
        index = builder.mul(builder.add(at, word), WORD(count))
        address = builder.gep(table, [index], inbounds=True, source_etype=unit)
        return builder.load(address, typ=ir.VectorType(unit, count), align=unit.width // 8)

    def _table(self, unit: ir.IntType, entries: list[int]) -> ir.GlobalVariable:
        name = f"gates.{hash((unit.width, *entries)) & 0xFFFF_FFFF_FFFF}"
        return self.kernel.memory.table(name, unit, lambda: entries)

    def write(self) -> None:
        """Write `fill_gates(side)`, once all gates are known."""
        function = self.kernel.functions["fill_gates"]
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        done = function.append_basic_block("done")
        switch = builder.switch(function.args[0], done)
        blocks: dict[int, ir.Block] = {}
        for nth, (side, graph) in enumerate(self.graphs.items()):
            if id(graph) in blocks:
                switch.add_case(WORD(side), blocks[id(graph)])
                continue
            block = blocks[id(graph)] = function.append_basic_block("side")
            switch.add_case(WORD(side), block)
            builder.position_at_end(block)
            bits = Bits(self.kernel, self.program, graph, builder, function.args[0])
            bits.write(nodes[nth] for sets in self.rows for nodes in sets)
            for sets, first in self.rows.items():
                for number, nodes in enumerate(sets, first):
                    self._store(builder, bits.values[nodes[nth]], number)
            builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))

    def _store(self, builder: ir.IRBuilder, squares: ir.Value, number: int) -> None:
        for i in range(self.words):
            if isinstance(squares.type, ir.VectorType):
                word = builder.extract_element(squares, ir.IntType(32)(i))
            else:
                word = squares if self.words == 1 else builder.trunc(
                    builder.lshr(squares, ir.Constant(squares.type, 64 * i)), WORD)
            builder.store(word, self.kernel.memory.element(builder, reach_gates, WORD(i * self.most + number)))


def _number(builder: ir.IRBuilder, bits: ir.Value, used: int) -> ir.Value:
    """Emit the first bits of a vector as a number."""
    count = bits.type.count
    number = builder.bitcast(bits, ir.IntType(count))
    return builder.and_(builder.zext(number, WORD) if count < 64 else number, WORD((1 << used) - 1))


def _all(builder: ir.IRBuilder, value: ir.Value, count: int) -> ir.Value:
    """Emit a vector of equal elements."""
    vector = ir.VectorType(value.type, count)
    single = builder.insert_element(vector(ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(single, vector(ir.Undefined), ir.VectorType(ir.IntType(32), count)(None))


def is_short(routes: Sequence[Route]) -> bool:
    """Return whether all paths test the same number of squares, at most `FEW`."""
    return len({len(route.looks[0]) for route in routes}) == 1 and len(routes[0].looks[0]) <= FEW


def _valid(landed: Map) -> int:
    return sum(1 << start for start, square in enumerate(landed) if square >= 0)
