"""Run kernel functions as plain Python: slow, but with bounds checks, a debugger, and no LLVM.

Each program gets its own copies of the kernel modules, so that several can be alive at once. The copies are rewritten
to follow the contract of `jit/language.py` where Python differs: arithmetic wraps at 64 bits, `and`, `or` and `not`
give 0 or 1, and it is an error to divide a negative number, or to divide by zero or by a negative number.
"""

import ast
import copy
import functools
import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from zrf_py.jit.language import Storage, wrap


class PythonCode:
    """Functions of kernel modules by name, with the interface of `loader.Code`; `bind` gives a `Storage` its memory."""

    def __init__(self, sources: Sequence[ModuleType], arrays: Sequence[Storage]) -> None:
        self._arrays = [copy.copy(array) for array in arrays]
        own: dict[int, object] = {id(array): mine for array, mine in zip(arrays, self._arrays, strict=True)}
        copies = [ModuleType(source.__name__) for source in sources]
        own |= {id(source): mine for source, mine in zip(sources, copies, strict=True)}
        names = {source.__name__ for source in sources}
        functions: dict[str, FunctionType] = {}
        for source, mine in zip(sources, copies, strict=True):
            vars(mine).update({name: own.get(id(value), value) for name, value in vars(source).items()})
            vars(mine).update(_wrap=wrap, _divide=_divide, _remainder=_remainder)
            exec(_compiled(source), vars(mine))
            functions |= {name: vars(mine)[name] for name, value in vars(source).items()
                          if isinstance(value, FunctionType) and value.__module__ == source.__name__}
        for mine in copies:
            vars(mine).update({name: functions[value.__name__] for name, value in vars(mine).items()
                               if isinstance(value, FunctionType) and value.__module__ in names})
        self._functions = functions

    def function(self, name: str, arguments: int) -> Callable[..., int]:
        """Return a function by its name; `arguments` is ignored. Raises KeyError if there is no such function."""
        function = self._functions[name]
        return lambda *values: int(function(*values))

    def bind(self, number: int, memory: Any) -> None:
        """Bind an array to a ctypes array, whose elements wrap on overflow."""
        self._arrays[number].data = memory


def _divide(left: int, right: int) -> int:
    if left < 0 or right <= 0:
        raise ArithmeticError(f"{left} // {right}")
    return left // right


def _remainder(left: int, right: int) -> int:
    if left < 0 or right <= 0:
        raise ArithmeticError(f"{left} % {right}")
    return left % right


@functools.cache
def _compiled(source: ModuleType) -> CodeType:
    """Compile the functions of a module with the kernel's arithmetic."""
    path = inspect.getfile(source)
    tree = ast.parse(Path(path).read_text("utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in tree.body:
        assert isinstance(function, ast.FunctionDef)
        function.returns = None
        for argument in function.args.args:
            argument.annotation = None
        function.body.append(ast.Return())
        for part in ast.walk(function):
            if isinstance(part, ast.Return):
                part.value = part.value or ast.Constant(0)
    return compile(ast.fix_missing_locations(_Arithmetic().visit(tree)), path, "exec")


class _Arithmetic(ast.NodeTransformer):
    """Replace Python's operators by the kernel's."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return _operation(node, node.left, node.op, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        target = copy.deepcopy(node.target)
        target.ctx = ast.Load()
        return ast.copy_location(ast.Assign([node.target], _operation(node, target, node.op, node.value)), node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        return _called("_wrap", node, node) if isinstance(node.op, ast.USub) else node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        return ast.copy_location(ast.IfExp(node, ast.Constant(1), ast.Constant(0)), node)


def _operation(node: ast.AST, left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr:
    match operator:
        case ast.FloorDiv():
            return _called("_divide", node, left, right)
        case ast.Mod():
            return _called("_remainder", node, left, right)
        case ast.Add() | ast.Sub() | ast.Mult() | ast.LShift():
            return _called("_wrap", node, ast.copy_location(ast.BinOp(left, operator, right), node))
    return ast.copy_location(ast.BinOp(left, operator, right), node)


def _called(name: str, node: ast.AST, *values: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(values), []), node)
