"""Object code → functions that Python can call, and addresses of arrays."""

from collections.abc import Callable
from ctypes import CFUNCTYPE, addressof, c_int64, c_void_p
from typing import Any

try:
    import llvmlite.binding as llvm
except OSError as error:  # the package is there, its library can't be loaded
    raise ImportError("LLVM can't be loaded: there is too little memory, or its installation is damaged",
                      name="llvmlite") from error

Function = Callable[..., int]


WASM = "wasm32-unknown-unknown"
"""The machine in every browser; its object code becomes a module by `wasm_link.py`."""
WASM_FEATURES = "+bulk-memory,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""What all browsers of the last years have."""


def host() -> str:
    """The name of the machine this process runs on."""
    found: str = llvm.get_default_triple()
    return found


BASELINES = {"x86_64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")),
             "aarch64": ("generic", ()), "arm64": ("generic", ())}
"""[processor family]: what code for its processors of the last ten years is made for, and what they have."""


def baseline() -> str:
    """What code is made for that is to run on other processors of this family, too; empty if this one is older."""
    name, needed = BASELINES.get(host().split("-")[0], ("", ()))
    has = llvm.get_host_cpu_features()
    return name if all(has.get(feature) for feature in needed) else ""


def target(triple: str, processor: str = "") -> llvm.TargetMachine:
    """A machine by its name, `host()` or `WASM`. A compiler that is given one keeps it, so each gets its own.

    `processor`: `baseline()`, or "" for this one.
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
    """Loaded object code: functions by name. It lives as long as this object."""

    def __init__(self, data: bytes) -> None:
        empty = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(empty, target(host()))
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

    def bind(self, number: int, memory: Any) -> None:
        """Tell the code where an array is: an array of ctypes."""
        CFUNCTYPE(None, c_int64, c_void_p)(self._engine.get_function_address("bind"))(number, addressof(memory))


def versions() -> str:
    """What besides its text decides about code: LLVM, the processor."""
    return repr((llvm.llvm_version_info, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(),
                 host()))
