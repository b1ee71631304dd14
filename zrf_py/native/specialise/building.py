"""Memory access and numeric expressions in the code of a block."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from llvmlite import ir

from zrf_py.front.model import Number
from zrf_py.jit.language import Storage
from zrf_py.jit.translate import POINTER, WORD, Kernel
from zrf_py.native.kernel import memory as m


def constant_table(
    module: ir.Module, name: str, unit: ir.IntType, values: Callable[[], Sequence[int]],
) -> ir.GlobalVariable:
    """Return an array of constants of a module by its name; it is added on first use."""
    table = module.globals.get(name)
    if table is None:
        numbers = values()
        kind = ir.ArrayType(unit, len(numbers))
        table = ir.GlobalVariable(module, kind, name)
        table.initializer = kind(bytearray(numbers) if unit.width == 8 else list(numbers))
        table.global_constant, table.linkage, table.type = True, "internal", POINTER
    return table


class Building:
    """A function under construction; its side is a run-time value, and `here` is the cursor's slot."""

    kernel: Kernel
    builder: ir.IRBuilder
    side: ir.Value
    here: ir.Value
    zone_once: array[int]

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        return self.builder.call(self.kernel.functions[name], arguments)

    def param(self, number: int) -> ir.Value:
        constant = self.kernel.memory.known(m.params, number)
        return self.load(m.params, WORD(number)) if constant is None else WORD(constant)

    def load(self, array: Storage, index: ir.Value) -> ir.Value:
        unit = ir.IntType(array.bits)
        loaded = self.builder.load(self.kernel.memory.element(self.builder, array, index), typ=unit)
        return loaded if array.bits == 64 else self.builder.sext(loaded, WORD)

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
        """Emit the number of squares with pieces of some owner (and type, or in a zone)."""
        if number.b < 0 and number.c < 0:
            return self.call("count_all", WORD(number.a), self.side)
        if number.b < 0 and self.zone_once[number.c]:
            return self.call("count_zone", WORD(number.a), WORD(number.c), self.side)
        return self.call("count_squares", WORD(number.a), WORD(number.b), WORD(number.c), self.side)
