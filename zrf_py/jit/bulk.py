"""Translate `copy_all`, `fill_all` and `soon` of the kernel language to LLVM's memory intrinsics."""

import ast
from typing import Any

from llvmlite import ir

from zrf_py.jit.language import Storage, copy_all

WORD, BYTE, BIT, POINTER = ir.IntType(64), ir.IntType(8), ir.IntType(1), ir.PointerType()


def bulk(context: Any, node: ast.Call, operation: object) -> ir.Value:
    """Translate a call of `copy_all` or `fill_all`; `context` is the `translate._Function` being compiled."""
    target = context.meaning(node.args[0])
    source = context.meaning(node.args[2]) if operation is copy_all else None
    if not isinstance(target, Storage) or (operation is copy_all and not (
            isinstance(source, Storage) and source.bits == target.bits)):
        raise context.fail(node, f"arrays of one width are copied: {ast.unparse(node)}")
    count = context.value(node.args[-1])
    to = _begin(context, target, node.args[1], count)
    size = context.builder.mul(count, WORD(target.bits // 8))
    if isinstance(source, Storage):
        copy = _function(context, "llvm.memcpy.p0.p0.i64", POINTER)
        context.builder.call(copy, [to, _begin(context, source, node.args[3], count), size, BIT(0)])
        return WORD(0)
    if target.bits > 8 and context.fold(node.args[2]) != 0:
        raise context.fail(node, f"only 0 can be written into many of {target.name}")
    value = context.builder.trunc(context.value(node.args[2]), BYTE)
    context.builder.call(_function(context, "llvm.memset.p0.i64", BYTE), [to, value, size, BIT(0)])
    return WORD(0)


def ahead(context: Any, node: ast.Call, _which: object) -> ir.Value:
    """Translate a call of `soon` to a prefetch. The address may be out of bounds because nothing is read."""
    array = context.meaning(node.args[0])
    if not isinstance(array, Storage):
        raise context.fail(node, f"`soon` is asked of an array: {ast.unparse(node)}")
    memory, number = context.kernel.memory, ir.IntType(32)
    place = memory.element(context.builder, array, context.value(node.args[1]))
    kind = ir.FunctionType(ir.VoidType(), [POINTER, number, number, number])
    name = "llvm.prefetch.p0"
    function = context.kernel.module.globals.get(name) or ir.Function(context.kernel.module, kind, name)
    context.builder.call(function, [place, number(0), number(3), number(1)])
    return WORD(0)


def _begin(context: Any, array: Storage, at: ast.expr, count: ir.Value) -> ir.Value:
    """Return the address of element `at`. With bounds checks on, the last of the `count` elements is checked, too."""
    first, memory, builder = context.value(at), context.kernel.memory, context.builder
    if memory.outside is not None:
        memory.element(builder, array, builder.sub(builder.add(first, count), WORD(1)))
    return memory.element(builder, array, first)


def _function(context: Any, name: str, second: ir.Type) -> ir.Function:
    """Declare an LLVM intrinsic with the arguments (destination, source or value, bytes, volatile)."""
    kind = ir.FunctionType(ir.VoidType(), [POINTER, second, WORD, BIT])
    return context.kernel.module.globals.get(name) or ir.Function(context.kernel.module, kind, name)
