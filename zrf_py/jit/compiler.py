"""Compile an LLVM IR module to optimised object code.

This Python module is imported only to compile; cached object code loads without it. Targets without 128-bit shifts get
functions for them, which LLVM calls: a 128-bit number is passed as two 64-bit halves, low first; the result goes to
where the first argument points.
"""

from collections.abc import Collection, Sequence

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.jit.loader import WASM, target

_SHAPE = """
define void @{name}(ptr %out, i64 %low, i64 %high, i32 %by) {{
  %high.at = getelementptr i8, ptr %out, i32 8
  %n = zext i32 %by to i64
  %few = and i64 %n, 63
  %far = and i64 %n, 64
  %is.far = icmp ne i64 %far, 0
  %kept.low = call i64 @llvm.{funnel}.i64(i64 %{a}, i64 %{b}, i64 %few)
  %kept.high = {shift} i64 %{end}, %few
  %fill = {fill}
  %near.value = select i1 %is.far, i64 %kept.high, i64 %kept.low
  %end.value = select i1 %is.far, i64 %fill, i64 %kept.high
  store i64 %{first}, ptr %out
  store i64 %{second}, ptr %high.at
  ret void
}}
"""

_LEFT = {"funnel": "fshl", "a": "high", "b": "low", "end": "low", "first": "end.value", "second": "near.value"}
_RIGHT = {"funnel": "fshr", "a": "high", "b": "low", "end": "high", "first": "near.value", "second": "end.value"}

SHIFTS = """
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
""" + "".join([
    _SHAPE.format(name="__ashlti3", shift="shl", fill="add i64 0, 0", **_LEFT),
    _SHAPE.format(name="__lshrti3", shift="lshr", fill="add i64 0, 0", **_RIGHT),
    _SHAPE.format(name="__ashrti3", shift="ashr", fill="ashr i64 %high, 63", **_RIGHT),
])
"""Definitions of `__ashlti3`, `__lshrti3` and `__ashrti3`."""


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
    passes = passes_of(QUICK) if len(text) > LONG else builder.getModulePassManager()
    passes.run(parsed, builder)
    code: bytes = machine.emit_object(parsed)
    return code


def passes_of(names: Sequence[str]) -> llvm.ModulePassManager:
    """Return a pass manager that runs LLVM's passes of these names, in this order."""
    passes = llvm.create_new_module_pass_manager()
    for name in names:
        getattr(passes, f"add_{name}_pass")()
    return passes
