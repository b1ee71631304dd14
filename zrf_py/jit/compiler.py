"""A module of LLVM's language → object code, optimised.

This is imported only when something is compiled: what was kept from last time is loaded without it.
"""

from collections.abc import Collection, Sequence

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.jit.loader import WASM, target
from zrf_py.jit.wide import SHIFTS

LONG = 800_000
"""Characters of LLVM's language from which on `QUICK` passes have to do: a third of the time, and code that takes about
a fifth longer."""
QUICK = (
    "ipsccp", "always_inliner", "sroa", "simplify_cfg", "instruction_combine", "post_order_function_attributes",
    "new_gvn", "sccp", "jump_threading", "simplify_cfg", "instruction_combine", "dead_store_elimination",
    "aggressive_dce", "simplify_cfg", "global_dead_code_eliminate",
)


def compile_module(module: ir.Module, keep: Collection[str] | None = None, processor: str = "") -> bytes:
    """Optimise a module and turn it into object code for the machine that the module names.

    :param keep: the functions that are called from outside, if not all are; others go where they aren't needed.
    :param processor: as in `target`.
    """
    if keep is not None:
        for function in module.functions:
            if not function.is_declaration and function.name not in keep:
                function.linkage = "internal"
    machine = target(module.triple, processor)
    text = str(module) + (SHIFTS if module.triple == WASM else "")
    parsed = llvm.parse_assembly(text)
    parsed.verify()
    # Unrolled loops took longer to compile and to run, in every game measured.
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_unrolling = options.loop_vectorization = options.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, options)
    passes = _passes(QUICK) if len(text) > LONG else builder.getModulePassManager()
    passes.run(parsed, builder)
    code: bytes = machine.emit_object(parsed)
    return code


def _passes(names: Sequence[str]) -> llvm.ModulePassManager:
    passes = llvm.create_new_module_pass_manager()
    for name in names:
        getattr(passes, f"add_{name}_pass")()
    return passes
