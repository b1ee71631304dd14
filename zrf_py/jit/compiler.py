"""Compile an LLVM IR module to optimised object code.

It is imported only to compile; cached object code loads without it.
"""

from collections.abc import Collection, Sequence

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.jit.loader import WASM, target
from zrf_py.jit.wide import SHIFTS

LONG = 800_000
"""Length of LLVM IR, in characters, above which only the `QUICK` passes run. They take a third of the time; the code
runs about a fifth slower."""
QUICK = (
    "ipsccp", "always_inliner", "sroa", "simplify_cfg", "instruction_combine", "post_order_function_attributes",
    "new_gvn", "sccp", "jump_threading", "simplify_cfg", "instruction_combine", "dead_store_elimination",
    "aggressive_dce", "simplify_cfg", "global_dead_code_eliminate",
)


def compile_module(module: ir.Module, keep: Collection[str] | None = None, processor: str = "") -> bytes:
    """Optimise a module and compile it to object code for its target triple.

    :param keep: names of the functions called from outside (None: all); the others may be inlined away.
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
    # Unrolled loops took longer to compile and to run in every game measured.
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
