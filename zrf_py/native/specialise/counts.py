"""Code that counts the moves of a block instead of writing them: the modes `count` and `tally` of `emit.py`."""

from llvmlite import ir

from zrf_py.ir.ops import COLLECTED, Op
from zrf_py.jit.translate import WORD
from zrf_py.native.kernel import memory as m
from zrf_py.native.specialise.rays import Slide
from zrf_py.native.specialise.writer import Writer


def count_slide(w: Writer, slide: Slide) -> int:
    """Emit the count of a slide's records and the jump past the slide; return the index of the operation there."""
    assert w.rays is not None
    free, beyond = w.rays.scan(w.builder, w.side, w.motions[slide.motion], w.get(w.here))
    total = w.builder.add(w.get(w.counted_moves), w.builder.mul(free, WORD(slide.records)))
    w.builder.store(total, w.counted_moves)
    w.builder.store(beyond, w.here)
    ends = w.builder.icmp_signed("<", beyond, WORD(0))
    if not w.tally:
        ends = w.builder.or_(ends, w.builder.icmp_signed(">=", total, w.target))
    w.stop_if(ends)
    w.builder.branch(w.blocks[slide.leave])
    return slide.leave


def count_move(w: Writer, op: Op, from_: ir.Value, end: ir.Value) -> None:
    """Emit the count of the records that `add` would write, up to the limit."""
    occupied = w.builder.icmp_signed("!=", w.load(m.cell, from_), WORD(0))
    if w.drop or op.types:
        types = w.types[op.types]
        records = w.call("count_types", WORD(types), WORD(len(op.types)), from_, w.side, w.kind, WORD(int(w.drop)))
    elif op.is_copy:
        records = w.builder.zext(occupied, WORD)
    else:
        still = w.builder.icmp_signed("!=", w.get(w.collected), WORD(0))
        moves = w.builder.icmp_signed("!=", from_, end)
        records = w.builder.zext(w.builder.select(moves, occupied, still), WORD)
    total = w.builder.add(w.get(w.counted_moves), records)
    w.builder.store(total, w.counted_moves)
    w.builder.store(WORD(0), w.collected)
    w.stop_if(w.builder.icmp_signed(">=", total, w.target))


def tally_move(w: Writer, op: Op, end: ir.Value) -> None:
    """Emit the count of a plain move, or its record if its end may endanger royal pieces. If a move changes
    attributes and is not counted, all moves are listed instead."""
    b = w.builder
    moves = counted = b.icmp_signed("!=", w.start, end)
    if w.asks_ends:
        closes = w.load(m.danger_closes, w.call("word_of", end))
        counted = b.and_(moves, b.not_(b.trunc(b.lshr(closes, b.and_(end, WORD(63))), ir.IntType(1))))
    w.builder.store(b.add(w.get(w.counted_moves), b.zext(counted, WORD)), w.counted_moves)
    if w.template.uses(*COLLECTED):
        with b.if_then(b.not_(counted), likely=False):
            b.store(WORD(1), w.kernel.memory.element(b, m.state, WORD(m.PositionFields.must_list)))
    elif w.asks_ends:
        with b.if_then(b.and_(moves, b.not_(counted)), likely=False):
            w.call("write_simple", WORD(op.a), WORD(op.b), w.start, end, w.block_type)
