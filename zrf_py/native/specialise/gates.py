"""Sets of squares from which blocks may move, computed once for all pieces when complete turns are listed.

A block begins with steps and tests that it cannot go on without. Their answers, from all squares at once, are its gate:
on other squares it need not run. While a piece is lifted, a block that may land on its square runs, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from zrf_py.ir.ops import BLOCK_END, HERE, Op, Program, Routine
from zrf_py.jit.translate import POINTER, WORD, Kernel
from zrf_py.native.bitboards.bits import Bits
from zrf_py.native.bitboards.graph import Graph, Map, NotSets
from zrf_py.native.kernel.memory import PositionFields, state
from zrf_py.native.kernel.reached import reach_gates

GROUPS = 16
"""Limit on the different distances of one step; on a star-shaped board there are eight."""
_PASSED = ("mark", "from", "to", "must-continue")
"""Operations after which a block surely goes on, at the same square."""


@dataclass(frozen=True)
class Gate:
    """Gate of a block: the necessary conditions that its first tests put on the start square, by side."""

    nodes: tuple[int, ...]
    """Node of the set in the side's graph."""
    landings: tuple[tuple[Map, ...], ...]
    """[side][test][start]: square that a test wants free, -1: none. The lifted piece's own square counts as free."""


Place = tuple[ir.Value, ir.Value, ir.Value]
"""A square, its word in a set, and the square of the lifted piece."""


class Gates:
    """Gates of the blocks of a game."""

    def __init__(self, kernel: Kernel, program: Program) -> None:
        self.kernel = kernel
        self.program = program
        self.squares = len(program.game.board.places)
        self.words = (self.squares + 63) // 64
        self.graphs = {turn.side: Graph(self.squares) for turn in program.game.turns}
        self.numbers: dict[Gate, int] = {}

    def number(self, routine: Routine) -> int | None:
        """Return the number of a block's gate; None if none of its first tests of squares' contents can be used."""
        try:
            found = [self._gate(graph, side, routine.code) for side, graph in self.graphs.items()]
        except NotSets:
            return None
        gate = Gate(tuple(node for node, _ in found), tuple(maps for _, maps in found))
        kinds = {graph.nodes[node][0] for node, graph in zip(gate.nodes, self.graphs.values(), strict=True)}
        if kinds == {"const"} or any(len(maps) != len(gate.landings[0]) for maps in gate.landings):
            return None
        return self.numbers.setdefault(gate, len(self.numbers))

    def _gate(self, graph: Graph, side: int, code: Sequence[Op]) -> tuple[int, tuple[Map, ...]]:
        steps, landed = self.program.steps[side], tuple(range(self.squares))
        gate, landings = graph.all, list[Map]()
        for op in code:
            if op.name == "step":
                landed = _on(landed, steps[op.a])
            elif op.name in ("empty?", "friend?", "enemy?") and op.target == BLOCK_END and op.where == HERE:
                if all(start != square for start, square in enumerate(landed)):
                    gate = graph.both(gate, self._test(graph, op, landed))
                    landings += [landed] if op.want == (op.name == "empty?") else []
            elif op.name not in _PASSED or op.target or op.where:
                break
        return graph.both(gate, graph.const(_valid(landed))), tuple(landings)

    def _test(self, graph: Graph, op: Op, landed: Map) -> int:
        """Return the node of the set of starts from which a test succeeds."""
        leaf, valid = graph.leaf(op.name[:-1]), _valid(landed)
        node = graph.gather(leaf if op.want else graph.other(leaf), landed, valid, GROUPS)
        return graph.both(node, graph.const(valid))

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
        for maps in zip(*gate.landings, strict=True):
            landing = self._square(builder, maps, square, side)
            opens = builder.or_(opens, builder.icmp_signed("==", landing, start))
        return opens

    def _square(self, builder: ir.IRBuilder, maps: Sequence[Map], square: ir.Value, side: ir.Value) -> ir.Value:
        """Emit the square to which a side's map leads."""
        rows = [-1] * (self.squares * (1 + max(self.graphs)))
        for owner, landed in zip(self.graphs, maps, strict=True):
            rows[owner * self.squares : (owner + 1) * self.squares] = landed
        short = ir.IntType(16)
        name = f"landing.{hash(tuple(rows)) & 0xFFFF_FFFF_FFFF}"
        table = self.kernel.module.globals.get(name)
        if table is None:
            kind = ir.ArrayType(short, len(rows))
            table = ir.GlobalVariable(self.kernel.module, kind, name)
            table.initializer, table.global_constant, table.linkage = kind(rows), True, "internal"
            table.type = POINTER
        index = builder.add(builder.mul(side, WORD(self.squares)), square)
        address = builder.gep(table, [index], inbounds=True, source_etype=short)
        return builder.sext(builder.load(address, typ=short), WORD)

    def write(self) -> None:
        """Write `fill_gates(side)`, once all gates are known."""
        function = self.kernel.functions["fill_gates"]
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        done = function.append_basic_block("done")
        switch = builder.switch(function.args[0], done)
        for nth, (side, graph) in enumerate(self.graphs.items()):
            block = function.append_basic_block("side")
            switch.add_case(WORD(side), block)
            builder.position_at_end(block)
            bits = Bits(self.kernel, self.program, graph, builder, WORD(side))
            bits.write(gate.nodes[nth] for gate in self.numbers)
            for gate, number in self.numbers.items():
                address = self.kernel.memory.element(builder, reach_gates, WORD(number * self.words))
                builder.store(bits.values[gate.nodes[nth]], address, align=8)
            builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))


def _on(landed: Map, step: Sequence[int]) -> Map:
    return tuple(step[square] if square >= 0 else -1 for square in landed)


def _valid(landed: Map) -> int:
    return sum(1 << start for start, square in enumerate(landed) if square >= 0)
