"""Build the LLVM IR module of the kernel, for any game or for one.

This module is imported only to compile; cached object code loads without it.
"""

from importlib import import_module
from types import ModuleType

from llvmlite import ir

from zrf_py.ir.ops import Program
from zrf_py.jit.loader import host
from zrf_py.jit.translate import Kernel, Memory
from zrf_py.native.bitboards import bits, counting
from zrf_py.native.bitboards.endings import is_short
from zrf_py.native.extension import ARRAYS, INLINE, LEFT_OUT, NOTHING, Extension
from zrf_py.native.layout import Layout
from zrf_py.native.specialise.blocks import GIVEN, write_blocks
from zrf_py.native.specialise.conditions import write_ends

MODULES = tuple(f"zrf_py.native.kernel.{name}" for name in (
    "watch", "keys", "cells", "board", "numbers", "tests", "walk", "vm", "attack", "finish", "turn", "legal", "leaves",
    "goals", "fills", "sampling", "history", "loops", "turns", "reaches", "singles", "turn_loops", "stepping",
))


def kernel_module(also: Extension = NOTHING, triple: str = "") -> ir.Module:
    """Build the kernel for any game: its arrays are pointers set by `bind`. `triple`: target ("": this machine)."""
    module = ir.Module("kernel")
    module.triple = triple or host()
    place = Memory(module)
    Kernel(module, place, sources(also)).translate()
    place.binder(ARRAYS + also.arrays)
    return module


def game_module(
    program: Program, layout: Layout, checked: bool = False, also: Extension = NOTHING, triple: str = "",
) -> ir.Module:
    """Build the kernel for one game; tables become constants and blocks functions. `checked` as in `Memory`."""
    module = ir.Module("game")
    module.triple = triple or host()
    fixed = fixed_arrays(layout)
    place = Memory(module, fixed, checked)
    kernel = Kernel(module, place, sources(also))
    groups = counting.with_sets(program, layout)[1] if layout.setting.sets else None
    names = [*GIVEN]
    write_blocks(kernel, program, layout)
    if groups is not None:
        names.append("fill_sets")
        bits.write_fill(kernel, program, groups)
    if is_short(program):
        names.append("board_result")
        write_ends(kernel, program, layout, kinds=layout.setting.kind_sets != 0)
    kernel.translate(names)
    place.declare(array for array in ARRAYS + also.arrays
                  if array.name in fixed and fixed[array.name][1] is None and array.name not in LEFT_OUT)
    if also.late:
        place.binder(also.late)
    return module


def fixed_arrays(layout: Layout) -> dict[str, tuple[int, bytes | None]]:
    """Return {name: (size, contents)} of a game's arrays; contents are None if they are written only at run time."""
    tables = {name: (len(table), table.tobytes() if len(table) <= INLINE else None)
              for name, table in layout.tables.items()}
    return {name: (size, None) for name, size in layout.sizes.items()} | tables


def sources(also: Extension) -> list[ModuleType]:
    """Import the modules of the kernel and of an extension."""
    return [import_module(name) for name in MODULES + also.modules]
