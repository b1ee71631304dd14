"""Blocks of one game → LLVM: a function for each block, no operation left to look up.

Blocks that differ only in their motions (a macro applied to eight directions) share one function, a `Template`; the
motions are its arguments. Each template is written twice: as `moves`, which writes records, and as `look`, which
answers whether a move would remove what stands on a target and stops at the first that would.

One function here for each row of `ir/ops.py`; what it has to say about memory it says by calling the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from llvmlite import ir

from zrf_py.front.model import Number
from zrf_py.ir.ops import HERE, Op, Program, Routine
from zrf_py.run.native.kernel import memory as m
from zrf_py.run.native.kernel.board import (
    ADD_TO_COUNTER,
    CHANGE_OWNER,
    CHANGE_TYPE,
    CREATE,
    FLIP,
    NEXT_TURN,
    SET_ATTRIBUTE,
    SET_COUNTER,
)
from zrf_py.run.native.kernel.masks import SETS
from zrf_py.run.native.kernel.vm import FUEL_LIMIT
from zrf_py.run.native.kernel.words import Array
from zrf_py.run.native.layout import Layout
from zrf_py.run.native.translate import WORD, Kernel

_COLLECTING = frozenset((
    "capture", "flip", "change-owner", "create", "change-type", "set-attribute", "cascade", "set-counter",
    "add-to-counter", "next-turn", "must-continue",
))
SHORT, LONG = 12, 24
"""Operations up to which a block is copied to where it is run, and from which on it copies nothing itself."""
FAR = -100_000_000
"""A jump below this ends the block."""


@dataclass(frozen=True)
class Template:
    """Operations with the motions replaced by the numbers of arguments."""

    ops: tuple[Op, ...]
    motions: int

    def uses(self, *names: str) -> bool:
        return any(op.name in names for op in self.ops)

    @property
    def is_plain(self) -> bool:
        """Nothing is ever collected: each `add` writes one movement."""
        return not self.uses(*_COLLECTING)

    @property
    def is_simple(self) -> bool:
        """Besides, no `add` needs the general way of writing."""
        return self.is_plain and not any(op.name == "add" and (op.types or op.a & 1) for op in self.ops)

    @property
    def suffix(self) -> str:
        """Long blocks call the functions that short ones copy: compiling takes a person's time."""
        return "_apart" if len(self.ops) > LONG else ""

    @property
    def loops(self) -> bool:
        return any(FAR < op.target < 0 for op in self.ops)


def template_of(routine: Routine) -> tuple[Template, tuple[int, ...]]:
    """The template of a block and the motions it is used with."""
    numbers: dict[int, int] = {}
    ops = []
    for op in routine.code:
        a, where = op.a, op.where
        if op.name == "step":
            a = numbers.setdefault(a, len(numbers))
        if where < 0:
            where = -1 - numbers.setdefault(-where - 1, len(numbers))
        ops.append(replace(op, a=a, where=where, origin=None))
    return Template(tuple(ops), len(numbers)), tuple(numbers)


class Writer:
    """Writes one template as one function: (start, side, routine, target, motions…) → found."""

    def __init__(
        self, kernel: Kernel, template: Template, name: str, look: bool, drop: bool,
        layout: Layout,
    ) -> None:
        self.kernel = kernel
        self.types = layout.types
        self.numbers = layout.numbers
        self.template = template
        self.look = look
        self.drop = drop
        kind = ir.FunctionType(WORD, [WORD] * (4 + template.motions))
        self.function = ir.Function(kernel.module, kind, name)
        self.function.linkage = "internal"
        self.function.attributes.add("nounwind")
        if not look and len(template.ops) <= SHORT:
            self.function.attributes.add("alwaysinline")
        self.start, self.side, self.routine, self.target, *self.motions = self.function.args
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.blocks: dict[int, ir.Block] = {}

    def write(self) -> ir.Function:
        """Write the function."""
        b = self.builder
        self.stop_block = self.function.append_basic_block("stop")
        self.here, self.from_, self.mark, self.to, self.marked, self.fuel = (b.alloca(WORD) for _ in range(6))
        for slot, value in ((self.here, self.start), (self.from_, self.start), (self.mark, self.start),
                            (self.to, WORD(-1)), (self.marked, WORD(-1)), (self.fuel, WORD(0))):
            b.store(value, slot)
        self.kind = self.load(m.routine_type, self.routine)
        self.block_type = self.load(m.routine_move_type, self.routine)
        squares, motions = self.param(m.SQUARES), self.param(m.MOTIONS)
        table = b.mul(self.side, b.mul(motions, squares))
        self.rows = [b.add(table, b.mul(motion, squares)) for motion in self.motions]
        if self.template.uses("set-position-flag", "position-flag?"):
            self.call("begin_run")
        elif not self.template.is_simple:
            self.call("begin_walk")
        self._operations()
        b.position_at_end(self.stop_block)
        b.ret(WORD(0))
        return self.function

    def _operations(self) -> None:
        ops = self.template.ops
        targets = {i + op.target for i, op in enumerate(ops) if op.target and op.target > FAR}
        for i in targets:
            self.blocks[i] = self.function.append_basic_block(f"op{i}")
        self.counted = 0
        for i, op in enumerate(ops):
            if i in self.blocks:
                if not self.builder.block.is_terminated:
                    self.burn()
                    self.builder.branch(self.blocks[i])
                self.builder.position_at_end(self.blocks[i])
                self.counted = 0
            if self.builder.block.is_terminated:
                continue
            self.counted += 1
            EMIT[op.name](self, op, i)
        if not self.builder.block.is_terminated:
            self.builder.branch(self.stop_block)

    # --------------------------------------------------------------------------------------------------- utilities

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        return self.builder.call(self.kernel.functions[name], arguments)

    def param(self, number: int) -> ir.Value:
        return self.load(m.params, WORD(number))

    def load(self, array: Array, index: ir.Value) -> ir.Value:
        unit = ir.IntType(array.bits)
        loaded = self.builder.load(self.kernel.memory.element(self.builder, array, index), typ=unit)
        return loaded if array.bits == 64 else self.builder.sext(loaded, WORD)

    def get(self, slot: ir.Value) -> ir.Value:
        return self.builder.load(slot, typ=WORD)

    def end(self) -> ir.Value:
        """The square a movement ends on: to, or the cursor where to is unset."""
        if not self.template.uses("to"):
            return self.get(self.here)
        to = self.get(self.to)
        return self.builder.select(self.builder.icmp_signed(">=", to, WORD(0)), to, self.get(self.here))

    def stop_if(self, condition: ir.Value) -> None:
        """End the block if the condition holds."""
        following = self.function.append_basic_block()
        self.builder.cbranch(condition, self.stop_block, following)
        self.builder.position_at_end(following)

    def stop_if_off(self, square: ir.Value) -> None:
        self.stop_if(self.builder.icmp_signed("<", square, WORD(0)))

    def where(self, op: Op) -> ir.Value:
        """The square an operation is about; -1 off the board."""
        if op.where == HERE:
            return self.get(self.here)
        if op.where > 0:
            return WORD(op.where - 1)
        return self.load(m.steps, self.builder.add(self.rows[-op.where - 1], self.get(self.here)))

    def if_on_board(self, op: Op, write: Callable[[ir.Value], None]) -> None:
        """Write code for the square of an operation, skipped off the board."""
        square = self.where(op)
        if op.where >= 0:
            write(square)
            return
        with self.builder.if_then(self.builder.icmp_signed(">=", square, WORD(0))):
            write(square)

    def burn(self) -> None:
        """Count the operations since the last jump target; only blocks with loops can run out of fuel."""
        if self.template.loops and self.counted:
            self.builder.store(self.builder.add(self.get(self.fuel), WORD(self.counted)), self.fuel)

    def destination(self, i: int, target: int) -> ir.Block:
        return self.stop_block if target < FAR else self.blocks[i + target]

    def jump(self, i: int, target: int) -> None:
        """Go to another operation; on the way back the fuel is checked."""
        self.burn()
        block = self.destination(i, target)
        if FAR < target < 0:
            spent = self.builder.icmp_signed(">", self.get(self.fuel), WORD(FUEL_LIMIT))
            empty = self.function.append_basic_block("no_fuel")
            self.builder.cbranch(spent, empty, block)
            self.builder.position_at_end(empty)
            self.call("endless", self.routine)
            self.builder.branch(self.stop_block)
        else:
            self.builder.branch(block)

    def branch(self, answer: ir.Value, op: Op, i: int) -> None:
        """Fall through if the bit is what the test wants, else jump."""
        through = self.function.append_basic_block()
        leave = self.function.append_basic_block()
        if op.want:
            self.builder.cbranch(answer, through, leave)
        else:
            self.builder.cbranch(answer, leave, through)
        self.builder.position_at_end(leave)
        self.jump(i, op.target)
        self.builder.position_at_end(through)


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
            square = w.load(m.state, WORD(m.LAST_FROM))
        case _:
            square = w.load(m.state, WORD(m.LAST_TO))
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
    if w.template.is_plain and not op.types and not op.a & 1:
        _add_plain(w, op, from_, end)
    else:
        types_at = w.types[op.types]
        w.call("add_any", WORD(op.a), WORD(op.b), WORD(types_at), WORD(len(op.types)), from_, end, w.side, w.kind,
               w.block_type)
        if w.look:
            _return_if(w, w.builder.icmp_signed("!=", w.load(m.state, WORD(m.FOUND)), WORD(0)))
    w.builder.store(w.start, w.from_)
    w.builder.store(WORD(-1), w.to)


def _add_plain(w: Writer, op: Op, from_: ir.Value, end: ir.Value) -> None:
    """A piece moves or is dropped, nothing else."""
    if w.drop:
        w.call("write_drop", WORD(op.a), WORD(op.b), from_, end, w.side, w.kind, w.block_type)
        return
    moves = w.builder.icmp_signed("!=", from_, end)
    if w.template.uses("from"):
        stands = w.builder.icmp_signed("!=", w.load(m.cell, from_), WORD(0))
        moves = w.builder.and_(moves, stands)
    if w.look:
        _return_if(w, w.builder.and_(moves, w.builder.icmp_signed("==", end, w.target)))
        return
    with w.builder.if_then(moves, likely=True):
        w.call("write_simple", WORD(op.a), WORD(op.b), from_, end, w.block_type)


def _return_if(w: Writer, condition: ir.Value) -> None:
    with w.builder.if_then(condition):
        w.builder.ret(WORD(1))


# ----------------------------------------------------------------------------------------------------------- effects


def _capture(w: Writer, op: Op, i: int) -> None:
    w.if_on_board(op, lambda square: w.call("add_capture" + w.template.suffix, square))


Emit = Callable[[Writer, Op, int], None]


def _effect(number: int, operands: Callable[[Writer, Op], tuple[ir.Value, ir.Value]]) -> Emit:
    def emit(w: Writer, op: Op, i: int) -> None:
        if w.look and number != CREATE:
            return  # removes nothing
        name = "add_effect" + w.template.suffix
        w.if_on_board(op, lambda square: w.call(name, WORD(number), square, *operands(w, op)))

    return emit


def _created(w: Writer, op: Op) -> tuple[ir.Value, ir.Value]:
    return (WORD(op.a) if op.a >= 0 else w.kind), (WORD(op.b) if op.b >= 0 else w.side)


def _value(w: Writer, number: Number) -> ir.Value:
    """What a number is worth here and now."""
    return w.call("value", WORD(w.numbers[number]), w.side, w.get(w.here))


def _set_counter(which: int) -> Emit:
    def emit(w: Writer, op: Op, i: int) -> None:
        if not w.look:
            player = w.call("counter_place", WORD(op.a), WORD(op.b), w.side)
            w.call("add_number_apart", WORD(which), WORD(op.a), player, _value(w, op.numbers[0]))

    return emit


def _next_turn(w: Writer, op: Op, i: int) -> None:
    if not w.look:
        w.call("add_number_apart", WORD(NEXT_TURN), WORD(0), WORD(0), _value(w, op.numbers[0]))


def _must_continue(w: Writer, op: Op, i: int) -> None:
    w.call("must_continue")


def _add_pass(w: Writer, op: Op, i: int) -> None:
    if not w.look:
        w.call("write_pass", w.block_type)


def _compare(sign: str) -> Emit:
    def emit(w: Writer, op: Op, i: int) -> None:
        left, right = (_value(w, number) for number in op.numbers)
        w.branch(w.builder.icmp_signed(sign, left, right), op, i)

    return emit


def _set_flag(w: Writer, op: Op, i: int) -> None:
    w.call("set_flag", WORD(op.a), WORD(op.b))


def _set_position_flag(w: Writer, op: Op, i: int) -> None:
    w.if_on_board(op, lambda square: w.call("set_position_flag", square, WORD(op.a), WORD(op.b)))


def _goto(w: Writer, op: Op, i: int) -> None:
    w.jump(i, op.target)


def _end(w: Writer, op: Op, i: int) -> None:
    w.builder.branch(w.stop_block)


# ------------------------------------------------------------------------------------------------------------- tests


def _test(ask: Callable[[Writer, Op, ir.Value], ir.Value]) -> Emit:
    """A test: off the board the answer is no."""

    def emit(w: Writer, op: Op, i: int) -> None:
        square = w.where(op)
        if op.where >= 0:
            w.branch(ask(w, op, square), op, i)
            return
        before = w.builder.block
        on, done = w.function.append_basic_block(), w.function.append_basic_block()
        w.builder.cbranch(w.builder.icmp_signed(">=", square, WORD(0)), on, done)
        w.builder.position_at_end(on)
        answer = ask(w, op, square)
        last = w.builder.block
        w.builder.branch(done)
        w.builder.position_at_end(done)
        both = w.builder.phi(ir.IntType(1))
        both.add_incoming(ir.Constant(ir.IntType(1), 0), before)
        both.add_incoming(answer, last)
        w.branch(both, op, i)

    return emit


def _kernel_test(
    name: str, *, number: bool = False, side: bool = False, kind: bool = False,
) -> Emit:
    """A test that the kernel function `name` answers from (square, a, side, type), as far as it wants them."""

    def ask(w: Writer, op: Op, square: ir.Value) -> ir.Value:
        arguments = [square]
        if number:
            arguments.append(WORD(op.a))
        if side:
            arguments.append(w.side)
        if kind:
            arguments.append(w.kind)
        return w.builder.icmp_signed("!=", w.call(name, *arguments), WORD(0))

    return _test(ask)


def _flag(w: Writer, op: Op, i: int) -> None:
    flags = w.load(m.state, WORD(m.WALK_FLAGS))
    bit = w.builder.and_(flags, WORD(1 << op.a))
    w.branch(w.builder.icmp_signed("!=", bit, WORD(0)), op, i)


EMIT: Mapping[str, Emit] = {
    "step": _step, "jump": _jump, "go": _go, "mark": _mark, "from": _from, "to": _to, "cascade": _cascade,
    "add": _add, "capture": _capture, "flip": _effect(FLIP, lambda w, op: (WORD(0), WORD(0))),
    "change-owner": _effect(CHANGE_OWNER, lambda w, op: (w.side, WORD(0))), "create": _effect(CREATE, _created),
    "change-type": _effect(CHANGE_TYPE, lambda w, op: (WORD(op.a), WORD(0))),
    "set-attribute": _effect(SET_ATTRIBUTE, lambda w, op: (WORD(op.a), WORD(op.b))), "set-flag": _set_flag,
    "set-position-flag": _set_position_flag, "goto": _goto, "end": _end,
    "empty?": _kernel_test("is_empty"), "friend?": _kernel_test("is_friend", side=True),
    "enemy?": _kernel_test("is_enemy", side=True), "neutral?": _kernel_test("is_neutral"),
    "piece?": _kernel_test("is_piece", number=True),
    "in-zone?": _kernel_test("is_in_zone", number=True, side=True),
    "position?": _test(lambda w, op, square: w.builder.icmp_signed("==", square, WORD(op.a))),
    "on-board?": _test(lambda w, op, square: ir.Constant(ir.IntType(1), 1)),
    "marked?": _test(lambda w, op, square: w.builder.icmp_signed("==", square, w.get(w.marked))),
    "last-from?": _kernel_test("is_last_from"), "last-to?": _kernel_test("is_last_to"),
    "adjacent-to-enemy?": _kernel_test("is_near_enemy", side=True),
    "attacked?": _kernel_test("attacked", number=True, side=True, kind=True),
    "defended?": _kernel_test("defended", number=True, side=True, kind=True),
    "goal-position?": _kernel_test("is_goal"), "position-flag?": _kernel_test("has_position_flag", number=True),
    "flag?": _flag, "attribute?": _kernel_test("has_attribute", number=True),
    "set-counter": _set_counter(SET_COUNTER), "add-to-counter": _set_counter(ADD_TO_COUNTER), "next-turn": _next_turn,
    "must-continue": _must_continue, "add-pass": _add_pass,
    "equal?": _compare("=="), "less?": _compare("<"), "greater?": _compare(">"),
}


# ------------------------------------------------------------------------------------------------------ whole games


GIVEN = ("run", "run_piece", "look_piece", "run_drop")
"""Kernel functions that are written here instead."""


def write_blocks(kernel: Kernel, program: Program, layout: Layout) -> None:
    """Write every block of a game, and the bodies of the functions that choose among them."""
    _Game(kernel, program, layout).write()


def size_of(layout: Layout) -> int:
    """How many operations would be compiled."""
    return sum(len(template.ops) for template in {template_of(routine)[0] for routine in layout.routines})


class _Game:
    def __init__(self, kernel: Kernel, program: Program, layout: Layout) -> None:
        self.kernel = kernel
        self.layout = layout
        self.numbers = {id(routine): i for i, routine in enumerate(layout.routines)}
        self.program = program
        self.looks = bool(layout.tables["params"][m.HAS_ROYALS]) or any(
            op.name in ("attacked?", "defended?") for routine in layout.routines for op in routine.code
        )
        """Whether anything in this game asks for attacks."""
        self.templates: dict[tuple[Template, bool, bool], ir.Function] = {}

    def write(self) -> None:
        self._pieces("run_piece", False)
        self._pieces("look_piece", True)
        self._drops()
        self._run()

    def number(self, routine: Routine) -> ir.Value:
        return WORD(self.numbers[id(routine)])

    def template(self, routine: Routine, look: bool, drop: bool) -> tuple[ir.Function, tuple[int, ...]]:
        template, motions = template_of(routine)
        key = template, look, drop
        found = self.templates.get(key)
        if found is None:
            name = f"{self.program.game.pieces[routine.piece].name}.{'look' if look else 'moves'}.{len(self.templates)}"
            found = self.templates[key] = Writer(self.kernel, template, name, look, drop, self.layout).write()
        return found, motions

    def _pieces(self, name: str, look: bool) -> None:
        """(square, side, move type[, target]): run the blocks of whatever type stands on the square."""
        function = self.kernel.functions[name]
        square, side, move_type = function.args[:3]
        target = function.args[3] if look else WORD(-1)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        done = function.append_basic_block("done")
        address = self.kernel.memory.element(builder, m.cell, square)
        held = builder.load(address, typ=ir.IntType(m.cell.bits))
        switch = builder.switch(builder.ashr(held, ir.Constant(held.type, 8)), done)
        if not look or self.looks:
            for kind, routines in enumerate(self.program.moves):
                block = function.append_basic_block(self.program.game.pieces[kind].name)
                switch.add_case(ir.Constant(held.type, kind + 1), block)
                builder.position_at_end(block)
                self._run_all(builder, routines, (square, side, move_type, target), look)
                builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))

    def _run_all(
        self, builder: ir.IRBuilder, routines: Sequence[Routine], arguments: Sequence[ir.Value], look: bool,
    ) -> None:
        square, side, move_type, target = arguments
        for routine in routines:
            wanted = builder.or_(builder.icmp_signed("<", move_type, WORD(0)),
                                 builder.icmp_signed("==", move_type, WORD(routine.move_type)))
            with builder.if_then(wanted):
                function, motions = self.template(routine, look, False)
                number = self.number(routine)
                if look:
                    self._look(builder, function, (square, side, number, target, *map(WORD, motions)))
                    continue
                builder.call(function, (square, side, self.number(routine), target, *map(WORD, motions)))

    def _look(self, builder: ir.IRBuilder, function: ir.Function, arguments: Sequence[ir.Value]) -> None:
        """Run a block if it may hit the target, and stop if it does."""
        square, side, number, target, *_ = arguments
        possible = builder.call(self.kernel.functions["may_hit"], (number, side, square, target))
        with builder.if_then(builder.icmp_signed("!=", possible, WORD(0))):
            found = builder.call(function, arguments)
            with builder.if_then(builder.icmp_signed("!=", found, WORD(0))):
                builder.ret(WORD(1))

    def _run(self) -> None:
        """(routine, square, side): run one move block, in games that draw their moves by sets."""
        function = self.kernel.functions["run"]
        number, square, side = function.args
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        done = function.append_basic_block("done")
        switch = builder.switch(number, done)
        if self.layout.tables["setting"][SETS]:
            for routine in (r for routines in self.program.moves for r in routines):
                block = function.append_basic_block("move")
                switch.add_case(self.number(routine), block)
                builder.position_at_end(block)
                template, motions = self.template(routine, False, False)
                builder.call(template, (square, side, self.number(routine), WORD(-1), *map(WORD, motions)))
                builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))

    def _drops(self) -> None:
        """(number, square, side): run one drop block on a square."""
        function = self.kernel.functions["run_drop"]
        number, square, side = function.args
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        done = function.append_basic_block("done")
        switch = builder.switch(number, done)
        for i, routine in enumerate(r for routines in self.program.drops for r in routines):
            block = function.append_basic_block("drop")
            switch.add_case(WORD(i), block)
            builder.position_at_end(block)
            template, motions = self.template(routine, False, True)
            builder.call(template, (square, side, self.number(routine), WORD(-1), *map(WORD, motions)))
            builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))
