"""Code in memory: loaded from the cache, or compiled and kept there."""

from __future__ import annotations

import functools
import hashlib
from array import array
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int64, c_void_p
from pathlib import Path

import llvmlite.binding as llvm

from zrf_py import cache
from zrf_py.ir.ops import Program
from zrf_py.run.native.analysis import analyse
from zrf_py.run.native.counting import with_sets
from zrf_py.run.native.kernel import masks, memory, notes, tree
from zrf_py.run.native.layout import ATTACKS, Layout, attack_tables, with_attacks
from zrf_py.run.native.templates import size_of

INLINE = 1024
"""Tables with more elements are filled when the code is loaded; the compiler does not see what is in them."""

LARGEST = 4000
"""Operations in different blocks up to which a game is compiled for itself."""

SEARCHING = ("order", "race", "search", "uct", "learn")
"""Left out where nobody searches."""
SOLVING = ("puzzle",)
"""Left out where nobody solves a puzzle."""

ARRAYS = memory.ARRAYS + masks.MASKS + notes.NOTES + tree.TREE
LATE = notes.LATE + tree.LATE
"""Arrays that are always behind a pointer."""

Function = Callable[..., int]


def target() -> llvm.TargetMachine:
    """The machine this process runs on; a compiler that is given one keeps it, so each gets its own."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    found = llvm.Target.from_default_triple()
    return found.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, jit=True,
    )


def is_small(layout: Layout) -> bool:
    """Whether compiling this game for itself takes a person's patience, not more."""
    return sum(len(r.code) for r in layout.routines) <= 40 * LARGEST and size_of(layout) <= LARGEST


def knowing(program: Program, layout: Layout) -> Layout:
    """The layout with everything that can be known beforehand, for compiling."""
    return with_sets(program, knowing_attacks(program, layout))[0]


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
        address = self._engine.get_function_address(name)
        if not address:
            raise KeyError(name)  # calling it would end the process
        return kind(address)

    def address(self, array: str) -> int:
        """Where an array of a game's own module is."""
        return self.symbol(f"array.{array}")

    def symbol(self, name: str) -> int:
        """Where a global is."""
        found: int = self._engine.get_global_value_address(name)
        return found

    def bind(self, number: int, address: int) -> None:
        """Tell the code where an array is."""
        CFUNCTYPE(None, c_int64, c_void_p)(self._engine.get_function_address("bind"))(number, address)


@functools.cache
def kernel_code(also: tuple[str, ...] = ()) -> bytes:
    """The object code of the kernel for any game."""
    name = cache.key(_versions(), *also) + ".kernel"
    found = cache.load(name)
    if found is None:
        from zrf_py.run.native.compiler import compile_module, kernel_module

        found = compile_module(kernel_module(also))
        cache.store(name, found)
    return found


def game_key(layout: Layout) -> str:
    """What a game's code and tables are kept under."""
    tables = [name.encode() + table.tobytes() for name, table in layout.tables.items()]
    return cache.key(_versions(), repr(sorted(layout.sizes.items())), *tables)


def knowing_attacks(program: Program, layout: Layout) -> Layout:
    """The layout with what can be known about attacks beforehand."""
    name = game_key(layout) + ".attacks"
    data = cache.load(name)
    if data is None:
        attacks = analyse(program)
        tables = attack_tables(layout, attacks) if attacks else {}
        data = b"".join(len(t).to_bytes(8, "little") + t.tobytes() for t in tables.values())
        cache.store(name, data)
        return with_attacks(layout, tables) if tables else layout
    return with_attacks(layout, _split(data)) if data else layout


def _split(data: bytes) -> dict[str, array[int]]:
    tables = {}
    at = 0
    for where in ATTACKS:
        end = at + 8 + 8 * int.from_bytes(data[at : at + 8], "little")
        tables[where.name] = array("q", data[at + 8 : end])
        at = end
    return tables


def game_code(program: Program, layout: Layout, also: tuple[str, ...] = ()) -> bytes:
    """The object code of one game."""
    name = game_key(layout) + ".".join(("", *also, "game"))
    found = cache.load(name)
    if found is None:
        from zrf_py.run.native.compiler import compile_module, game_module

        found = compile_module(game_module(program, layout, also=also))
        cache.store(name, found)
    return found


@functools.cache
def _versions() -> str:
    """What besides the rules decides about the code: this package's own source, LLVM, the processor."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return repr((digest.hexdigest(), llvm.llvm_version_info, llvm.get_host_cpu_name(),
                 llvm.get_host_cpu_features().flatten(), llvm.get_default_triple()))
