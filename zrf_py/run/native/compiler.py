"""LLVM: from a program to object code.

This is imported only when something is compiled: what was kept from last time is loaded without it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.ir.ops import Program
from zrf_py.run.native.bits import write_fill
from zrf_py.run.native.blocks import GIVEN, write_blocks
from zrf_py.run.native.conditions import is_short, write_ends
from zrf_py.run.native.counting import with_sets
from zrf_py.run.native.kernel import masks
from zrf_py.run.native.layout import Layout
from zrf_py.run.native.machine import ARRAYS, INLINE, LATE, target
from zrf_py.run.native.translate import Kernel, Memory

LONG = 800_000
"""Characters of LLVM's language from which on `QUICK` passes have to do; a person is waiting."""
QUICK = (
    "ipsccp", "always_inliner", "sroa", "simplify_cfg", "instruction_combine", "post_order_function_attributes",
    "new_gvn", "sccp", "jump_threading", "simplify_cfg", "instruction_combine", "dead_store_elimination",
    "aggressive_dce", "simplify_cfg", "global_dead_code_eliminate",
)

MODULES = (
    "weigh", "board", "numbers", "tests", "walk", "vm", "attack", "finish", "turn", "legal", "goals", "drawing",
    "history", "loops", "turns",
)


def kernel_module(also: tuple[str, ...] = ()) -> ir.Module:
    """The kernel for any game: arrays are pointers that `bind` sets."""
    module = ir.Module("kernel")
    module.triple = llvm.get_default_triple()
    place = Memory(module)
    Kernel(module, place, sources(also)).translate()
    place.binder(ARRAYS)
    return module


def game_module(
    program: Program, layout: Layout, checked: bool = False, also: tuple[str, ...] = (),
) -> ir.Module:
    """The kernel for one game: its tables are constants, its blocks functions; `checked` as in `Memory`."""
    module = ir.Module("game")
    module.triple = llvm.get_default_triple()
    fixed: dict[str, tuple[int, bytes | None]] = {name: (size, None) for name, size in layout.sizes.items()}
    for name, table in layout.tables.items():
        late = len(table) > INLINE
        fixed[name] = len(table), None if late else table.tobytes()
    place = Memory(module, fixed, checked)
    kernel = Kernel(module, place, sources(also))
    groups = with_sets(program, layout)[1] if layout.tables[masks.setting.name][masks.SETS] else None
    given = [*GIVEN]
    write_blocks(kernel, program, layout)
    if groups is not None:
        given.append("fill_sets")
        write_fill(kernel, program, groups)
    if is_short(program):
        given.append("board_result")
        write_ends(kernel, program, layout, kinds=layout.tables[masks.setting.name][masks.KIND_SETS] != 0)
    kernel.translate(given)
    place.declare(array for array in ARRAYS if array.name in fixed and fixed[array.name][1] is None)
    if also:
        place.binder(LATE)
    return module


def sources(also: tuple[str, ...]) -> list[ModuleType]:
    """The modules of the kernel."""
    return [import_module(f"zrf_py.run.native.kernel.{name}") for name in MODULES + also]


def compile_module(module: ir.Module) -> bytes:
    """Optimise a module and turn it into object code."""
    machine = target()
    text = str(module)
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    # Unrolled loops took longer to compile and to run, in every game measured.
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_unrolling = options.loop_vectorization = options.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, options)
    passes = _quick_passes() if len(text) > LONG else builder.getModulePassManager()
    passes.run(parsed, builder)
    code: bytes = machine.emit_object(parsed)
    return code


def _quick_passes() -> llvm.ModulePassManager:
    """For long code: a third of the time, and code that takes about a fifth longer."""
    passes = llvm.create_new_module_pass_manager()
    for name in QUICK:
        getattr(passes, f"add_{name}_pass")()
    return passes
