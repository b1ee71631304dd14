"""Listing of a game's compiled blocks: LLVM IR, with the operations and the text of the rules beside it.

The IR is cleaned up but not inlined: the tests and effects of the kernel are still calls by name.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from zrf_py.ir.ops import Op, Program, Routine
from zrf_py.jit.compiler import passes_of
from zrf_py.jit.loader import host, target
from zrf_py.jit.translate import Kernel, Memory
from zrf_py.native import code, compiler, extension
from zrf_py.native.layout import Layout, lay_out
from zrf_py.native.specialise.emit import write_block
from zrf_py.native.specialise.templates import size_of, template_of
from zrf_py.native.specialise.writer import Writer
from zrf_py.text.grouping import by_key

PASSES = ("sroa", "simplify_cfg", "instruction_combine", "simplify_cfg", "dead_code_elimination")
_LOCATION = re.compile(r"^(!\d+) = !DILocation\(line: (\d+)")
_MARK = re.compile(r",? !dbg (!\d+)")


def describe(program: Program) -> Iterator[str]:
    """Yield lines that describe the machine code for long work (perft, random games) in a game.

    :raises TooLarge: if the game does not fit into native memory.
    """
    layout = code.common(program, lay_out(program))
    if why := code.too_much(layout):
        yield f"the kernel for any game: {why}"
    elif code.is_given_up(code.knowing(program, layout)):
        yield "the kernel for any game: compiling this game would exceed the limits"
    elif code.kept_game(program, layout):
        yield "its own code, cached on disk"
    else:
        yield "the kernel for any game at first; its own code is compiled during long work"
    if layout.setting.sets:
        yield "moves are counted and drawn by sets of squares"
    if layout.params.reaches:
        yield "complete turns are counted and drawn by the squares that a piece can reach"
    yield f"{len(layout.routines):,} blocks, {size_of(layout):,} operations in distinct blocks"


def list_blocks(program: Program, say: Callable[[Op, int], str], piece: int | None = None) -> Iterator[str]:
    """Yield a listing of the blocks of a piece type (None: all types); `say` formats an operation, given its number.

    :raises TooLarge: if the game does not fit into native memory.
    """
    layout = lay_out(program)
    chosen = [(drop, number, routine) for drop, table in ((False, program.moves), (True, program.drops))
              for kind, routines in enumerate(table) if piece in (None, kind)
              for number, routine in enumerate(routines, 1)]
    shared = by_key(((template_of(routine)[0], drop, routine.piece), (number, routine))
                    for drop, number, routine in chosen)
    module, about, kernel = _kernel(layout)
    names = {}
    for at, ((template, drop, kind), uses) in enumerate(shared.items()):
        name = f"{program.game.pieces[kind].name}.{'drops' if drop else 'moves'}.{uses[0][0]}"
        writer = Writer(kernel, template, name if name not in names else f"{name}.{at}", "moves", drop, layout)
        writer.scope = module.add_debug_info("DISubprogram", {"name": name, **about}, is_distinct=True)
        writer.function.set_metadata("dbg", writer.scope)
        write_block(writer)
        names[writer.function.name] = uses
    kernel.translate()
    parsed = llvm.parse_assembly(str(module))
    builder = llvm.create_pass_builder(target(host()), llvm.create_pipeline_tuning_options(speed_level=1))
    passes_of(PASSES).run(parsed, builder)
    marks = {place[1]: int(place[2]) - 1 for line in str(parsed).splitlines() if (place := _LOCATION.match(line))}
    for name, uses in names.items():
        yield from _heading(program, uses)
        yield from _body(uses[0][1], say, str(parsed.get_function(name)), marks)


def _kernel(layout: Layout) -> tuple[ir.Module, dict[str, Any], Kernel]:
    """Return a module, debug information for its functions, and the kernel in it.

    A debug line is the index of an operation plus 1; it traces the optimiser's output back to the operation.
    """
    module = ir.Module("blocks")
    module.triple = llvm.get_default_triple()
    flag = [ir.Constant(ir.IntType(32), 2), "Debug Info Version", ir.Constant(ir.IntType(32), 3)]
    module.add_named_metadata("llvm.module.flags", flag)
    file = module.add_debug_info("DIFile", {"filename": "rules", "directory": ""})
    unit = module.add_debug_info("DICompileUnit", {
        "language": ir.DIToken("DW_LANG_C"), "file": file, "isOptimized": True, "runtimeVersion": 0,
        "emissionKind": ir.DIToken("FullDebug")}, is_distinct=True)
    module.add_named_metadata("llvm.dbg.cu", unit)
    kind = module.add_debug_info("DISubroutineType", {"types": module.add_metadata([])})
    kernel = Kernel(module, Memory(module, compiler.fixed_arrays(layout)), compiler.sources(extension.NOTHING))
    return module, {"file": file, "type": kind, "unit": unit, "line": 1,
                    "spFlags": ir.DIToken("DISPFlagDefinition")}, kernel


def _heading(program: Program, uses: Sequence[tuple[int, Routine]]) -> Iterator[str]:
    """Yield a comment line for each block that shares this code, with its motions."""
    directions = program.game.board.directions
    for number, routine in uses:
        motions = [directions[motion // 2] + ("" if motion % 2 == 0 else " backwards")
                   for motion in template_of(routine)[1]]
        piece = program.game.pieces[routine.piece].name
        yield f"; block {number} of {piece}" + (f", motions {', '.join(motions)}" if motions else "")


def _body(routine: Routine, say: Callable[[Op, int], str], text: str, marks: dict[str, int]) -> Iterator[str]:
    """Yield the lines of a function, with each operation before its code."""
    last = -1
    for line in text.strip().splitlines():
        mark = _MARK.search(line)
        at = marks.get(mark[1], -1) if mark and line.startswith("  ") else -1
        if at >= 0 and at != last:
            yield f"  ; {_operation(routine, say, at)}"
            last = at
        if not line.startswith("  "):
            last = -1
        if line and not line.lstrip().startswith("; Function Attrs"):
            yield _MARK.sub("", line)
    yield ""


def _operation(routine: Routine, say: Callable[[Op, int], str], at: int) -> str:
    op = routine.code[at]
    words = f"{at:>3}  {say(op, at)}"
    if op.origin is None:
        return words
    span = op.origin.span
    line, _ = span.source.position(span.start)
    return f"{words:<34} {Path(span.source.name).name}:{line}  {span.source.line(line).strip()}"
