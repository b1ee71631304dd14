"""Code that counts the moves of a block instead of writing them: the modes `count` and `tally` of `emit.py`."""

from llvmlite import ir

from zrf_py.ir.ops import Op, those
from zrf_py.ir.traits import Kind
from zrf_py.jit.translate import WORD
from zrf_py.native.kernel import memory as m
from zrf_py.native.specialise.building import Building
from zrf_py.native.specialise.rays import Rays, Slide
from zrf_py.native.specialise.templates import Template

EFFECTS = those(lambda row: row.kind is Kind.EFFECT)


class Counting(Building):
    """The part of a block's compiler that counts moves."""

    rays: Rays | None
    template: Template
    tally: bool
    drop: bool
    asks_ends: bool
    """Moves are counted only if their ends cannot endanger royal pieces."""
    types: dict[tuple[int, ...], int]
    start: ir.Value
    target: ir.Value
    kind: ir.Value
    block_type: ir.Value
    motions: list[ir.Value]
    counted_moves: ir.Value
    collected: ir.Value
    blocks: dict[int, ir.Block]

    def stop_if(self, condition: ir.Value) -> None:
        """Emit a conditional end of the block."""
        raise NotImplementedError

    def count_slide(self, slide: Slide) -> int:
        """Emit the count of a slide's records and the jump to where it leaves; return the index of that operation."""
        assert self.rays is not None
        free, beyond = self.rays.scan(self.builder, self.side, self.motions[slide.motion], self.get(self.here))
        total = self.builder.add(self.get(self.counted_moves), self.builder.mul(free, WORD(slide.records)))
        self.builder.store(total, self.counted_moves)
        self.builder.store(beyond, self.here)
        ends = self.builder.icmp_signed("<", beyond, WORD(0))
        if not self.tally:
            ends = self.builder.or_(ends, self.builder.icmp_signed(">=", total, self.target))
        self.stop_if(ends)
        self.builder.branch(self.blocks[slide.leave])
        return slide.leave

    def count_move(self, op: Op, from_: ir.Value, end: ir.Value) -> None:
        """Emit the count of the records that `add` would write, up to the limit."""
        occupied = self.builder.icmp_signed("!=", self.load(m.cell, from_), WORD(0))
        if self.drop or op.types:
            types = self.types[op.types]
            records = self.call("count_types", WORD(types), WORD(len(op.types)), from_, self.side, self.kind,
                                WORD(int(self.drop)))
        elif op.is_copy:
            records = self.builder.zext(occupied, WORD)
        else:
            still = self.builder.icmp_signed("!=", self.get(self.collected), WORD(0))
            moves = self.builder.icmp_signed("!=", from_, end)
            records = self.builder.zext(self.builder.select(moves, occupied, still), WORD)
        total = self.builder.add(self.get(self.counted_moves), records)
        self.builder.store(total, self.counted_moves)
        self.builder.store(WORD(0), self.collected)
        self.stop_if(self.builder.icmp_signed(">=", total, self.target))

    def tally_move(self, op: Op, end: ir.Value) -> None:
        """Emit the count of a plain move, or its record if its end may endanger royal pieces. If a move changes
        attributes and is not counted, all moves are listed instead."""
        b = self.builder
        moves = counted = b.icmp_signed("!=", self.start, end)
        if self.asks_ends:
            closes = self.load(m.danger_closes, self.call("word_of", end))
            counted = b.and_(moves, b.not_(b.trunc(b.lshr(closes, b.and_(end, WORD(63))), ir.IntType(1))))
        self.builder.store(b.add(self.get(self.counted_moves), b.zext(counted, WORD)), self.counted_moves)
        if self.template.uses(*EFFECTS):
            with b.if_then(b.not_(counted), likely=False):
                b.store(WORD(1), self.kernel.memory.element(b, m.state, WORD(m.PositionFields.must_list)))
        elif self.asks_ends:
            with b.if_then(b.and_(moves, b.not_(counted)), likely=False):
                self.call("write_simple", WORD(op.a), WORD(op.b), self.start, end, self.block_type)
