"""Every way to play a game, for tests that compare each with the interpreter. A new engine is a new line here."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules

if TYPE_CHECKING:
    from zrf_py.native.extension import Extension
    from zrf_py.native.layout import Layout

Make = Callable[[Program], Engine]


def any_game(program: Program) -> Engine:
    """Return an engine with the kernel for any game, which reads a game's operations from a table."""
    from zrf_py.native import Native

    return Native(program)


def one_game(program: Program) -> Engine:
    """Return an engine that runs the game's own machine code."""
    from zrf_py.native import Native

    return Native(program, compiled=True)


def kernel_as_python(program: Program) -> Engine:
    """Return the engine of `any_game` with its kernel run as Python: bounds are checked, and own code's tables used."""
    from tests.python_machine import PythonMachine
    from zrf_py.native import code
    from zrf_py.native.engine import Native

    machine = PythonMachine(program)
    if machine.layout is not None:
        machine.layout = code.for_any_game(code.knowing(program, machine.layout))
    return Native(program, machine=machine)


def checked(program: Program, layout: Layout, also: Extension) -> tuple[Layout, bytes]:
    """Return the layout and the own code of a game, with every index checked; the symbol `outside` counts those out of
    bounds."""
    from zrf_py.jit.compiler import compile_module
    from zrf_py.native import code, compiler

    own = code.knowing(program, layout)
    return own, compile_module(compiler.game_module(program, own, checked=True, also=also))


_LLVM = pytest.mark.skipif(find_spec("llvmlite") is None, reason="needs llvmlite")
OTHERS = [
    pytest.param(any_game, id="any-game", marks=_LLVM),
    pytest.param(kernel_as_python, id="kernel-as-python", marks=_LLVM),
    pytest.param(one_game, id="compiled", marks=[_LLVM, pytest.mark.slow]),
]
"""All engines except the interpreter, which defines the correct results."""
ENGINES = [pytest.param(Rules, id="interpret"), *OTHERS]


def played(engine: Engine) -> bool:
    """Return whether an engine has answered by itself: machine code that lacks memory calls the interpreter."""
    return isinstance(engine, Rules) or (engine.machine.layout is not None and engine.asked == 0)  # type: ignore[attr-defined]
