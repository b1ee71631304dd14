"""Compile set operations to LLVM. A set is an integer as wide as the board, or a vector of words on large boards."""

from collections.abc import Iterable

from llvmlite import ir

from zrf_py.ir.ops import Program
from zrf_py.jit.language import Storage
from zrf_py.jit.shared import call_intrinsic
from zrf_py.jit.translate import WORD, Kernel, cases
from zrf_py.native.bitboards.graph import Graph, words_of
from zrf_py.native.bitboards.sets import Group, Groups
from zrf_py.native.kernel import masks as k
from zrf_py.native.kernel import memory as m

WIDEST = 16
"""Maximum number of words of a set that is one integer: LLVM's code for integers grows with the square of the width."""


class Bits:
    """Emitter of a graph's nodes as LLVM code of a function; `side` may be known only at run time."""

    def __init__(
        self, kernel: Kernel, program: Program, graph: Graph, builder: ir.IRBuilder, side: ir.Value,
        chain: ir.Value | None = None,
    ) -> None:
        self.kernel = kernel
        self.program = program
        self.graph = graph
        self.builder = builder
        self.side = side
        self.chain = chain
        self.words = (graph.squares + 63) // 64
        self.is_row = self.words > WIDEST
        self.kind = ir.VectorType(WORD, self.words) if self.is_row else ir.IntType(64 * self.words)
        self.values: dict[int, ir.Value] = {}

    def write(self, roots: Iterable[int]) -> None:
        """Emit the nodes reachable from `roots`; `values` maps nodes to values."""
        for node in self.graph.reachable(roots):
            self.values[node] = self._value(node)

    def const(self, bits: int) -> ir.Value:
        return ir.Constant(self.kind, words_of(bits, self.words) if self.is_row else bits)

    def _value(self, node: int) -> ir.Value:
        b, values = self.builder, self.values
        match self.graph.nodes[node]:
            case ("const", int(bits)):
                return self.const(bits)
            case ("leaf", str(name), int(number)):
                return self._leaf(name, number)
            case ("shift", int(a), int(by)):
                if self.is_row:
                    return self._shift_row(values[a], by)
                return b.lshr(values[a], self.const(by)) if by > 0 else b.shl(values[a], self.const(-by))
            case ("and", int(a), int(c)):
                return b.and_(values[a], values[c])
            case ("or", int(a), int(c)):
                return b.or_(values[a], values[c])
            case ("not", int(a)):
                return b.not_(values[a])
        raise AssertionError(self.graph.nodes[node])

    def _shift_row(self, value: ir.Value, by: int) -> ir.Value:
        """Shift a vector of words down by `by` bits across words; up if `by` is negative."""
        full, rest = divmod(abs(by), 64)
        sign, (near, far) = (1, ("lshr", "shl")) if by > 0 else (-1, ("shl", "lshr"))
        shifted = self._moved(value, sign * full)
        if not rest:
            return shifted
        b = self.builder
        shifted = getattr(b, near)(shifted, ir.Constant(self.kind, [rest] * self.words))
        beyond = self._moved(value, sign * (full + 1))
        return b.or_(shifted, getattr(b, far)(beyond, ir.Constant(self.kind, [64 - rest] * self.words)))

    def _moved(self, value: ir.Value, by: int) -> ir.Value:
        """Shift a vector down by `by` whole words (up if negative); zeros come in."""
        places = [i + by if 0 <= i + by < self.words else self.words for i in range(self.words)]
        mask = ir.Constant(ir.VectorType(ir.IntType(32), self.words), places)
        return self.builder.shuffle_vector(value, self.const(0), mask) if by else value

    def row(self, array: Storage, index: ir.Value) -> ir.Value:
        """Emit the load of row `index` of an array of words, as a set."""
        address = self.kernel.memory.element(self.builder, array, self.builder.mul(index, WORD(self.words)))
        return self.builder.load(address, typ=self.kind, align=8)

    def one(self, square: ir.Value) -> ir.Value:
        """Emit the set of one square; the empty set for -1."""
        b = self.builder
        on = b.icmp_signed(">=", square, WORD(0))
        if self.is_row:
            bit = b.select(on, b.shl(WORD(1), b.and_(square, WORD(63))), WORD(0))
            return b.insert_element(self.const(0), bit, b.select(on, b.lshr(square, WORD(6)), WORD(0)))
        wide = b.zext(square, self.kind) if self.words > 1 else square
        return b.select(on, b.shl(self.const(1), wide), self.const(0))

    def _leaf(self, name: str, number: int) -> ir.Value:
        b = self.builder
        match name:
            case "empty?" | "empty":
                return self.row(m.occupied, WORD(0))
            case "friend?" | "friend":
                return self.row(m.occupied, b.add(self.side, WORD(1)))
            case "enemy":
                others = b.or_(self._leaf("empty", 0), self._leaf("friend", 0))
                return b.xor(others, self.const((1 << self.graph.squares) - 1))
            case "neutral":
                union = self.const(0)
                for i, player in enumerate(self.program.game.players):
                    if player.kind == "neutral":
                        union = b.or_(union, self.row(m.occupied, WORD(i + 1)))
                return union
            case "type":
                return self.row(k.kinds_at, WORD(number + 1))
            case "last-from" | "last-to":
                last = m.PositionFields.last_from if name == "last-from" else m.PositionFields.last_to
                return self.one(self.kernel.memory.load(b, m.state, WORD(last)))
            case "store":
                at = b.add(b.mul(self.side, WORD(len(self.program.game.pieces))), WORD(number))
                has = b.icmp_signed(">", self.kernel.memory.load(b, m.stores, at), WORD(0))
                return b.select(has, self.const((1 << self.graph.squares) - 1), self.const(0))
            case "start":
                assert self.chain is not None
                chained = b.icmp_signed(">=", self.chain, WORD(0))
                return b.select(chained, self.one(self.chain), self._leaf("friend", 0))
        raise AssertionError(name)

    def count(self, value: ir.Value) -> ir.Value:
        """Emit the number of squares in a set."""
        if self.is_row:
            return self._reduced("add", self._on_row("ctpop", self.kind, value))
        count = self.builder.ctpop(value)
        return count if self.words == 1 else self.builder.trunc(count, WORD)

    def some(self, value: ir.Value) -> ir.Value:
        """Emit an i1: true if a set is not empty."""
        return self.builder.icmp_unsigned("!=", self._reduced("or", value) if self.is_row else value,
                                          ir.Constant(WORD if self.is_row else self.kind, 0))

    def has_all(self, value: ir.Value, squares: int) -> ir.Value:
        """Emit an i1: true if a set contains all of `squares`."""
        missing = self.builder.and_(self.builder.not_(value), self.const(squares))
        return self.builder.not_(self.some(missing))

    def _reduced(self, operation: str, row: ir.Value) -> ir.Value:
        """Reduce a vector to one word, by `add` or `or`."""
        return self._on_row(f"vector.reduce.{operation}", WORD, row)

    def _on_row(self, intrinsic: str, kind: ir.Type, row: ir.Value) -> ir.Value:
        """Call an LLVM intrinsic on a vector of words."""
        return call_intrinsic(self, f"llvm.{intrinsic}.v{self.words}i64", kind, [row])


def write_fill(kernel: Kernel, program: Program, groups: Groups) -> None:
    """Write the function `fill_sets(group, side, chain)`."""
    function = kernel.functions["fill_sets"]
    number, side, chain = function.args
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    first = 0
    for i in cases(builder, number, ["group"] * len(groups.groups)):
        part = _fill(kernel, program, groups.groups[i], i, first)
        builder.ret(builder.call(part, (side, chain)))
        first += len(groups.groups[i].yields)
    builder.ret(WORD(0))


def _fill(kernel: Kernel, program: Program, group: Group, number: int, first: int) -> ir.Function:
    """Write a function (side, chain) that stores the starts of each `Yield` and returns the total number of records."""
    function = ir.Function(kernel.module, ir.FunctionType(WORD, [WORD, WORD]), f"fill.{number}")
    function.linkage = "internal"
    function.attributes.add("nounwind")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    bits = Bits(kernel, program, group.graph, builder, *function.args)
    bits.write(y.starts for y in group.yields)
    total: ir.Value = WORD(0)
    for i, generated in enumerate(group.yields):
        value = bits.values[generated.starts]
        builder.store(total, kernel.memory.element(builder, k.yield_below, WORD(first + i)))
        address = kernel.memory.element(builder, k.yield_masks, WORD((first + i) * bits.words))
        builder.store(value, address, align=8)
        total = builder.add(total, builder.mul(bits.count(value), WORD(generated.count)))
    builder.ret(total)
    return function
