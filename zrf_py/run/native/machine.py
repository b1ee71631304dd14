"""LLVM: from a module to code in memory."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from functools import cache
from importlib import import_module

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.run.native.kernel import memory
from zrf_py.run.native.translate import Kernel, Memory

MODULES = ("board", "tests", "walk", "vm", "attack", "legal", "goals", "loops")

Function = Callable[..., int]


def target() -> llvm.TargetMachine:
    """The machine this process runs on; a compiler that is given one keeps it, so each gets its own."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    found = llvm.Target.from_default_triple()
    return found.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True,
    )


def kernel_module() -> ir.Module:
    """The kernel for any game: arrays are pointers that `bind` sets."""
    module = ir.Module("kernel")
    module.triple = llvm.get_default_triple()
    place = Memory(module)
    sources = [import_module(f"zrf_py.run.native.kernel.{name}") for name in MODULES]
    Kernel(module, place, sources).translate()
    place.binder(memory.ARRAYS)
    return module


def compile_module(module: ir.Module, level: int = 2) -> bytes:
    """Optimise a module and turn it into object code."""
    machine = target()
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(parsed, builder)
    code: bytes = machine.emit_object(parsed)
    return code


class Code:
    """Loaded object code: functions by name. It lives as long as this object."""

    def __init__(self, data: bytes) -> None:
        empty = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(empty, target())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def function(self, name: str, arguments: int) -> Function:
        """A function of words; the answer is a word."""
        kind = CFUNCTYPE(c_int64, *[c_int64] * arguments)
        return kind(self._engine.get_function_address(name))

    def bind(self, number: int, address: int) -> None:
        """Tell the code where an array is."""
        CFUNCTYPE(None, c_int64, c_void_p)(self._engine.get_function_address("bind"))(number, address)


@cache
def kernel_code() -> bytes:
    """The object code of the kernel for any game."""
    return compile_module(kernel_module())
