"""Translate the kernel language's special functions: atomic operations to LLVM's, sequentially consistent; `rest`,
`copy_all`, `fill_all` and `soon` to intrinsics; `nth_bit` to an instruction, if there is one."""

import ast
import functools
from collections.abc import Callable, Mapping
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.jit import language
from zrf_py.jit.language import Storage, add_now, copy_all, fill_all, read_now, replace_now, rest, soon, write_now
from zrf_py.jit.loader import host

WORD, BYTE, BIT, POINTER = ir.IntType(64), ir.IntType(8), ir.IntType(1), ir.PointerType()
ORDER = "seq_cst"
RESTS = {"x86_64": ("llvm.x86.sse2.pause", []),
         **dict.fromkeys(("aarch64", "arm64"), ("llvm.aarch64.hint", [ir.IntType(32)(1)]))}
"""Processor family → (intrinsic, arguments) of its pause instruction, which favours the core's other threads."""


def shared(context: Any, node: ast.Call, operation: object) -> ir.Value:
    """Translate a call of an atomic operation; `context` is the `translate._Function` being compiled."""
    array = context.meaning(node.args[0])
    if not isinstance(array, Storage) or array.bits != WORD.width:
        raise context.fail(node, f"atomic operations require an array of {WORD.width}-bit words: {ast.unparse(node)}")
    builder = context.builder
    values = [context.value(argument) for argument in node.args[1:]]
    place = context.kernel.memory.element(builder, array, values[0])
    if operation is read_now:
        return builder.load_atomic(place, ORDER, 8, typ=WORD)
    if operation is add_now:
        return builder.atomic_rmw("add", place, values[1], ORDER)
    if operation is replace_now:
        return builder.zext(builder.extract_value(builder.cmpxchg(place, *values[1:], ORDER), 1), WORD)
    builder.atomic_rmw("xchg", place, values[1], ORDER)
    return WORD(0)


def pause(context: Any, _node: ast.Call, _which: object) -> ir.Value:
    """Translate a call of `rest`; no code on processors without a pause instruction."""
    name, arguments = RESTS.get(context.kernel.module.triple.split("-")[0], ("", []))
    if name:
        call_intrinsic(context, name, ir.VoidType(), arguments)
    return WORD(0)


def bulk(context: Any, node: ast.Call, operation: object) -> ir.Value:
    """Translate a call of `copy_all` or `fill_all`; `context` is the `translate._Function` being compiled."""
    target = context.meaning(node.args[0])
    source = context.meaning(node.args[2]) if operation is copy_all else None
    if not isinstance(target, Storage) or (operation is copy_all and not (
            isinstance(source, Storage) and source.bits == target.bits)):
        raise context.fail(node, f"only arrays can be filled, only those of equal width copied: {ast.unparse(node)}")
    count = context.value(node.args[-1])
    to = _begin(context, target, node.args[1], count)
    size = context.builder.mul(count, WORD(target.bits // 8))
    if isinstance(source, Storage):
        arguments = [to, _begin(context, source, node.args[3], count), size, BIT(0)]
        call_intrinsic(context, "llvm.memcpy.p0.p0.i64", ir.VoidType(), arguments)
        return WORD(0)
    if target.bits > 8 and context.fold(node.args[2]) != 0:
        raise context.fail(node, f"a range of {target.name} can only be filled with 0")
    value = context.builder.trunc(context.value(node.args[2]), BYTE)
    call_intrinsic(context, "llvm.memset.p0.i64", ir.VoidType(), [to, value, size, BIT(0)])
    return WORD(0)


def ahead(context: Any, node: ast.Call, _which: object) -> ir.Value:
    """Translate a call of `soon` to a prefetch. The address may be out of bounds because nothing is read."""
    array = context.meaning(node.args[0])
    if not isinstance(array, Storage):
        raise context.fail(node, f"the first argument of `soon` must be an array: {ast.unparse(node)}")
    place = context.kernel.memory.element(context.builder, array, context.value(node.args[1]))
    call_intrinsic(context, "llvm.prefetch.p0", ir.VoidType(), [place, *map(ir.IntType(32), (0, 3, 1))])
    return WORD(0)


def deposit(context: Any, node: ast.Call, _which: object) -> ir.Value:
    """Translate a call of `nth_bit`: one pdep instruction where available, else the loop in `language.py`."""
    builder = context.builder
    value, number = (context.value(argument) for argument in node.args)
    if not has_deposit(context.kernel.module.triple):
        return builder.call(context.kernel.functions["nth_bit"], [value, number])
    found = call_intrinsic(context, "llvm.x86.bmi.pdep.64", WORD, [builder.shl(WORD(1), number), value])
    return builder.cttz(found, BIT(0))


@functools.cache
def has_deposit(triple: str) -> bool:
    """Return whether the target has pdep (BMI2); False for other machines, whose features are unknown."""
    return triple == host() and bool(llvm.get_host_cpu_features().get("bmi2"))


def _begin(context: Any, array: Storage, at: ast.expr, count: ir.Value) -> ir.Value:
    """Return the address of element `at`. With bounds checks on, the last of the `count` elements is checked, too."""
    first, memory, builder = context.value(at), context.kernel.memory, context.builder
    if memory.outside is not None:
        memory.element(builder, array, builder.sub(builder.add(first, count), WORD(1)))
    return memory.element(builder, array, first)


def call_intrinsic(context: Any, name: str, result: ir.Type, arguments: list[ir.Value]) -> ir.Value:
    """Call an LLVM intrinsic, which the module of `context` (with `kernel` and `builder`) declares once."""
    module, kind = context.kernel.module, ir.FunctionType(result, [argument.type for argument in arguments])
    return context.builder.call(module.globals.get(name) or ir.Function(module, kind, name), arguments)


SPECIAL: Mapping[object, Callable[[Any, ast.Call, object], ir.Value]] = {
    copy_all: bulk, fill_all: bulk, read_now: shared, write_now: shared, add_now: shared, replace_now: shared,
    rest: pause, soon: ahead, language.nth_bit: deposit,
}
"""Translators of the language's special functions."""
