"""Sets of squares from which blocks may move, computed once for all pieces when complete turns are listed.

A block begins with operations that only look at the board. The starts from which it gets past them, computed for all
squares at once, are its gate: on other squares it need not run. While a piece is lifted, a block that might get past
them because the piece's square is free now runs, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from zrf_py.ir.ops import Op, Program, Routine
from zrf_py.jit.translate import POINTER, WORD, Kernel
from zrf_py.native.bitboards.bits import Bits
from zrf_py.native.bitboards.graph import Graph, Map, NotSets
from zrf_py.native.kernel.memory import PositionFields, state
from zrf_py.native.kernel.reached import reach_gates
from zrf_py.native.specialise.ways import CONTENTS, Path, Squares, beginning_of, paths_of

GROUPS = 16
"""Limit on the different distances of one step; on a star-shaped board there are eight."""
FEW = 2
"""Number of landings up to which each is compared."""
MOST_NODES = 2000
"""Limit on the operations on sets of all gates of a side."""


@dataclass(frozen=True)
class Gate:
    """Gate of a block: a necessary condition that its first operations put on the start square, by side."""

    nodes: tuple[int, ...]
    """Node of the set in the side's graph."""
    landings: tuple[tuple[Map, ...], ...]
    """[side][place][start]: squares that would open the gate if a piece of the side on them were lifted; -1: none."""


Place = tuple[ir.Value, ir.Value, ir.Value]
"""A square, its word in a set, and the square of the lifted piece."""


class Gates:
    """Gates of the blocks of a game."""

    def __init__(self, kernel: Kernel, program: Program) -> None:
        self.kernel = kernel
        self.program = program
        self.squares = len(program.game.board.places)
        self.words = (self.squares + 63) // 64
        self.graphs: dict[int, Graph] = {}
        for side in sorted({turn.side for turn in program.game.turns}):
            alike = (graph for other, graph in self.graphs.items() if program.steps[other] == program.steps[side])
            self.graphs[side] = next(alike, None) or Graph(self.squares, groups=GROUPS, most=MOST_NODES)
        self.boards = {side: Squares(program.steps[side]) for side in self.graphs}
        self.numbers: dict[Gate, int] = {}
        self._known: dict[object, tuple[int, tuple[Map, ...]]] = {}

    def number(self, routine: Routine) -> int | None:
        """Return the number of a block's gate; None if its first operations tell nothing, or too much."""
        try:
            beginning = beginning_of(routine.code)
            found = [self._gate(graph, side, beginning) for side, graph in self.graphs.items()]
        except NotSets:
            return None
        kinds = {graph.nodes[node][0] for (node, _), graph in zip(found, self.graphs.values(), strict=True)}
        if "const" in kinds or len({len(maps) for _, maps in found}) > 1:
            return None
        gate = Gate(tuple(node for node, _ in found), tuple(landings for _, landings in found))
        return self.numbers.setdefault(gate, len(self.numbers))

    def _gate(self, graph: Graph, side: int, code: Sequence[Op]) -> tuple[int, tuple[Map, ...]]:
        key = id(graph), code
        if key not in self._known:
            self._known[key] = self._made(graph, self.boards[side], code)
        return self._known[key]

    def _made(self, graph: Graph, board: Squares, code: Sequence[Op]) -> tuple[int, tuple[Map, ...]]:
        landings: dict[Map, None] = {}
        node = graph.nothing
        for path in paths_of(code, board):
            node = graph.either(node, self._starts(graph, path, board))
            landings.update((board.at(place), None) for place in path.contents if place and path.opens(place))
        return node, tuple(landings)

    def _starts(self, graph: Graph, path: Path, board: Squares) -> int:
        """Return the node of the starts from which a path can be gone."""
        node = graph.all
        for place, contents in path.contents.items():
            landed = board.at(place)
            if any(start == square for start, square in enumerate(landed)) and place:
                raise NotSets
            if place and contents != CONTENTS:
                (name,) = contents if len(contents) == 1 else CONTENTS - contents
                leaf = graph.leaf(name) if name in contents else graph.other(graph.leaf(name))
                node = graph.both(node, graph.gather(leaf, landed, _valid(landed)))
        for place in path.places:
            node = graph.both(node, graph.const(_valid(board.at(place))))
        return node

    # ---------------------------------------------------------------------------------------------------------- code

    def place(self, builder: ir.IRBuilder, square: ir.Value) -> Place:
        """Emit the place of a square, which `is_open` needs."""
        start = builder.load(self.kernel.memory.element(builder, state, WORD(PositionFields.reach_start)), typ=WORD)
        return square, builder.lshr(square, WORD(6)), start

    def is_open(self, builder: ir.IRBuilder, number: int, place: Place, side: ir.Value) -> ir.Value:
        """Emit an i1: whether the block with a gate's number may move from a place."""
        square, word, start = place
        index = builder.add(WORD(number * self.words), word)
        gates = builder.load(self.kernel.memory.element(builder, reach_gates, index), typ=WORD)
        opens = builder.trunc(builder.lshr(gates, builder.and_(square, WORD(63))), ir.IntType(1))
        gate = next(gate for gate, known in self.numbers.items() if known == number)
        if len(gate.landings[0]) > FEW:
            return builder.or_(opens, self._is_among(builder, gate.landings, square, start, side))
        for maps in zip(*gate.landings, strict=True):
            landing = builder.sext(self._entry(builder, maps, square, side, ir.IntType(16)), WORD)
            opens = builder.or_(opens, builder.icmp_signed("==", landing, start))
        return opens

    def _is_among(
        self, builder: ir.IRBuilder, landings: Sequence[Sequence[Map]], square: ir.Value, start: ir.Value,
        side: ir.Value,
    ) -> ir.Value:
        """Emit an i1: whether the lifted piece's square is one of many that may open a gate."""
        rows = [[sum(1 << maps[s] for maps in owned if maps[s] >= 0) for s in range(self.squares)]
                for owned in landings]
        by_word = [[[row >> 64 * i & 0xFFFF_FFFF_FFFF_FFFF for row in owned] for owned in rows]
                   for i in range(self.words)]
        entries = [self._entry(builder, word, square, side, WORD) for word in by_word]
        entry = entries[0]
        for i, other in enumerate(entries[1:], 1):
            entry = builder.select(builder.icmp_signed("==", builder.lshr(start, WORD(6)), WORD(i)), other, entry)
        return builder.trunc(builder.lshr(entry, builder.and_(start, WORD(63))), ir.IntType(1))

    def _entry(
        self, builder: ir.IRBuilder, maps: Sequence[Sequence[int]], square: ir.Value, side: ir.Value, unit: ir.IntType,
    ) -> ir.Value:
        """Emit the entry of a square in a side's table."""
        rows = [-1] * (self.squares * (1 + max(self.graphs)))
        for owner, entries in zip(self.graphs, maps, strict=True):
            rows[owner * self.squares : (owner + 1) * self.squares] = entries
        name = f"landing.{hash(tuple(rows)) & 0xFFFF_FFFF_FFFF}"
        table = self.kernel.module.globals.get(name)
        if table is None:
            kind = ir.ArrayType(unit, len(rows))
            table = ir.GlobalVariable(self.kernel.module, kind, name)
            table.initializer, table.global_constant, table.linkage = kind(rows), True, "internal"
            table.type = POINTER
        index = builder.add(builder.mul(side, WORD(self.squares)), square)
        address = builder.gep(table, [index], inbounds=True, source_etype=unit)
        return builder.load(address, typ=unit)

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
            bits.write(gate.nodes[nth] for gate in self.numbers)
            for gate, number in self.numbers.items():
                address = self.kernel.memory.element(builder, reach_gates, WORD(number * self.words))
                builder.store(bits.values[gate.nodes[nth]], address, align=8)
            builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))


def _valid(landed: Map) -> int:
    return sum(1 << start for start, square in enumerate(landed) if square >= 0)
