"""Compile the blocks of one game to LLVM: one function per block, without interpreting operations at run time.

Blocks that differ only in their motions (a macro applied to eight directions) share one function, a `Template`; the
motions are its arguments. A template has seven modes: `moves` writes records; `look` returns whether a move would
remove the piece on a target, and stops at the first that would; `count` counts the records that `moves` would write,
up to a limit; `tally` counts plain moves and writes the others; `reach` passes each leg to `kernel/reaches.py`; so
does `land`, which begins with the cursor on the square of the last argument; `ask`, for tests alone, returns whether
all of them pass.

`EMIT` has a function for each row of `ir/ops.py`; it accesses memory through calls to the kernel.
"""

import ast
from collections.abc import Callable, Mapping

from llvmlite import ir

from zrf_py.ir.ops import COLLECTED, EFFECTS, OPS, Op, those
from zrf_py.jit.translate import WORD
from zrf_py.native.kernel import board, vm
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import NUMBERS
from zrf_py.native.specialise.counts import count_move, count_slide, tally_move
from zrf_py.native.specialise.writer import Writer


def write_block(w: Writer) -> ir.Function:
    """Emit the operations of a block; return its function."""
    leave = 0
    for i, op in enumerate(w.template.ops):
        if i < leave:
            continue
        if i in w.blocks:
            if not w.builder.block.is_terminated:
                w.burn()
                w.builder.branch(w.blocks[i])
            w.builder.position_at_end(w.blocks[i])
            w.counted = 0
        if w.builder.block.is_terminated:
            continue
        w.counted += 1
        if w.scope is not None:
            w.builder.debug_metadata = w.kernel.module.add_debug_info(
                "DILocation", {"line": i + 1, "column": 1, "scope": w.scope})
        if i in w.slides:
            leave = count_slide(w, w.slides[i])
        else:
            EMIT[op.name](w, op, i)
    if not w.builder.block.is_terminated:
        w.stop()
    return w.finish()


# ------------------------------------------------------------------------------------------------------- the cursor


def _step(w: Writer, op: Op, i: int) -> None:
    square = w.load(m.steps, w.builder.add(w.rows[op.a], w.get(w.here)))
    w.builder.store(square, w.here)
    w.stop_if_off(square)


def _jump(w: Writer, op: Op, i: int) -> None:
    w.builder.store(WORD(op.a), w.here)


def _go(w: Writer, op: Op, i: int) -> None:
    match op.a:
        case 0:
            square = w.get(w.from_)
        case 1:
            square = w.end()
        case 2:
            square = w.get(w.mark)
        case 3:
            square = w.load(m.state, WORD(m.PositionFields.last_from))
        case _:
            square = w.load(m.state, WORD(m.PositionFields.last_to))
    w.builder.store(square, w.here)
    w.stop_if_off(square)


def _mark(w: Writer, op: Op, i: int) -> None:
    square = w.where(op)
    w.builder.store(square, w.mark)
    w.builder.store(square, w.marked)
    if op.where < 0:
        w.stop_if_off(square)


def _from(w: Writer, op: Op, i: int) -> None:
    w.builder.store(w.get(w.here), w.from_)


def _to(w: Writer, op: Op, i: int) -> None:
    w.builder.store(w.get(w.here), w.to)


# ---------------------------------------------------------------------------------------------------- writing moves


def _cascade(w: Writer, op: Op, i: int) -> None:
    goes_on = w.call("add_cascade", w.get(w.from_), w.end(), w.kind)
    w.stop_if(w.builder.icmp_signed("==", goes_on, WORD(0)))
    w.builder.store(w.get(w.here), w.from_)
    w.builder.store(WORD(-1), w.to)


def _add(w: Writer, op: Op, i: int) -> None:
    end = w.end()
    from_ = w.get(w.from_)
    if w.tally and not op.types:
        tally_move(w, op, end)
    elif w.count and not w.tally:
        count_move(w, op, from_, end)
    elif w.reach:
        _take(w, op, end)
    elif w.template.is_plain and not op.types and not op.is_copy:
        _add_plain(w, op, from_, end)
    else:
        types_at = w.types[op.types]
        if w.tally:
            w.call("begin_walk")
        w.call("add_any", WORD(op.a), WORD(op.b), WORD(types_at), WORD(len(op.types)), from_, end, w.side, w.kind,
               w.block_type)
        if w.look:
            _return_if(w, w.builder.icmp_signed("!=", w.load(m.state, WORD(m.PositionFields.found)), WORD(0)))
    w.builder.store(w.start, w.from_)
    w.builder.store(WORD(-1), w.to)


def _take(w: Writer, op: Op, end: ir.Value) -> None:
    """Emit the call of `take_leg` for a leg, or of `take_other` for one with effects."""
    moves, collects = w.builder.icmp_signed("!=", w.start, end), w.template.uses(*COLLECTED)
    if collects:
        some = w.builder.icmp_signed("!=", w.get(w.collected), WORD(0))
        with w.builder.if_then(some):
            w.call("take_other")
        w.builder.store(WORD(0), w.collected)
        moves = w.builder.and_(moves, w.builder.not_(some))
    with w.builder.if_then(moves, likely=True):
        must = w.get(w.must) if w.template.uses("must-continue") else WORD(0)
        w.call("take_leg", WORD(op.b if op.is_partial else -2), must, w.start, end)
    w.builder.store(WORD(0), w.must)


def _add_plain(w: Writer, op: Op, from_: ir.Value, end: ir.Value) -> None:
    """Emit the record of a plain move or drop."""
    if w.drop:
        w.call("write_drop", WORD(op.a), WORD(op.b), from_, end, w.side, w.kind, w.block_type)
        return
    moves = w.builder.icmp_signed("!=", from_, end)
    if w.template.uses("from"):
        occupied = w.builder.icmp_signed("!=", w.load(m.cell, from_), WORD(0))
        moves = w.builder.and_(moves, occupied)
    if w.look:
        _return_if(w, w.builder.and_(moves, w.builder.icmp_signed("==", end, w.target)))
        return
    with w.builder.if_then(moves, likely=True):
        w.call("write_simple", WORD(op.a), WORD(op.b), from_, end, w.block_type)


def _return_if(w: Writer, condition: ir.Value) -> None:
    with w.builder.if_then(condition):
        if w.loops:
            w.burn()
            with w.builder.if_then(w.builder.icmp_signed(">", w.get(w.fuel), WORD(vm.FUEL_LIMIT)), likely=False):
                w.call("endless", w.routine)
                w.builder.ret(WORD(0))
        w.builder.ret(WORD(1))


# ----------------------------------------------------------------------------------------------------------- effects


def _capture(w: Writer, op: Op, i: int) -> None:
    if w.count or w.reach:
        w.if_on_board(op, w.collect)
        return
    w.if_on_board(op, lambda square: w.call("add_capture" + w.template.suffix, square))


Emit = Callable[[Writer, Op, int], None]


def _effect(w: Writer, op: Op, i: int) -> None:
    if w.look and not OPS[op.name].removes:
        return
    if w.count or w.reach:
        w.if_on_board(op, w.collect)
        return
    name, number = "add_effect" + w.template.suffix, EFFECTS.index(op.name)
    operands = (WORD(n) if isinstance(n, int) else n for n in op.operands(w.kind, w.side))
    w.if_on_board(op, lambda square: w.call(name, WORD(number), square, *operands))


def _set_counter(w: Writer, op: Op, i: int) -> None:
    if not w.look:
        player = w.call("counter_place", WORD(op.a), WORD(op.b), w.side)
        if w.reach:
            w.number(op.numbers[0])
            w.collect(player)
            return
        w.call("add_number_apart", WORD(EFFECTS.index(op.name)), WORD(op.a), player, w.number(op.numbers[0]))


def _next_turn(w: Writer, op: Op, i: int) -> None:
    if w.reach:
        w.number(op.numbers[0])
        w.collect(w.side)
    elif not w.look:
        w.call("add_number_apart", WORD(board.NEXT_TURN), WORD(0), WORD(0), w.number(op.numbers[0]))


def _must_continue(w: Writer, op: Op, i: int) -> None:
    if w.reach:
        w.builder.store(WORD(1), w.must)
    else:
        w.call("must_continue")


def _add_pass(w: Writer, op: Op, i: int) -> None:
    """Emit the record of `add-pass`: the collected parts, without a movement of its own."""
    if w.reach:
        _take_pass(w)
    elif not w.template.is_plain:
        w.call("add_pass", w.side, w.kind, w.start, w.block_type)
        if w.look:
            _return_if(w, w.builder.icmp_signed("!=", w.load(m.state, WORD(m.PositionFields.found)), WORD(0)))
    elif not w.look:
        w.call("write_pass", w.block_type)
    w.builder.store(w.start, w.from_)
    w.builder.store(WORD(-1), w.to)


def _take_pass(w: Writer) -> None:
    some = w.builder.icmp_signed("!=", w.get(w.collected), WORD(0))
    with w.builder.if_else(some) as (other, otherwise):
        with other:
            w.call("take_other")
        with otherwise:
            w.call("take_pass")
    w.builder.store(WORD(0), w.collected)
    w.builder.store(WORD(0), w.must)


def _compare(sign: str) -> Emit:
    def emit(w: Writer, op: Op, i: int) -> None:
        left, right = (w.number(number) for number in op.numbers)
        w.branch(w.builder.icmp_signed(sign, left, right), op, i)

    return emit


def _set_flag(w: Writer, op: Op, i: int) -> None:
    w.call("set_flag", WORD(op.a), WORD(op.b))


def _set_position_flag(w: Writer, op: Op, i: int) -> None:
    w.if_on_board(op, lambda square: w.call("set_position_flag", square, WORD(op.a), WORD(op.b)))


def _goto(w: Writer, op: Op, i: int) -> None:
    w.jump(i, op.target)


def _end(w: Writer, op: Op, i: int) -> None:
    if w.ask:
        w.builder.store(WORD(1), w.counted_moves)
    w.stop()


# ------------------------------------------------------------------------------------------------------------- tests


def _test(w: Writer, op: Op, i: int) -> None:
    """Emit a test of a square, which fails off the board."""
    square = w.where(op)
    if op.where >= 0:
        w.branch(_asked(w, op, square), op, i)
        return
    before = w.builder.block
    on, done = w.function.append_basic_block(), w.function.append_basic_block()
    w.builder.cbranch(w.builder.icmp_signed(">=", square, WORD(0)), on, done)
    w.builder.position_at_end(on)
    answer = _asked(w, op, square)
    last = w.builder.block
    w.builder.branch(done)
    w.builder.position_at_end(done)
    both = w.builder.phi(ir.IntType(1))
    both.add_incoming(ir.Constant(ir.IntType(1), 0), before)
    both.add_incoming(answer, last)
    w.branch(both, op, i)


def _asked(w: Writer, op: Op, square: ir.Value) -> ir.Value:
    """Emit the result of a test of a square: what the function `ask` of the kernel returns for this operation."""
    values: dict[str, Callable[[], ir.Value]] = {
        "square": lambda: square, "a": lambda: WORD(op.a), "side": lambda: w.side, "kind": lambda: w.kind,
        "marked": lambda: w.get(w.marked)}
    match _answer(w, op.name):
        case ast.Call(ast.Attribute(_, name), arguments):
            call = w.call(name, *(values[ast.unparse(argument)]() for argument in arguments))
            return w.builder.icmp_signed("!=", call, WORD(0))
        case ast.Compare(left, _, [right]):
            return w.builder.icmp_signed("==", values[ast.unparse(left)](), values[ast.unparse(right)]())
    return ir.Constant(ir.IntType(1), 1)


def _answer(w: Writer, name: str) -> ast.expr | None:
    """Return the expression that `ask` returns for an operation: that of its `if`, or else of the last statement."""
    *branches, last = w.kernel.bodies["ask"][0].body
    for branch in branches:
        match branch:
            case ast.If(ast.Compare(_, _, [ast.Name(number)]), [ast.Return(value)]):
                if getattr(vm, number) == NUMBERS[name]:
                    return value
    return last.value if isinstance(last, ast.Return) else None


def _flag(w: Writer, op: Op, i: int) -> None:
    flags = w.load(m.state, WORD(m.PositionFields.walk_flags))
    bit = w.builder.and_(flags, WORD(1 << op.a))
    w.branch(w.builder.icmp_signed("!=", bit, WORD(0)), op, i)


EMIT: Mapping[str, Emit] = {
    "step": _step, "jump": _jump, "go": _go, "mark": _mark, "from": _from, "to": _to, "cascade": _cascade,
    "add": _add, "add-pass": _add_pass, "must-continue": _must_continue, "set-flag": _set_flag,
    "set-position-flag": _set_position_flag, "goto": _goto, "end": _end,
    **dict.fromkeys((name for name in EFFECTS if OPS[name].where), _effect), "capture": _capture,
    "set-counter": _set_counter, "add-to-counter": _set_counter, "next-turn": _next_turn,
    **dict.fromkeys(those(lambda row: row.is_test and row.where), _test), "flag?": _flag,
    "equal?": _compare("=="), "less?": _compare("<"), "greater?": _compare(">"),
}
assert EMIT.keys() == OPS.keys(), "blocks and kernel must compile the same operations"
