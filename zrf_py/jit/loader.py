"""Load object code: functions callable from Python, addresses of arrays."""

import sys
from collections.abc import Callable
from ctypes import CFUNCTYPE, addressof, c_int64, c_void_p
from typing import Any

IN_BROWSER = sys.platform == "emscripten"
"""True for Python in a browser, which can lay out a game's tables, but can't compile or load machine code."""
try:
    if not IN_BROWSER:
        import llvmlite.binding as llvm
except OSError as error:  # the package is there, but its library does not load
    raise ImportError("LLVM can't be loaded: there is too little memory, or its installation is damaged",
                      name="llvmlite") from error

Function = Callable[..., int]


WASM = "wasm32-unknown-unknown"
"""Target of WebAssembly object code, which `wasm_link.py` makes into a module."""
WASM_FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""WebAssembly features that all browsers of recent years support."""


def host() -> str:
    """Return the target triple of this process.

    :raises ImportError: in a browser, where no machine code can be made.
    """
    if IN_BROWSER:
        raise ImportError("there is no machine code in a browser", name="llvmlite")
    triple: str = llvm.get_default_triple()
    return triple


BASELINES = {"x86_64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")),
             "aarch64": ("generic", ()), "arm64": ("generic", ())}
"""Processor family → LLVM's name of a baseline for its processors of the last ten years; the features it requires."""


def baseline() -> str:
    """Return LLVM's name of the baseline of this processor's family; "" if there is none or the processor is older."""
    name, features = BASELINES.get(host().split("-")[0], ("", ()))
    has = llvm.get_host_cpu_features()
    return name if all(has.get(feature) for feature in features) else ""


def target(triple: str, processor: str = "") -> "llvm.TargetMachine":
    """Create a target machine for `host()` or `WASM`. A compiler takes ownership of its machine, so each gets its own.

    `processor`: `baseline()`, or "" for this processor with all its features.
    """
    if triple == WASM:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(WASM).create_target_machine("generic", WASM_FEATURES, opt=2, reloc="static")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if processor:
        return llvm.Target.from_triple(triple).create_target_machine(cpu=processor, opt=2, jit=True)
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, jit=True,
    )


class Code:
    """Loaded object code: functions by name. They are valid as long as this object lives."""

    def __init__(self, data: bytes) -> None:
        empty = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(empty, target(host()))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        self._engine.finalize_object()

    def function(self, name: str, arguments: int) -> Function:
        """Return a function of `arguments` 64-bit integers that returns one; raises KeyError if it does not exist."""
        kind = CFUNCTYPE(c_int64, *[c_int64] * arguments)
        address = self._engine.get_function_address(name)
        if not address:
            raise KeyError(name)  # calling it would crash the process
        return kind(address)

    def address(self, array: str) -> int:
        """Address of an array of a game's own module."""
        return self.symbol(f"array.{array}")

    def symbol(self, name: str) -> int:
        """Address of a global variable."""
        address: int = self._engine.get_global_value_address(name)
        return address

    def bind(self, number: int, memory: Any) -> None:
        """Set the address of a bound array to that of a ctypes array."""
        CFUNCTYPE(None, c_int64, c_void_p)(self._engine.get_function_address("bind"))(number, addressof(memory))


def versions() -> str:
    """Return the compiler's inputs besides source text: LLVM's version, the processor, its features, the triple."""
    triple = host()
    return repr((llvm.llvm_version_info, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), triple))
