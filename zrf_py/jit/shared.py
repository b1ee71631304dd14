"""Translate the kernel language's thread operations to LLVM's sequentially consistent atomics."""

import ast
from collections.abc import Callable, Mapping
from typing import Any

from llvmlite import ir

from zrf_py.jit.bulk import ahead, bulk
from zrf_py.jit.language import Storage, add_now, copy_all, fill_all, read_now, replace_now, rest, soon, write_now

WORD = ir.IntType(64)
ORDER = "seq_cst"
RESTS = {"x86_64": ("llvm.x86.sse2.pause", []), "aarch64": ("llvm.aarch64.hint", [ir.IntType(32)(1)])}
"""[processor family]: (intrinsic, arguments) of its pause instruction, which favours the core's other threads."""


def shared(context: Any, node: ast.Call, operation: object) -> ir.Value:
    """Translate a call of an atomic operation; `context` is the `translate._Function` being compiled."""
    array = context.meaning(node.args[0])
    if not isinstance(array, Storage) or array.bits != WORD.width:
        raise context.fail(node, f"threads share arrays of {WORD.width} bits: {ast.unparse(node)}")
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
    module = context.kernel.module
    name, arguments = RESTS.get(module.triple.split("-")[0], ("", []))
    if name:
        kind = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
        context.builder.call(module.globals.get(name) or ir.Function(module, kind, name), arguments)
    return WORD(0)


SPECIAL: Mapping[object, Callable[[Any, ast.Call, object], ir.Value]] = {
    copy_all: bulk, fill_all: bulk, read_now: shared, write_now: shared, add_now: shared, replace_now: shared,
    rest: pause, soon: ahead,
}
"""Translators of the language's special functions."""
