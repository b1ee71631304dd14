"""Compiler of one block to an LLVM function: its state, memory access and jumps; `emit.py` has the operations."""

from collections.abc import Callable

from llvmlite import ir

from zrf_py.front.model import Number
from zrf_py.ir.ops import HERE, Op, those
from zrf_py.ir.traits import Reads, Writes
from zrf_py.jit.language import Storage
from zrf_py.jit.translate import WORD, Kernel
from zrf_py.native.kernel import memory as m
from zrf_py.native.kernel import vm
from zrf_py.native.kernel.masks import ASKING_ENDS
from zrf_py.native.layout import Layout
from zrf_py.native.specialise.rays import Rays
from zrf_py.native.specialise.templates import FAR, FEW_LOOPS, MANY, SHORT, Template

_POSITION_FLAGS = those(lambda row: row.reads & Reads.POSITION_FLAGS or row.writes & Writes.POSITION_FLAGS)


class Writer:
    """Compiler of a template to a function (start, side, routine, target or limit, motions…) → hit or count. The side
    is known at run time only; `here` is the cursor's slot on the stack."""

    def __init__(
        self, kernel: Kernel, template: Template, name: str, mode: str, drop: bool, layout: Layout,
        rays: Rays | None = None,
    ) -> None:
        self.kernel = kernel
        self.types = layout.types
        self.zone_once = layout.tables["zone_once"]
        self.template = template
        self.look = mode == "look"
        self.tally = mode == "tally"
        self.count = mode in ("count", "tally")
        self.rays = rays
        self.asks_ends = self.tally and layout.setting.tallies == ASKING_ENDS
        counted = self.count and not drop and not self.asks_ends
        self.slides = rays.slides(template.ops) if rays and counted else {}
        """Loops replaced by a bit scan."""
        self.loops = 0 if self.slides else template.loops
        self.reach = mode in ("reach", "land")
        self.ask = mode == "ask"
        self.drop = drop
        lands = mode == "land"
        kind = ir.FunctionType(WORD, [WORD] * (4 + template.motions + lands))
        self.function = ir.Function(kernel.module, kind, name)
        self.function.linkage = "internal"
        self.function.attributes.add("nounwind")
        if not self.look and len(template.ops) <= SHORT and len(layout.routines) <= MANY:
            self.function.attributes.add("alwaysinline")
        self.start, self.side, self.routine, self.target, *self.motions = self.function.args
        for argument, called in zip(self.function.args, ("start", "side", "routine", "target"), strict=False):
            argument.name = called
        self.first = self.motions.pop() if lands else self.start
        """The cursor's square at the beginning."""
        for i, argument in enumerate(self.motions):
            argument.name = f"motion{i}"
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.stop_block = self.function.append_basic_block("stop")
        self.blocks: dict[int, ir.Block] = {}
        self.scope: ir.DIValue | None = None
        """Debug scope for the numbers of operations, if a listing is made."""
        self._begin()

    def _begin(self) -> None:
        """Emit the block's variables, and create the basic blocks of its jump targets."""
        b = self.builder
        self.here, self.from_, self.mark, self.to, self.marked, self.fuel, self.counted_moves, self.collected = (
            b.alloca(WORD, name=name)
            for name in ("here", "from", "mark", "to", "marked", "fuel", "found", "collected"))
        self.must = b.alloca(WORD, name="must")
        for slot, value in ((self.counted_moves, WORD(0)), (self.collected, WORD(0)), (self.must, WORD(0)),
                            (self.here, self.first), (self.from_, self.start), (self.mark, self.start),
                            (self.to, WORD(-1)), (self.marked, WORD(-1)), (self.fuel, WORD(0))):
            b.store(value, slot)
        self.kind = self.load(m.routine_type, self.routine)
        self.block_type = self.load(m.routine_move_type, self.routine)
        squares, motions = self.param(m.Params.squares), self.param(m.Params.motions)
        table = b.mul(self.side, b.mul(motions, squares))
        self.rows = [b.add(table, b.mul(motion, squares)) for motion in self.motions]
        if self.template.uses(*_POSITION_FLAGS):
            self.call("begin_run")
        elif not self.template.is_simple and not (self.count or self.reach):
            self.call("begin_walk")
        for i in {i + op.target for i, op in enumerate(self.template.ops) if op.target and op.target > FAR}:
            self.blocks[i] = self.function.append_basic_block(f"op{i}")
        self.counted = 0
        """Operations since the last jump target."""

    def finish(self) -> ir.Function:
        """Emit the end of the function, and return it."""
        b = self.builder
        b.position_at_end(self.stop_block)
        if self.loops:
            with b.if_then(b.icmp_signed(">", self.get(self.fuel), WORD(vm.FUEL_LIMIT)), likely=False):
                self.call("endless", self.routine)
        b.ret(self.get(self.counted_moves))
        return self.function

    def stop(self) -> None:
        """Emit the end of the block."""
        self.burn()
        self.builder.branch(self.stop_block)

    # --------------------------------------------------------------------------------------------------- utilities

    def end(self) -> ir.Value:
        """Emit the square where a movement ends: `to`, or the cursor if `to` is unset."""
        if not self.template.uses("to"):
            return self.get(self.here)
        to = self.get(self.to)
        return self.builder.select(self.builder.icmp_signed(">=", to, WORD(0)), to, self.get(self.here))

    def stop_if(self, condition: ir.Value) -> None:
        """Emit a conditional end of the block."""
        following, leave = self.function.append_basic_block(), self.stop_block
        if self.loops:
            leave = self.function.append_basic_block()
        self.builder.cbranch(condition, leave, following)
        if self.loops:
            self.builder.position_at_end(leave)
            self.stop()
        self.builder.position_at_end(following)

    def stop_if_off(self, square: ir.Value) -> None:
        self.stop_if(self.builder.icmp_signed("<", square, WORD(0)))

    def where(self, op: Op) -> ir.Value:
        """Emit the square of an operation; -1 if it is off the board."""
        if op.where == HERE:
            return self.get(self.here)
        if op.where > 0:
            return WORD(op.where - 1)
        return self.load(m.steps, self.builder.add(self.rows[-op.where - 1], self.get(self.here)))

    def if_on_board(self, op: Op, write: Callable[[ir.Value], None]) -> None:
        """Emit code for the square of an operation; it is skipped if the square is off the board."""
        square = self.where(op)
        if op.where >= 0:
            write(square)
            return
        with self.builder.if_then(self.builder.icmp_signed(">=", square, WORD(0))):
            write(square)

    def collect(self, square: ir.Value) -> None:
        """Emit code that records that an effect was collected; counting needs to know no more."""
        self.builder.store(WORD(1), self.collected)

    def burn(self) -> None:
        """Emit the count of operations since the last jump target; only blocks with loops can exceed the limit.

        With each loop, LLVM takes twice as long to track the count; in a block of many loops it is hidden from LLVM.
        """
        if self.loops and self.counted:
            spent = self.builder.add(self.get(self.fuel), WORD(self.counted))
            if self.loops > FEW_LOOPS:
                spent = self.builder.asm(ir.FunctionType(WORD, [WORD]), "", "=r,0", [spent], False)
            self.builder.store(spent, self.fuel)

    def destination(self, i: int, target: int) -> ir.Block:
        return self.stop_block if target < FAR else self.blocks[i + target]

    def jump(self, i: int, target: int) -> None:
        """Emit a jump to another operation; a backward jump checks the limit on operations."""
        self.burn()
        block = self.destination(i, target)
        if FAR < target < 0:
            spent = self.builder.icmp_signed(">", self.get(self.fuel), WORD(vm.FUEL_LIMIT))
            empty = self.function.append_basic_block("no_fuel")
            self.builder.cbranch(spent, empty, block)
            self.builder.position_at_end(empty)
            self.call("endless", self.routine)
            self.builder.branch(self.stop_block)
        else:
            self.builder.branch(block)

    def branch(self, answer: ir.Value, op: Op, i: int) -> None:
        """Emit a branch: fall through if the bit is the wanted answer, else jump."""
        through = self.function.append_basic_block()
        leave = self.function.append_basic_block()
        if op.want:
            self.builder.cbranch(answer, through, leave)
        else:
            self.builder.cbranch(answer, leave, through)
        self.builder.position_at_end(leave)
        self.jump(i, op.target)
        self.builder.position_at_end(through)

    # ------------------------------------------------------------------------------------------------- memory access

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        return self.builder.call(self.kernel.functions[name], arguments)

    def param(self, number: int) -> ir.Value:
        constant = self.kernel.memory.known(m.params, number)
        return self.load(m.params, WORD(number)) if constant is None else WORD(constant)

    def load(self, array: Storage, index: ir.Value) -> ir.Value:
        return self.kernel.memory.load(self.builder, array, index)

    def get(self, slot: ir.Value) -> ir.Value:
        return self.builder.load(slot, typ=WORD)

    def number(self, number: Number) -> ir.Value:
        """Emit the evaluation of a number in the current state."""
        b = self.builder
        parts = [self.number(part) for part in number.parts]
        match number.kind:
            case "number":
                return WORD(number.a)
            case "legs-made":
                return self.load(m.state, WORD(m.PositionFields.legs))
            case "counter":
                return self.load(m.stores, self.call("counter_at", WORD(number.a), WORD(number.b), self.side))
            case "turns-made":
                return self.call("turns_made", WORD(number.a), self.side)
            case "store":
                return self.call("in_hand", WORD(number.a), WORD(number.b), self.side)
            case "at":
                square = self.call("square_at", WORD(number.b), self.side, self.get(self.here))
                return self.call("measured", WORD(number.a), square, self.side)
            case "count":
                return self._squares(number)
        total: ir.Value = WORD(1) if number.kind == "product" else WORD(0)
        for i, part in enumerate(parts):
            join = b.mul if number.kind == "product" else b.sub if number.kind == "difference" and i else b.add
            total = self.call("bounded", join(total, part))
        return total

    def _squares(self, number: Number) -> ir.Value:
        """Emit the number of squares with pieces of some owner, perhaps of one type or in a zone."""
        if number.b < 0 and number.c < 0:
            return self.call("count_all", WORD(number.a), self.side)
        if number.b < 0 and self.zone_once[number.c]:
            return self.call("count_zone", WORD(number.a), WORD(number.c), self.side)
        return self.call("count_squares", WORD(number.a), WORD(number.b), WORD(number.c), self.side)
